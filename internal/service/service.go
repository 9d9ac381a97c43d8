// Package service holds the verbs of the product: sync, search, read, browse,
// list, check, forget. Every surface takes a *Service and nothing below it, so
// they all show the same things under the same limits.
//
// What is found comes from the index; what is read comes from the native log, or
// from the archive when the log is gone. No verb here calls a model.
package service

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"lookback"
	"lookback/internal/index"
	"lookback/internal/ingest"
)

// Config says where things are. All paths are absolute.
type Config struct {
	Index   string           // the index database
	Archive string           // the user's archive directory; "" keeps none
	Sources []Source         // readers of native logs
	Legacy  []string         // older user-level archive directories, imported into workspace archives
	NoSync  bool             // answer from the index as it is
	Now     func() time.Time // the clock; nil for time.Now
}

// Source reads the logs of one agent and can go back to single records.
type Source interface {
	ingest.Source
	// Stat tells what a file looks like now, without opening it. The error wraps
	// fs.ErrNotExist when it is gone.
	Stat(path string) (lookback.Place, error)
	// Fill sets the words of entries that an earlier Read found in the file, and
	// reads nothing but their records. It fails when they are not there any more.
	Fill(path string, entries []lookback.Entry) error
}

// Service answers for one index and the archives and logs behind it. It may be
// used by several goroutines at once.
type Service struct {
	c  Config
	db *index.DB
}

// These are the index's types under the service's name: surfaces use them and
// never the index.
type (
	Session = index.Session
	Hit     = index.Hit
	Results = index.Results
	Mark    = index.Mark
	Score   = index.Score
	// TermScore says how often a hit holds one term, and what that counts.
	TermScore = index.TermScore
	Report    = ingest.Report
	// Progress says how far a sync has come.
	Progress = ingest.Progress
)

// ErrBusy means that another process is writing the index. Reading still works.
var ErrBusy = index.ErrBusy

// ErrRebuilt means that the index was found damaged and is empty now. Only a
// service that may not sync gives it.
var ErrRebuilt = index.ErrRebuilt

// ErrCursor means that a cursor is not one of this search or list.
var ErrCursor = index.ErrCursor

// ErrNotFound is the base of errors about refs that name nothing in scope. It is
// the same whether the thing exists elsewhere or nowhere.
var ErrNotFound = errors.New("not found")

// Open opens the index, making it when there is none.
func Open(ctx context.Context, c Config) (*Service, error) {
	if c.Now == nil {
		c.Now = time.Now
	}
	db, err := index.Open(ctx, c.Index, index.Options{})
	if err != nil {
		return nil, fmt.Errorf("open index %s: %w", c.Index, err)
	}
	return &Service{c: c, db: db}, nil
}

// Close releases the index.
func (s *Service) Close() error { return s.db.Close() }

// Notice tells what happened when the index was opened that a person should
// know once: it was rebuilt, or it cannot be written. "" for nothing.
func (s *Service) Notice() string { return s.db.Notice() }

// Agents names the agents whose logs are read.
func (s *Service) Agents() []string {
	var names []string
	for _, src := range s.c.Sources {
		names = append(names, src.Agent())
	}
	return names
}

// Warnings are those kept of files as they were last read.
func (s *Service) Warnings(ctx context.Context) ([]lookback.Warning, error) {
	return s.db.Warnings(ctx)
}

// Now is the service's clock.
func (s *Service) Now() time.Time { return s.c.Now() }

// SyncOptions says how thorough a sync is.
type SyncOptions struct {
	Workspaces []string       // roots whose archives are looked at besides those of known sessions
	Rescan     bool           // read everything again
	Wait       bool           // wait for another writer instead of returning ErrBusy
	Progress   func(Progress) // nil for none
}

// Sync brings index and archives up to date with the native logs. It calls no
// model. It can be stopped at any point and goes on from there the next time.
func (s *Service) Sync(ctx context.Context, o SyncOptions) (Report, error) {
	return s.sync(ctx, ingest.Options{Workspaces: o.Workspaces, Rescan: o.Rescan, Wait: o.Wait, Progress: o.Progress})
}

// sync is Sync with all options. An index that turns out to be damaged is built
// again; Notice tells of it, and everything is still on disk.
func (s *Service) sync(ctx context.Context, o ingest.Options) (Report, error) {
	for _, src := range s.c.Sources {
		o.Sources = append(o.Sources, src)
	}
	o.User, o.Legacy = s.c.Archive, s.c.Legacy
	report, err := ingest.Sync(ctx, s.db, o)
	if errors.Is(err, index.ErrRebuilt) {
		report, err = ingest.Sync(ctx, s.db, o)
	}
	return report, err
}

// Refresh is the sync before an answer: it does not wait for another writer, and
// what keeps it from finishing is a note and no failure.
func (s *Service) Refresh(ctx context.Context, o SyncOptions) (notes []string, report Report, err error) {
	if s.c.NoSync {
		return nil, Report{}, nil
	}
	report, err = s.Sync(ctx, o)
	switch {
	case errors.Is(err, index.ErrBusy):
		return []string{"another process is syncing; newer entries may not be found yet"}, report, nil
	case errors.Is(err, index.ErrReadOnly):
		return []string{"the index cannot be written; newer entries may not be found"}, report, nil
	case err != nil && ctx.Err() != nil:
		return nil, report, ctx.Err()
	}
	return nil, report, err
}

// Workspace finds the root that dir belongs to: the deepest directory at or
// above it that has an archive or that sessions ran in, else dir itself. When dir
// leads through links, agents may have logged where they lead to.
func (s *Service) Workspace(ctx context.Context, dir string) (string, error) {
	names := []string{dir}
	if real, err := filepath.EvalSymlinks(dir); err == nil && real != dir {
		names = append(names, real)
	}
	for _, name := range names {
		for at, above := name, ""; at != above; at, above = filepath.Dir(at), at {
			if ingest.HasArchive(at) {
				return at, nil
			}
			if known, err := s.db.HasDir(ctx, at); err != nil || known {
				return at, err
			}
		}
	}
	return dir, nil
}

// Request asks for a page of hits, see the fields.
type Request struct {
	Scope  lookback.Scope
	Query  lookback.Query
	Limit  int    // 1…1000; 0 means 20
	Cursor string // Next of the page before
	Offset int
	Newest bool          // order by time, not by rank
	Terse  bool          // leave out the words between tool calls: only what nodes show
	Typing bool          // the last word is still being typed: it may be the beginning or a piece of one
	Budget time.Duration // time limit, after which what was found so far is returned with a note; 0 means 2 s
}

// Search finds exchanges, summaries and entries. It never calls a model. An index
// that turns out to be damaged is built again first.
func (s *Service) Search(ctx context.Context, r Request) (Results, error) {
	if r.Limit == 0 {
		r.Limit = 20
	}
	in := index.Request{
		Scope: r.Scope, Query: r.Query, Limit: r.Limit, Cursor: r.Cursor, Offset: r.Offset,
		Newest: r.Newest, Terse: r.Terse, Typing: r.Typing, Budget: r.Budget,
	}
	found, err := s.db.Search(ctx, in)
	if errors.Is(err, index.ErrRebuilt) && !s.c.NoSync {
		if _, err = s.Sync(ctx, SyncOptions{Wait: true}); err == nil {
			found, err = s.db.Search(ctx, in)
		}
	}
	return found, err
}
