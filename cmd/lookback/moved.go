package main

import (
	"cmp"
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lookback"
	"lookback/internal/ingest"
	"lookback/internal/service"
)

// movedSource puts working directories that have moved since they were logged in
// their new place, so that their sessions belong to the workspace as it is now.
type movedSource struct {
	service.Source
	moves []move
	mark  string // ends every stamp, so that files are looked at again when the moves change
}

// move says that a directory, and what was below it, is elsewhere now.
type move struct{ from, to string }

// moved wraps a source when there are moves.
func moved(src service.Source, moves map[string]string) service.Source {
	if len(moves) == 0 {
		return src
	}
	m := &movedSource{Source: src, mark: "\nmoved"}
	for _, from := range slices.Sorted(maps.Keys(moves)) {
		m.moves = append(m.moves, move{filepath.Clean(from), filepath.Clean(moves[from])})
		m.mark += "\n" + from + "\n" + moves[from]
	}
	// The deepest directory that fits decides.
	slices.SortStableFunc(m.moves, func(a, b move) int { return cmp.Compare(len(b.from), len(a.from)) })
	return m
}

// Places lists what the source has, under stamps that know the moves.
func (m *movedSource) Places(ctx context.Context, workspaces ...string) ([]lookback.Place, []lookback.Warning) {
	places, warnings := m.Source.Places(ctx, workspaces...)
	for i := range places {
		places[i].Stamp += m.mark
	}
	return places, warnings
}

// Near lists the places of a workspace as it is now. Those of sessions that were
// logged elsewhere lie in folders that the index knows.
func (m *movedSource) Near(ctx context.Context, root string, folders []string, want func(string) bool) ([]lookback.Place, []lookback.Warning) {
	near, ok := m.Source.(ingest.Nearby)
	if !ok {
		return m.Places(ctx)
	}
	places, warnings := near.Near(ctx, root, folders, want)
	for i := range places {
		places[i].Stamp += m.mark
	}
	return places, warnings
}

// Pending hands on the tool calls that wait in a session file.
func (m *movedSource) Pending(path string, each func(session, cwd, entry, tool string, args []byte)) error {
	w, ok := m.Source.(service.Waiter)
	if !ok {
		return nil
	}
	return w.Pending(path, func(session, cwd, entry, tool string, args []byte) { each(session, m.now(cwd), entry, tool, args) })
}

// Read reads a place and moves the session's working directory.
func (m *movedSource) Read(ctx context.Context, p lookback.Place, cursor []byte, prior []lookback.Entry) (lookback.Batch, error) {
	p.Stamp = strings.TrimSuffix(p.Stamp, m.mark)
	b, err := m.Source.Read(ctx, p, cursor, prior)
	b.Log.Session.Cwd = m.now(b.Log.Session.Cwd)
	return b, err
}

// Stat tells what a file looks like now.
func (m *movedSource) Stat(path string) (lookback.Place, error) {
	p, err := m.Source.Stat(path)
	p.Stamp += m.mark
	return p, err
}

// now is where a logged directory is now.
func (m *movedSource) now(cwd string) string {
	for _, v := range m.moves {
		if rest, ok := strings.CutPrefix(cwd, v.from); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
			return v.to + rest
		}
	}
	return cwd
}
