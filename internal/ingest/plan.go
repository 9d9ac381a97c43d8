package ingest

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"sort"
	"strconv"
	"strings"
	"syscall"
	"time"

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
		s.planPlaces(src, places, files)
	}
	s.oldestFirst()
	s.findGone(files)
	return s.findFolders(ctx)
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

// until adds to a stamp the time from which the place must be read again although
// it did not change: what is only cut short now counts as broken then.
func until(stamp string, t time.Time) string {
	if t.IsZero() {
		return stamp
	}
	return stamp + againMark + strconv.FormatInt(t.Unix(), 10)
}

const againMark = " again "

// Unchanged reports whether a place with the stamp now needs no reading: it is
// as the index had it, and the time to look again has not come.
func Unchanged(had, now string, t time.Time) bool {
	stamp, again, ok := strings.Cut(had, againMark)
	if stamp != now || stamp == "" {
		return false
	}
	if !ok {
		return true
	}
	sec, err := strconv.ParseInt(again, 10, 64)
	return err == nil && t.Unix() < sec
}
