package archive

import "lookback"

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
		r.ID = old.ID
	}
	r.Nodes = lookback.BuildTree(r.ID, name, entries, f)
	if len(r.Nodes) == 0 {
		return old, false
	}
	if old == nil {
		return r, true
	}
	lookback.Reuse(r.Nodes, old.Nodes)
	return r, old.Untidy() || !same(r, old)
}
