package ingest

import (
	"strings"

	"lookback"
	"lookback/internal/index"
)

// docsOf turns a session into what a search ranks: its exchanges, the summaries
// that are written, the spoken entries that belong to no exchange, and the
// session itself, found by its name. nodes are BuildTree's for the same forest.
func docsOf(name string, entries []lookback.Entry, f *lookback.Forest, nodes []lookback.Node) []index.Doc {
	docs := make([]index.Doc, 0, len(nodes)+1)
	inside := make([]bool, len(entries)+1)
	x := 0
	for i := range nodes {
		n := &nodes[i]
		d := docOf(n)
		switch {
		case n.Kind == lookback.KindExchange:
			e := &f.Exchanges[x]
			x++
			d.Users, d.Steps = e.Users, e.Steps
			d.Answers = append(d.Answers, e.Pieces...)
			if e.Answer != 0 {
				d.Answers = append(d.Answers, e.Answer)
			}
			for _, field := range [][]int{d.Users, d.Answers, d.Steps} {
				for _, seq := range field {
					inside[seq] = true
				}
			}
		case n.Kind == lookback.KindSummary && n.Ready:
			d.Text = n.Text
		default:
			continue // an unwritten summary is found through what it covers
		}
		docs = append(docs, d)
	}
	for i := range entries {
		if e := &entries[i]; e.Spoken() && !inside[e.Seq] {
			docs = append(docs, orphan(e))
		}
	}
	return append(docs, index.Doc{Kind: lookback.KindSession, Text: name, Ready: true})
}

func docOf(n *lookback.Node) index.Doc {
	d := index.Doc{Kind: n.Kind, Node: withoutArchive(n.ID), First: n.From, Last: n.To, Ready: n.Ready, Done: n.Completed}
	for _, p := range n.Parents {
		d.Parents = append(d.Parents, withoutArchive(p))
	}
	return d
}

// withoutArchive cuts the archive id off a node id; the session's own becomes "".
func withoutArchive(id string) string {
	_, rest, _ := strings.Cut(id, ":")
	return rest
}

func orphan(e *lookback.Entry) index.Doc {
	d := index.Doc{Kind: lookback.KindEntry, First: e.Time, Last: e.Time, Ready: true}
	if e.Role == lookback.RoleUser {
		d.Users = []int{e.Seq}
	} else {
		d.Answers = []int{e.Seq}
	}
	return d
}
