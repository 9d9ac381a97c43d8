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
	folders []string        // archives whose listing changed
	known   map[string]bool // places that exist now, by path
	idle    []job           // places that did not change
}

// job is one place to read.
type job struct {
	src   Source
	place lookback.Place
	prior int64 // row of the session it gave last time, 0 for none
}

func (p *plan) empty() bool { return len(p.jobs) == 0 && len(p.gone) == 0 && len(p.folders) == 0 }

func (s *syncer) makePlan(ctx context.Context) error {
	if s.o.Near != nil {
		return s.makeNearPlan(ctx)
	}
	files, err := s.db.Files(ctx)
	if err != nil {
		return err
	}
	dirs, err := s.db.Dirs(ctx)
	if err != nil {
		return err
	}
	s.plan.known = make(map[string]bool, len(files))
	for _, src := range s.o.Sources {
		places, warnings := src.Places(ctx, append(dirs, s.o.Workspaces...)...)
		s.report.Warnings = append(s.report.Warnings, warnings...)
		s.planPlaces(src, places, files)
	}
	s.findGone(files)
	s.oldestFirst()
	return s.findFolders(ctx)
}

// planPlaces adds the places that changed to the plan.
func (s *syncer) planPlaces(src Source, places []lookback.Place, files map[string]index.FileState) {
	for _, p := range places {
		if s.plan.known[p.Path] {
			continue
		}
		s.plan.known[p.Path] = true
		s.report.Places++
		had := files[p.Path]
		j := job{src: src, place: p, prior: had.Session}
		if !s.o.Rescan && Unchanged(had.Stamp, p.Stamp, s.began) && claimOf(had.Stamp) == p.Workspace {
			s.plan.idle = append(s.plan.idle, j)
			continue
		}
		s.plan.jobs = append(s.plan.jobs, j)
		s.total += p.Size
	}
}

// oldestFirst sorts the jobs: rows of the index descend from newest to oldest only
// if sessions enter it in the order they were last written to.
func (s *syncer) oldestFirst() {
	sort.SliceStable(s.plan.jobs, func(i, j int) bool {
		return s.plan.jobs[i].place.Changed.Before(s.plan.jobs[j].place.Changed)
	})
}

// findGone notes the files that the index knows and that no longer exist. One
// that merely was not listed this time, because the walk was narrower or a
// folder could not be read, is left alone. Another file that was passed over as a
// copy of one that is gone is read again: it may be all that is left.
func (s *syncer) findGone(files map[string]index.FileState) {
	rows := map[int64]bool{}
	for path, had := range files {
		if s.plan.known[path] || had.Gone || s.exists(path) {
			continue
		}
		s.plan.gone = append(s.plan.gone, path)
		if had.Session != 0 {
			rows[had.Session] = true
		}
	}
	sort.Strings(s.plan.gone)
	for i := 0; i < len(s.plan.idle) && len(rows) > 0; i++ {
		if j := s.plan.idle[i]; rows[j.prior] {
			s.plan.jobs = append(s.plan.jobs, j)
			s.total += j.place.Size
		}
	}
}

// exists reports whether a native file is there, also one that was not listed.
func (s *syncer) exists(path string) bool {
	if s.plan.known[path] {
		return true
	}
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR)
}
