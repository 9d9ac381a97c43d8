package index

import "strings"

// ownNode stands for the session's own node in doc.parents: its id without the
// archive id is empty.
const ownNode = "-"

var (
	nodeEscaper   = strings.NewReplacer("%", "%25", " ", "%20")
	nodeUnescaper = strings.NewReplacer("%20", " ", "%25", "%")
)

// joinNodes gives the form of doc.parents.
func joinNodes(ids []string) string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = nodeEscaper.Replace(id)
		if id == "" {
			out[i] = ownNode
		}
	}
	return strings.Join(out, " ")
}

// splitNodes reads what joinNodes wrote.
func splitNodes(s string) []string {
	if s == "" {
		return nil
	}
	ids := strings.Split(s, " ")
	for i, id := range ids {
		ids[i] = nodeUnescaper.Replace(id)
		if id == ownNode {
			ids[i] = ""
		}
	}
	return ids
}
