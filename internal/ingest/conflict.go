package ingest

import (
	"context"

	"lookback"
	"lookback/internal/index"
)

// beaten settles which of two files that hold the same session is the session:
// the one whose records contain the other's, else the one with more. It reports
// whether the file in u lost; then only its stamp is kept. The loser gets a
// warning, whatever the order they were read in.
//
// A file that has vanished still counts with what the index holds of it: a copy
// that lacks some of that does not take its place.
func (s *syncer) beaten(ctx context.Context, u *update) (bool, error) {
	known, err := s.w.SessionByID(ctx, u.log.Session.ID)
	if err != nil || known == nil || known.Source == "" || known.Source == u.source {
		return false, err
	}
	held, err := s.entries(ctx, known)
	if err != nil {
		return false, err
	}
	there := s.exists(known.Source)
	warning := lookback.Warning{Kind: lookback.DuplicateSession, Count: 1}
	if wins(u.log.Entries, held, !there || u.source < known.Source) {
		u.from = 1
		if !there {
			return false, nil
		}
		warning.File, warning.Detail = known.Source, "the same session as "+u.source
		return false, s.w.AddWarning(ctx, warning)
	}
	warning.File, warning.Detail = u.source, "the same session as "+known.Source
	return true, s.w.SetFile(ctx, *u.file, known.Row, append(u.log.Warnings, warning))
}

// entries are those that the index holds of a session, also when they were put a
// moment ago.
func (s *syncer) entries(ctx context.Context, known *index.Session) ([]lookback.Entry, error) {
	if s.done[known.ID] {
		if err := s.w.Commit(ctx); err != nil {
			return nil, err
		}
	}
	return s.db.Log(ctx, known.Row)
}

// wins reports whether a is the session and b the copy. tie decides when they
// hold equally much.
func wins(a, b []lookback.Entry, tie bool) bool {
	inA, inB := contains(a, b), contains(b, a)
	switch {
	case inA != inB:
		return inA
	case len(a) != len(b):
		return len(a) > len(b)
	}
	return tie
}

// contains reports whether every record of b is one of a.
func contains(a, b []lookback.Entry) bool {
	ids := make(map[string]bool, len(a))
	for i := range a {
		ids[a[i].ID] = true
	}
	for i := range b {
		if !ids[b[i].ID] {
			return false
		}
	}
	return true
}
