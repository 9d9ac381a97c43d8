// Package ingest brings the index and the archives up to date with what agents
// wrote. It walks every source, reads only what changed from where it left off,
// finds the exchanges and the tree, saves the session's archive record and puts
// entries, docs and cursor into the index in one transaction.
//
// It never writes to a native log, never calls a model, and can be stopped at any
// point: the next run goes on from the last commit. What a vanished or rewritten
// source once held stays in the archive.
package ingest

import (
	"context"
	"errors"
	"slices"
	"time"

	"lookback"
	"lookback/internal/index"
)

// Source reads the logs of one agent. It opens nothing for writing.
type Source interface {
	// Agent is the name that session ids and refs carry.
	Agent() string
	// Places lists everything that may hold a session, with what stat said. A
	// folder that cannot be read is a warning; one that does not exist is nothing.
	// Settings in the workspaces may name further folders.
	Places(ctx context.Context, workspaces ...string) ([]lookback.Place, []lookback.Warning)
	// Read reads a place. With a cursor from an earlier Batch and the session's
	// entries read so far it returns only what follows, else everything.
	Read(ctx context.Context, p lookback.Place, cursor []byte, prior []lookback.Entry) (lookback.Batch, error)
}

// Options says what to bring up to date.
type Options struct {
	Sources    []Source
	User       string         // directory of the user's archive; "" keeps none
	Workspaces []string       // roots whose archives are looked at besides those of known sessions
	Legacy     []string       // older user-level archive directories to import from
	Rescan     bool           // read everything again
	Wait       bool           // wait for another writer instead of giving up with index.ErrBusy
	Progress   func(Progress) // called now and then; nil for none
	Near       *Near          // limits the sync; nil for everything
}

// Progress says how far a sync has come.
type Progress struct {
	Done, Files    int   // places read, and to read
	Bytes, Total   int64 // of those places
	Entries        int
	Session, Place string // what is being read: hostile text, escape it
}

// Report says what a sync did.
type Report struct {
	Places   int                `json:"places"`   // looked at
	Read     int                `json:"read"`     // places read
	Sessions int                `json:"sessions"` // put into the index
	Entries  int                `json:"entries"`  // new ones
	Records  int                `json:"records"`  // of archives, saved
	Gone     int                `json:"gone"`     // sources that vanished since the last sync
	Bytes    int64              `json:"bytes"`
	Warnings []lookback.Warning `json:"warnings"` // of this walk and of every file as last read
	Took     time.Duration      `json:"-"`
}

// Unreadable reports whether a source could not be read at all.
func (r *Report) Unreadable() bool {
	for _, w := range r.Warnings {
		if w.Kind == lookback.Unreadable || w.Kind == lookback.BadArchive {
			return true
		}
	}
	return false
}

// Sync brings the index and the archives up to date. When nothing changed it
// opens no file and takes no lock. Errors are those of the index; index.ErrBusy
// means that another process is at it and nothing was done here.
func Sync(ctx context.Context, db *index.DB, o Options) (Report, error) {
	began := time.Now()
	s := newSyncer(db, o)
	err := s.run(ctx)
	s.report.Took = time.Since(began)
	return s.report, err
}

type syncer struct {
	db     *index.DB
	o      Options
	w      *index.Writer
	homes  *homes
	plan   plan
	report Report
	began  time.Time
	bytes  int64
	total  int64
	done   map[lookback.SessionID]bool     // sessions put by this sync
	found  map[lookback.SessionID][]string // archives that hold a session as this sync has seen
	names  map[string]string               // files by their names, see parent
}

func newSyncer(db *index.DB, o Options) *syncer {
	return &syncer{
		db: db, o: o, homes: newHomes(o.User), began: time.Now(),
		done: map[lookback.SessionID]bool{}, found: map[lookback.SessionID][]string{},
	}
}

func (s *syncer) run(ctx context.Context) error {
	if err := s.makePlan(ctx); err != nil {
		return err
	}
	if s.plan.empty() {
		return s.collectWarnings(ctx)
	}
	w, err := s.db.Writer(ctx, false)
	if errors.Is(err, index.ErrBusy) && s.o.Wait {
		if w, err = s.db.Writer(ctx, true); err == nil {
			// Whoever held the lock has done most of the plan by now.
			*s = *newSyncer(s.db, s.o)
			if err = s.makePlan(ctx); err != nil {
				w.Close()
			}
		}
	}
	if err != nil {
		return err
	}
	s.w = w
	defer w.Close()
	err = s.bring(ctx)
	// What was put so far is sound, so it is kept whatever stopped the run.
	keep := context.WithoutCancel(ctx)
	if serr := s.settle(keep); err == nil {
		err = serr
	}
	if cerr := w.Commit(keep); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	return s.collectWarnings(ctx)
}

// bring carries out the plan.
func (s *syncer) bring(ctx context.Context) error {
	for _, dir := range s.plan.folders {
		if err := s.welcome(ctx, s.homes.at(dir)); err != nil {
			return err
		}
	}
	if err := s.readPlaces(ctx); err != nil {
		return err
	}
	if err := s.w.MarkGone(ctx, s.plan.gone); err != nil {
		return err
	}
	s.report.Gone = len(s.plan.gone)
	if err := s.readRecords(ctx); err != nil || s.o.Near != nil {
		return err
	}
	return s.w.Synced(ctx, s.began)
}

// collectWarnings adds what earlier reads said about files that are still there.
func (s *syncer) collectWarnings(ctx context.Context) error {
	if s.o.Near != nil {
		return nil // nobody who asks for one workspace shows those of all
	}
	kept, err := s.db.Warnings(ctx)
	if err != nil {
		return err
	}
	said := s.report.Warnings
	for _, w := range kept {
		if !slices.Contains(said, w) {
			s.report.Warnings = append(s.report.Warnings, w)
		}
	}
	return nil
}

// warn notes a fault that concerns no single session.
func (s *syncer) warn(w lookback.Warning) { s.report.Warnings = append(s.report.Warnings, w) }
