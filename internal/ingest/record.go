package ingest

import (
	"context"
	"errors"
	"slices"

	"lookback"
	"lookback/internal/archive"
	"lookback/internal/index"
)

// takeRecord puts a record that another hand wrote into the index. row is the
// session that it held before, 0 for none.
func (s *syncer) takeRecord(ctx context.Context, o *home, id string, row int64) error {
	r, err := o.load(id)
	if errors.Is(err, archive.ErrForgotten) {
		return nil
	}
	if err != nil {
		return s.badRecord(ctx, o, id, row, err)
	}
	if err := s.unwarn(ctx, o.path(id)); err != nil { // what was wrong with it
		return err
	}
	if s.homes.forgotten(r.Session) {
		return nil
	}
	if err := s.w.PutRecord(ctx, o.Dir(), id, o.looks[id], r.Session); err != nil {
		return err
	}
	if !slices.Contains(s.found[r.Session], o.Dir()) {
		s.found[r.Session] = append(s.found[r.Session], o.Dir())
	}
	if r.Untidy() { // an older program wrote fields that must not stay
		if err := s.write(ctx, o, r); err != nil {
			return err
		}
	}
	known, err := s.w.SessionByID(ctx, r.Session)
	if err == nil && known != nil {
		err = s.twinRecord(ctx, o, r, known)
	}
	if err != nil {
		return err
	}
	if known == nil || known.Source == "" {
		return s.putArchived(ctx, r.Session, known)
	}
	entries, err := s.entries(ctx, known)
	if err != nil {
		return err
	}
	if known.Gone && !covers(entries, r) { // it went on elsewhere
		return s.putArchived(ctx, r.Session, known)
	}
	return s.putAgain(ctx, known, entries)
}

// unwarn forgets what was wrong with a record. No session was read from its file
// as a native one, so nothing else is marked.
func (s *syncer) unwarn(ctx context.Context, path string) error {
	return s.w.MarkGone(ctx, []string{path})
}

// badRecord notes a record that cannot be read. What the index has of it stays.
func (s *syncer) badRecord(ctx context.Context, o *home, id string, row int64, fault error) error {
	warning := lookback.Warning{Kind: lookback.BadArchive, File: o.path(id), Count: 1, Detail: plain(fault)}
	s.warn(warning)
	var session lookback.SessionID
	if known, err := s.db.SessionByRow(ctx, row); err != nil {
		return err
	} else if known != nil {
		session = known.ID
	}
	if err := s.w.PutRecord(ctx, o.Dir(), id, o.looks[id], session); err != nil {
		return err
	}
	return s.w.AddWarning(ctx, warning)
}

// twinRecord settles which of two records with one session in one archive is gone
// on with, and warns of the other. Both stay.
func (s *syncer) twinRecord(ctx context.Context, o *home, r *archive.Record, known *index.Session) error {
	if known.Archive != o.Dir() || known.Record == r.ID {
		return nil
	}
	other, err := o.load(known.Record)
	if err != nil || other.Session != r.Session {
		return nil
	}
	o.unsure = append(o.unsure, r.Session)
	loser, winner := other, r
	if archive.Prefer(other, r) == other {
		loser, winner = r, other
	}
	return s.w.AddWarning(ctx, lookback.Warning{
		Kind: lookback.DuplicateSession, File: o.path(loser.ID), Count: 1, Detail: "the same session as " + winner.ID + ".json",
	})
}

// putAgain puts a session whose log was read with what its archives hold now.
func (s *syncer) putAgain(ctx context.Context, known *index.Session, entries []lookback.Entry) error {
	for i := range entries {
		entries[i].Key = ""
	}
	stamp, err := s.db.Stamp(ctx, known.Source)
	if err != nil {
		return err
	}
	return s.put(ctx, update{
		log: lookback.Log{Session: known.Session, Entries: entries}, from: len(entries) + 1,
		source: known.Source, gone: known.Gone, claimed: claimOf(stamp),
	})
}

// putArchived puts a session as the best of its records has it.
func (s *syncer) putArchived(ctx context.Context, id lookback.SessionID, known *index.Session) error {
	held, err := s.held(ctx, id, "", known)
	if err != nil || held.forgotten {
		return err
	}
	best, at := held.best()
	if best == nil {
		return nil
	}
	entries, docs := archivedDocs(best)
	row := index.Session{Session: lookback.Session{ID: id}}
	if known != nil {
		row = *known
	}
	row.Name, row.Named = best.Name, true
	row.Archive, row.Record, row.Entries, row.Pending = at, best.ID, len(entries), 0
	if row.Source == "" { // a moved workspace takes its sessions along
		row.Cwd = s.homes.at(at).root
	}
	span(&row, best.Nodes)
	s.report.Sessions++
	s.done[id] = true
	return s.w.Put(ctx, index.Update{Session: row, Homes: held.roots, Entries: entries, From: 1, Docs: docs})
}

// lostRecord drops a record that is not there. A session whose log is known gets
// a new one; one that exists nowhere else is gone.
func (s *syncer) lostRecord(ctx context.Context, o *home, id string, had index.RecordState) error {
	if err := s.w.DropRecord(ctx, o.Dir(), id); err != nil {
		return err
	}
	if err := s.unwarn(ctx, o.path(id)); err != nil {
		return err
	}
	known, err := s.db.SessionByRow(ctx, had.Session)
	if err == nil && known != nil {
		known, err = s.w.SessionByID(ctx, known.ID) // as it is now: its record may have moved
	}
	if err != nil || known == nil {
		return err
	}
	// A record that was never written is not one that somebody removed.
	if known.Source != "" && (!known.Gone || had.Stamp == "") {
		entries, err := s.entries(ctx, known)
		if err != nil {
			return err
		}
		return s.putAgain(ctx, known, entries)
	}
	held, err := s.held(ctx, known.ID, "", known)
	if err != nil {
		return err
	}
	if best, _ := held.best(); best == nil {
		return s.w.Remove(ctx, known.ID)
	}
	return s.putArchived(ctx, known.ID, known)
}

// covers reports whether entries make every exchange of r.
func covers(entries []lookback.Entry, r *archive.Record) bool {
	f := lookback.Exchanges(entries)
	have := map[string]bool{}
	for _, n := range lookback.BuildTree("", "", entries, &f) {
		have[withoutArchive(n.ID)] = true
	}
	return !slices.ContainsFunc(r.Nodes, func(n lookback.Node) bool {
		return n.Kind == lookback.KindExchange && !have[withoutArchive(n.ID)]
	})
}
