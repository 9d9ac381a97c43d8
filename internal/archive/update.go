package archive

import (
	"slices"
	"strings"

	"lookback"
)

// Update brings a session's record up to the log: the tree is built anew under
// the id of old, or under NewID when old is nil, and takes over the summaries of
// old whose children are the same. changed says whether the result has to be
// saved. old is not altered.
//
// A log that was read and holds exchanges decides alone: what old holds beyond it
// is dropped, as the log itself no longer has it. A log without exchanges changes
// nothing, so that what stands in the archive outlives an emptied or lost log.
func Update(old *Record, id lookback.SessionID, name string, entries []lookback.Entry, f *lookback.Forest) (r *Record, changed bool) {
	r = &Record{ID: NewID(id), Session: id, Name: name}
	if old != nil {
		r.ID, r.info, r.untidy = old.ID, old.info, old.untidy
	}
	r.Nodes = lookback.BuildTree(r.ID, name, entries, f)
	if len(r.Nodes) == 0 {
		return old, false
	}
	if old == nil {
		return r, true
	}
	lookback.Reuse(r.Nodes, old.Nodes)
	return r, old.untidy || len(old.dangling) > 0 || !same(r, old)
}

// same compares all that a file holds.
func same(a, b *Record) bool {
	return a.ID == b.ID && a.Session == b.Session && a.Name == b.Name &&
		slices.EqualFunc(a.Nodes, b.Nodes, sameNode)
}

func sameNode(a, b lookback.Node) bool {
	return a.ID == b.ID && a.Kind == b.Kind && a.Level == b.Level && a.Ready == b.Ready &&
		a.Completed == b.Completed && a.Text == b.Text &&
		a.From.UnixMilli() == b.From.UnixMilli() && a.To.UnixMilli() == b.To.UnixMilli() &&
		slices.Equal(a.Children, b.Children) && slices.Equal(a.Parents, b.Parents) &&
		slices.Equal(a.EntryIDs, b.EntryIDs)
}

// rename returns a copy of r under another archive id. Node ids follow.
func (r *Record) rename(id string) *Record {
	if r.ID == id {
		return r
	}
	move := func(s string) string { return id + strings.TrimPrefix(s, r.ID) }
	all := func(list []string) []string {
		out := make([]string, len(list))
		for i := range list {
			out[i] = move(list[i])
		}
		return out
	}
	out := &Record{ID: id, Session: r.Session, Name: r.Name, Nodes: slices.Clone(r.Nodes)}
	for i := range out.Nodes {
		n := &out.Nodes[i]
		n.ID, n.Children, n.Parents = move(n.ID), all(n.Children), all(n.Parents)
	}
	return out
}
