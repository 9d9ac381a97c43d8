package ingest

import (
	"context"

	"lookback"
)

// beaten settles which of two files that hold the same session is the session:
// the one whose records contain the other's, else the one with more. It reports
// whether the file in u lost; then only its stamp is kept. The loser gets a
// warning, whatever the order they were read in.
func (s *syncer) beaten(ctx context.Context, r reading, u *update) (bool, error) {
	known, err := s.w.SessionByID(ctx, u.log.Session.ID)
	if err != nil || known == nil || known.Source == "" || known.Source == u.source || !s.exists(known.Source) {
		return false, err
	}
	other, err := r.src.Read(ctx, lookback.Place{Path: known.Source}, nil, nil)
	if err != nil || other.None || other.Log.Session.ID != u.log.Session.ID {
		return false, ctx.Err() // what the index knew has become something else
	}
	warning := lookback.Warning{Kind: lookback.DuplicateSession, Count: 1}
	if wins(u.log.Entries, other.Log.Entries, u.source < known.Source) {
		warning.File, warning.Detail = known.Source, "the same session as "+u.source
		u.from = 1
		return false, s.w.AddWarning(ctx, warning)
	}
	warning.File, warning.Detail = u.source, "the same session as "+known.Source
	return true, s.w.SetFile(ctx, *u.file, known.Row, append(u.log.Warnings, warning))
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
