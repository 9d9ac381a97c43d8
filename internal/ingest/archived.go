package ingest

import (
	"lookback"
	"lookback/internal/archive"
	"lookback/internal/index"
)

// Archived makes entries of a record whose native log is gone: the user entries
// and answers of its exchanges, numbered from 1 in the record's order. An entry
// that several exchanges share comes once for each, so the numbers are those of
// the archive's copy and not the log's.
func Archived(r *archive.Record) []lookback.Entry {
	var entries []lookback.Entry
	for i := range r.Nodes {
		entries = append(entries, partsOf(&r.Nodes[i], len(entries))...)
	}
	return entries
}

// partsOf makes the entries of one exchange, the first with Seq after+1.
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
