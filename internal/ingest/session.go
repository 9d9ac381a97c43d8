package ingest

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"lookback"
	"lookback/internal/archive"
	"lookback/internal/index"
)

// update is one session on its way into the archive and the index.
type update struct {
	log     lookback.Log // all entries
	from    int          // first Seq that is new
	file    *index.File  // nil when no file was read
	source  string       // native file
	gone    bool         // the native file has vanished
	claimed string       // workspace that claims the session besides its cwd
}

// put saves the session's archive record and puts everything into the index.
func (s *syncer) put(ctx context.Context, u update) error {
	id := u.log.Session.ID
	known, err := s.w.SessionByID(ctx, id)
	if err != nil {
		return err
	}
	held, err := s.held(ctx, id, s.homeOf(&u), known)
	if err != nil {
		return err
	}
	aged := ageOf(&u, known, held)
	forest := lookback.Exchanges(u.log.Entries)
	silent := len(forest.Exchanges) == 0 && !slices.ContainsFunc(u.log.Entries, func(e lookback.Entry) bool { return e.Spoken() })
	if held.forgotten || silent {
		if u.file == nil {
			return nil
		}
		if held.forgotten {
			u.file.Cursor = nil // which may hold the first words
		}
		return s.w.SetFile(ctx, *u.file, 0, u.log.Warnings)
	}
	record, err := s.save(ctx, held, &u.log, &forest)
	if err != nil {
		return err
	}
	row := index.Session{
		Session: u.log.Session, Archive: held.dirs[0], Record: record.ID, Source: u.source, Gone: u.gone, Aged: aged,
		Entries: len(u.log.Entries), Exchanges: len(forest.Exchanges),
	}
	span(&row, record.Nodes)
	homes := held.roots
	if u.claimed != "" && !slices.Contains(homes, u.claimed) {
		homes = append(homes, u.claimed)
	}
	s.report.Sessions++
	s.report.Entries += max(0, len(u.log.Entries)-u.from+1)
	s.done[id] = true
	err = s.w.Put(ctx, index.Update{
		Session: row, Homes: homes, Entries: u.log.Entries, From: u.from, File: u.file, Warnings: u.log.Warnings,
		Docs: docsOf(u.log.Session.Name, u.log.Entries, &forest, record.Nodes),
	})
	if errors.Is(err, index.ErrTooLong) && u.file != nil { // the others are none the worse for it
		warning := lookback.Warning{Kind: lookback.Unreadable, File: u.source, Count: 1, Detail: err.Error()}
		return s.w.SetFile(ctx, *u.file, 0, append(u.log.Warnings, warning))
	}
	return err
}

// homeOf is the directory whose archive the session's record belongs to: the
// workspace that claims it, if that keeps one, else where it ran.
func (s *syncer) homeOf(u *update) string {
	if u.claimed != "" && s.homes.root(u.claimed) != "" {
		return u.claimed
	}
	return u.log.Session.Cwd
}

// span takes times and counts over from the tree.
func span(row *index.Session, nodes []lookback.Node) {
	row.Exchanges = 0
	for i := range nodes {
		switch n := &nodes[i]; {
		case n.Kind == lookback.KindSession:
			row.First, row.Last = n.From, n.To
		case n.Kind == lookback.KindExchange:
			row.Exchanges++
		case !n.Ready:
			row.Pending++
		}
	}
}

// holding is where a session's record lies now and where it shall lie.
type holding struct {
	dirs      []string          // archives: first the one it belongs to ("" for none), then others that hold it too
	records   []*archive.Record // as read from dirs, nil where there is none
	roots     []string          // workspaces of the archives
	forgotten bool
}

// best is the record to go by when there is no log, and its archive.
func (h *holding) best() (best *archive.Record, dir string) {
	for i, r := range h.records {
		if r != nil && archive.Prefer(best, r) == r {
			best, dir = r, h.dirs[i]
		}
	}
	return best, dir
}

