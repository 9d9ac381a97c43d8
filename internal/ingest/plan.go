package ingest

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"sort"
	"syscall"

	"lookback"
	"lookback/internal/index"
)

// plan is what a sync has to do, found without opening any session file.
type plan struct {
	jobs    []job           // places that changed, oldest first
	gone    []string        // native files that vanished
	folders []folder        // archives whose listing changed
	known   map[string]bool // places that exist now, by path
}

// job is one place to read.
type job struct {
	src   Source
	place lookback.Place
	prior int64 // row of the session it gave last time, 0 for none
}

func (p *plan) empty() bool { return len(p.jobs) == 0 && len(p.gone) == 0 && len(p.folders) == 0 }

func (s *syncer) makePlan(ctx context.Context) error {
	files, err := s.db.Files(ctx)
	if err != nil {
		return err
	}
	s.plan.known = make(map[string]bool, len(files))
	for _, src := range s.o.Sources {
		places, warnings := src.Places(ctx)
		s.report.Warnings = append(s.report.Warnings, warnings...)
		for _, p := range places {
			if s.o.Only != nil && !s.o.Only(p) || s.plan.known[p.Path] {
				continue
			}
			s.plan.known[p.Path] = true
			s.report.Places++
			had, ok := files[p.Path]
			if ok && had.Stamp == p.Stamp && !s.o.Rescan {
				continue
			}
			s.plan.jobs = append(s.plan.jobs, job{src: src, place: p, prior: had.Session})
			s.total += p.Size
		}
	}
	// Rows of the index descend from newest to oldest only if sessions enter it in
	// the order they were last written to.
	sort.SliceStable(s.plan.jobs, func(i, j int) bool {
		return s.plan.jobs[i].place.Changed.Before(s.plan.jobs[j].place.Changed)
	})
	s.findGone(files)
	return s.findFolders(ctx)
}

// findGone notes the files that the index knows and that no longer exist. One
// that merely was not listed this time, because the walk was narrower or a
// folder could not be read, is left alone.
func (s *syncer) findGone(files map[string]index.FileState) {
	for path, had := range files {
		if s.plan.known[path] || had.Gone {
			continue
		}
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
			s.plan.gone = append(s.plan.gone, path)
		}
	}
	sort.Strings(s.plan.gone)
}
