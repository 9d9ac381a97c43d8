package cli

import (
	"lookback"
	"lookback/internal/render"
	"lookback/internal/service"
)

// The JSON of tree.
type (
	treeDoc struct {
		Session  sessionDoc `json:"session"`
		Node     nodeDoc    `json:"node"`
		Parents  []nodeDoc  `json:"parents"`
		Children []nodeDoc  `json:"children"`
		Total    int        `json:"total"` // number of children
		Offset   int        `json:"offset"`
	}
	nodeDoc struct {
		Ref       string       `json:"ref"`
		Kind      string       `json:"kind"`
		Level     int          `json:"level"`
		From      render.Stamp `json:"from"`
		To        render.Stamp `json:"to"`
		Ready     bool         `json:"ready"`
		Completed bool         `json:"completed"`
		Text      string       `json:"text"` // of children a preview, of parents nothing
		Children  []string     `json:"children"`
		Parents   []string     `json:"parents"`
		EntryIDs  []string     `json:"entryIds"`
	}
)

func treeJSON(v *service.NodeView) treeDoc {
	id := v.Session.ID
	return treeDoc{
		Session: sessionJSON(&v.Session), Node: nodeJSON(id, &v.Node), Parents: nodeDocs(id, v.Parents),
		Children: nodeDocs(id, v.Children), Total: v.Total, Offset: v.Offset,
	}
}

func nodeDocs(id lookback.SessionID, nodes []lookback.Node) []nodeDoc {
	out := make([]nodeDoc, len(nodes))
	for i := range nodes {
		out[i] = nodeJSON(id, &nodes[i])
	}
	return out
}

func nodeJSON(id lookback.SessionID, n *lookback.Node) nodeDoc {
	return nodeDoc{
		Ref: lookback.NodeRef(id, n.ID).String(), Kind: n.Kind.String(), Level: n.Level, From: render.Stamp(n.From), To: render.Stamp(n.To),
		Ready: n.Ready, Completed: n.Completed, Text: n.Text, Children: nodeRefs(id, n.Children), Parents: nodeRefs(id, n.Parents),
		EntryIDs: list(n.EntryIDs),
	}
}
