package cli

import (
	"lookback"
	"lookback/internal/render"
	"lookback/internal/service"
)

// doc is an object in our JSON. Fields are only ever added; docs/scripting.md says
// what they mean.
type doc map[string]any

// maybe adds a field that is left out when there is nothing in it.
func maybe[T comparable](d doc, name string, value T) {
	var nothing T
	if value != nothing {
		d[name] = value
	}
}

// list gives an empty list for none, so that scripts always find an array.
func list[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// each turns a list into another; it is never nil.
func each[T, U any](in []T, turn func(*T) U) []U {
	out := make([]U, len(in))
	for i := range in {
		out[i] = turn(&in[i])
	}
	return out
}

// nodeRefs turns archive node ids into refs.
func nodeRefs(id lookback.SessionID, nodes []string) []lookback.Ref {
	return each(nodes, func(node *string) lookback.Ref { return lookback.NodeRef(id, *node) })
}

// add says in an answer where it was looked for.
func (p place) add(d doc) doc {
	d["scope"] = "all"
	if p.root != "" {
		d["scope"], d["root"] = "workspace", p.root
	}
	return d
}

func foundJSON(f *found, explain bool) doc {
	hit := hitJSON
	if explain {
		hit = func(h *service.Hit) doc {
			d := hitJSON(h)
			d["score"] = scoreJSON(&h.Score)
			return d
		}
	}
	d := f.place.add(doc{
		"query": f.query.Text, "literal": f.query.Literal, "question": f.query.Question,
		"total": f.Total, "atLeast": f.AtLeast, "hits": each(f.Hits, hit), "related": each(f.Related, hit),
		"missing": list(f.Missing), "notes": list(f.Notes), "outside": f.elsewhere,
	})
	maybe(d, "next", f.Next)
	return d
}

func hitJSON(h *service.Hit) doc {
	d := doc{
		"ref": h.Ref, "kind": h.Kind.String(), "snippet": h.Snippet,
		"marks": each(h.Marks, func(m *service.Mark) [2]int { return [2]int{m.Start, m.End} }),
		"from":  render.Stamp(h.First), "to": render.Stamp(h.Last), "ready": h.Ready, "completed": h.Completed,
		"parents": nodeRefs(h.Session.ID, h.Parents), "lacks": list(h.Lacks), "alsoIn": list(h.AlsoIn),
		"session": sessionJSON(&h.Session),
	}
	maybe(d, "seq", h.Seq)
	maybe(d, "role", h.Role.String())
	maybe(d, "author", h.Author)
	return d
}

func sessionJSON(s *service.Session) doc {
	d := doc{
		"ref": lookback.SessionRef(s.ID), "agent": s.ID.Agent, "id": s.ID.Native, "name": s.Name, "cwd": s.Cwd,
		"from": render.Stamp(s.First), "to": render.Stamp(s.Last),
		"entries": s.Entries, "exchanges": s.Exchanges, "pending": s.Pending, "source": s.Source,
	}
	if s.Gone {
		d["source"] = ""
	}
	maybe(d, "parent", s.Parent)
	return d
}

func treeJSON(v *service.NodeView) doc {
	node := func(n *lookback.Node) doc {
		id := v.Session.ID
		return doc{
			"ref": lookback.NodeRef(id, n.ID), "kind": n.Kind.String(), "level": n.Level, "text": n.Text,
			"from": render.Stamp(n.From), "to": render.Stamp(n.To), "ready": n.Ready, "completed": n.Completed,
			"children": nodeRefs(id, n.Children), "parents": nodeRefs(id, n.Parents), "entryIds": list(n.EntryIDs),
		}
	}
	return doc{
		"session": sessionJSON(&v.Session), "node": node(&v.Node), "parents": each(v.Parents, node),
		"children": each(v.Children, node), "total": v.Total, "offset": v.Offset,
	}
}

func readingJSON(r *service.Reading) doc {
	d := doc{
		"ref": r.Ref, "session": sessionJSON(&r.Session), "origin": r.Origin, "leaf": r.Leaf, "boundary": nil, "more": r.More,
		"entries": each(r.Entries, func(e *lookback.Entry) doc { return entryJSON(e, r) }),
	}
	maybe(d, "text", r.Text)
	if b := r.Boundary; b != nil {
		d["boundary"] = doc{"cause": b.Cause.String(), "entry": b.Entry, "at": b.At}
	}
	return d
}

func entryJSON(e *lookback.Entry, r *service.Reading) doc {
	d := doc{
		"ref": lookback.EntryRef(r.Session.ID, e.Seq), "seq": e.Seq, "id": e.ID, "role": e.Role.String(),
		"time": render.Stamp(e.Time), "parts": each(e.Parts, partJSON),
	}
	maybe(d, "author", e.Author)
	maybe(d, "injected", e.Injected)
	if len(e.Calls) > 0 {
		d["calls"] = each(e.Calls, func(c *lookback.Call) doc { return doc{"id": c.ID, "name": c.Name, "status": r.Statuses[c.ID]} })
	}
	if e.Cut != nil {
		d["cut"] = doc{"cause": e.Cut.Cause.String(), "text": e.Cut.Text}
	}
	return d
}

func partJSON(p *lookback.Part) doc {
	kinds := map[lookback.PartKind]string{
		lookback.PartText: "text", lookback.PartImage: "image", lookback.PartThinking: "thinking", lookback.PartAttachment: "attachment",
	}
	d := doc{"kind": kinds[p.Kind]}
	maybe(d, "text", p.Text)
	return d
}
