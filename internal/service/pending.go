package service

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"lookback"
	"lookback/internal/ingest"
)

// Waiting is a conversation in which a tool call waits for its result.
type Waiting struct{ File, Session, Entry string }

// Waiter is a Source that can tell which tool calls wait for a result.
type Waiter interface {
	// Pending hands each the calls that wait in the session file at path, with the
	// session's id and working directory and the id of the calling entry.
	Pending(path string, each func(session, cwd, entry, tool string, args []byte)) error
}

// pendingAge is how long ago a file may have been written to when a call in it is
// still waiting. What a killed process left behind is older.
const pendingAge = 15 * time.Minute

// Waiting finds the conversations of the sessions that run in exactly the given
// directory in which a call waits that match accepts.
func (s *Service) Waiting(ctx context.Context, dir string, match func(tool string, args []byte) bool) ([]Waiting, error) {
	names := namesOf(dir)
	var out []Waiting
	for _, src := range s.c.Sources {
		w, ok := src.(Waiter)
		if !ok {
			continue
		}
		for _, p := range s.recent(ctx, src, names) {
			// A file that cannot be read is nobody's conversation.
			_ = w.Pending(p.Path, func(session, cwd, entry, tool string, args []byte) {
				found := Waiting{p.Path, session, entry}
				if slices.Contains(names, cwd) && match(tool, args) && !slices.Contains(out, found) {
					out = append(out, found)
				}
			})
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
		}
	}
	return out, nil
}

// recent lists the places of a workspace that were written to lately.
func (s *Service) recent(ctx context.Context, src Source, names []string) (out []lookback.Place) {
	near, ok := src.(ingest.Nearby)
	if !ok {
		out, _ = src.Places(ctx)
		names = nil
	}
	for _, name := range names {
		folders := map[string]bool{}
		files, _ := s.db.FilesOf(ctx, name, src.Agent()) // without an index there are the usual folders
		for path := range files {
			folders[filepath.Dir(path)] = true
		}
		places, _ := near.Near(ctx, name, slices.Sorted(maps.Keys(folders)), func(string) bool { return true })
		out = append(out, places...)
	}
	return slices.DeleteFunc(out, func(p lookback.Place) bool { return time.Since(p.Changed) >= pendingAge })
}
