package lookback

import "strings"

// Reuse gives the summaries of nodes the texts that old has for the same
// children: the same ids, completed flags and texts, on whatever machine they
// were written. Archive ids are not compared, so a fork takes over the summaries
// of the beginning it shares with its parent. A summary whose child lost its text
// stays without one. It returns how many texts were taken over.
//
// Children must stand before their parents in nodes, as BuildTree returns them.
func Reuse(nodes, old []Node) int {
	had := make(map[string]*Node, len(old))
	for i := range old {
		had[local(old[i].ID)] = &old[i]
	}
	now := make(map[string]*Node, len(nodes))
	taken := 0
	for i := range nodes {
		n := &nodes[i]
		now[local(n.ID)] = n
		if n.Kind != KindSummary || n.Ready {
			continue
		}
		if o := had[local(n.ID)]; o != nil && o.Ready && sameChildren(n, o, now, had) {
			n.Text, n.Ready = o.Text, true
			taken++
		}
	}
	return taken
}

// local is a node id without its archive id.
func local(id string) string {
	_, rest, _ := strings.Cut(id, ":")
	return rest
}

func sameChildren(n, o *Node, now, had map[string]*Node) bool {
	if len(n.Children) != len(o.Children) {
		return false
	}
	for i, id := range n.Children {
		if local(id) != local(o.Children[i]) {
			return false
		}
		a, b := now[local(id)], had[local(id)]
		if a == nil || b == nil || !a.Ready || a.Completed != b.Completed || a.Text != b.Text {
			return false
		}
	}
	return true
}