// held gathers what the archives hold of a session that ran in cwd.
func (s *syncer) held(ctx context.Context, id lookback.SessionID, cwd string, known *index.Session) (holding, error) {
	h := holding{dirs: []string{s.homes.dir(cwd)}, forgotten: s.homes.forgotten(id)}
	if h.dirs[0] != "" {
		if err := s.welcome(ctx, s.homes.at(h.dirs[0])); err != nil {
			return h, err
		}
	}
	more := s.found[id]
	hint := ""
	if known != nil {
		hint = known.Record
		dirs, err := s.db.RecordDirs(ctx, known.Row)
		if err != nil {
			return h, err
		}
		more = append(dirs, more...)
	}
	for _, d := range more {
		if !slices.Contains(h.dirs, d) {
			h.dirs = append(h.dirs, d)
		}
	}
	if s.done[id] { // its record may not be in place yet
		s.flushRecords()
	}
	h.records = make([]*archive.Record, len(h.dirs))
	for i, d := range h.dirs {
		if d == "" {
			continue
		}
		o := s.homes.at(d)
		h.forgotten = h.forgotten || o.Forgotten(id)
		var err error
		if h.records[i], err = o.find(id, hint); err != nil {
			s.warnArchive(d, err)
		}
		if o.root != "" && (i == 0 || h.records[i] != nil) {
			h.roots = append(h.roots, o.root)
		}
	}
	// A moved workspace that took the record along needs no second one in the
	// user's archive.
	if h.dirs[0] == s.homes.user && h.records[0] == nil {
		if i := slices.IndexFunc(h.records, func(r *archive.Record) bool { return r != nil }); i > 0 {
			h.dirs[0], h.dirs[i] = h.dirs[i], h.dirs[0]
			h.records[0], h.records[i] = h.records[i], h.records[0]
		}
	}
	return h, nil
}

// ageOf keeps the ids of records that were once read as version 1: Pi gives
// them random ids when it rewrites the file.
func ageOf(u *update, known *index.Session, held holding) int {
	if u.log.Session.Version == 1 {
		return len(u.log.Entries)
	}
	aged := 0
	if known != nil {
		aged = known.Aged
	}
	for _, r := range held.records {
		if r != nil {
			aged = max(aged, oldest(r))
		}
	}
	Age(u.log.Entries, aged)
	return aged
}

// Age gives the first n entries the node ids that they had when the log was
// version 1 and its entries had no ids of their own.
func Age(entries []lookback.Entry, n int) {
	for i := range entries[:min(n, len(entries))] {
		if key := "v1-" + strconv.Itoa(entries[i].Seq); entries[i].ID != key {
			entries[i].Key = key
		}
	}
}

// oldest is the highest number among the version-1 ids of a record.
func oldest(r *archive.Record) int {
	high := 0
	for i := range r.Nodes {
		for _, id := range r.Nodes[i].EntryIDs {
			if n, ok := strings.CutPrefix(id, "v1-"); ok {
				if v, err := strconv.Atoi(n); err == nil {
					high = max(high, v)
				}
			}
		}
	}
	return high
}

// save brings the record of the session up to date in the archive it belongs to
// and in every other that holds it. It returns the first even when no archive is
// kept or none can be written: the index still serves, and a warning says what
// is missing.
func (s *syncer) save(ctx context.Context, h holding, log *lookback.Log, f *lookback.Forest) (*archive.Record, error) {
	var first *archive.Record
	for i, dir := range h.dirs {
		if i > 0 && h.records[i] == nil {
			continue
		}
		r, changed := archive.Update(h.records[i], log.Session.ID, log.Session.Name, log.Entries, f)
		if r == nil { // spoken entries, but no exchange
			r = &archive.Record{ID: archive.NewID(log.Session.ID), Session: log.Session.ID, Name: log.Session.Name}
		}
		changed = s.reuse(ctx, log, r, h) > 0 || changed
		if i == 0 {
			first = r
		}
		if dir == "" {
			continue
		}
		if !changed && h.records[i] != nil {
			s.homes.at(dir).kept(r)
			continue
		}
		if len(r.Nodes) == 0 {
			continue
		}
		if err := s.write(ctx, s.homes.at(dir), r); err != nil {
			return nil, err
		}
	}
	return first, nil
}

// reuse takes over summaries that other archives hold of the session, and those
// that the session it was forked from has of the beginning they share.
func (s *syncer) reuse(ctx context.Context, log *lookback.Log, r *archive.Record, h holding) int {
	all, ready := r.Summaries()
	if all == ready {
		return 0
	}
	n := 0
	for _, other := range h.records {
		if other != nil {
			n += lookback.Reuse(r.Nodes, other.Nodes)
		}
	}
	if log.Session.Parent == "" {
		return n
	}
	parent, err := s.db.ParentOf(ctx, log.Session)
	if err != nil || parent == nil || parent.Archive == "" {
		return n // a summary that is written twice is a cost, not a fault
	}
	if held, err := s.homes.at(parent.Archive).find(parent.ID, parent.Record); err == nil && held != nil {
		n += lookback.Reuse(r.Nodes, held.Nodes)
	}
	return n
}
