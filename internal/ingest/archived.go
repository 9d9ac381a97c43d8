package ingest

import (
	"lookback"
	"lookback/internal/archive"
	"lookback/internal/index"
)

// partsOf makes entries of an exchange whose log is gone: its user entries and its
// answer, numbered from after+1. An entry that several exchanges of a record share
// so comes once for each.
func partsOf(n *lookback.Node, after int) []lookback.Entry {
	var out []lookback.Entry
	for _, p := range archive.Parts(n) {
		e := lookback.Entry{
			Seq: after + len(out) + 1, Parent: after + len(out), ID: p.EntryID, Role: p.Role, Message: true,
			Time: n.To, Parts: index.Parts(p.Text),
		}
		if p.Role == lookback.RoleUser {
			e.Time = n.From
		} else {
			e.Role = lookback.RoleAssistant
			if n.Completed {
				e.Stop = lookback.StopFinal
			}
		}
		out = append(out, e)
	}
	return out
}

// archivedDocs is docsOf for a session that exists in the archive only.
func archivedDocs(r *archive.Record) ([]lookback.Entry, []index.Doc) {
	var entries []lookback.Entry
	var docs []index.Doc
	for i := range r.Nodes {
		n := &r.Nodes[i]
		d := docOf(n)
		switch {
		case n.Kind == lookback.KindExchange:
			parts := partsOf(n, len(entries))
			for j := range parts {
				if parts[j].Role == lookback.RoleUser {
					d.Users = append(d.Users, parts[j].Seq)
				} else {
					d.Answers = append(d.Answers, parts[j].Seq)
				}
			}
			entries = append(entries, parts...)
		case n.Kind == lookback.KindSummary && n.Ready:
			d.Text = n.Text
		default:
			continue
		}
		docs = append(docs, d)
	}
	return entries, append(docs, index.Doc{Kind: lookback.KindSession, Text: r.Name, Ready: true})
}
