package ingest

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sort"

	"lookback"
	"lookback/internal/index"
)

// Near limits a sync to what one caller may see, so that its cost does not grow
// with what others did. Exactly one field is set.
type Near struct {
	Root string // the places of the sessions of this workspace, and its archive
	File string // this session file and nothing else
}

// Nearby is a Source that can list the places of one workspace without looking at
// all others. One that is not lists everything.
type Nearby interface {
	// Near lists the places in the given folders and in those where new sessions of
	// the workspace at root would appear. It looks at a file only if want says so.
	Near(ctx context.Context, root string, folders []string, want func(path string) bool) ([]lookback.Place, []lookback.Warning)
}

// stater is a Source that can look at one file.
type stater interface {
	Stat(path string) (lookback.Place, error)
}

// makeNearPlan is makePlan for a sync that is limited.
func (s *syncer) makeNearPlan(ctx context.Context) error {
	s.plan.known = map[string]bool{}
	if s.o.Near.File != "" {
		return s.planFile(ctx, s.o.Near.File)
	}
	for _, src := range s.o.Sources {
		if err := s.planNear(ctx, src); err != nil {
			return err
		}
	}
	s.oldestFirst()
	sort.Strings(s.plan.gone)
	return s.findNearFolder(ctx)
}

// planFile plans to read one file, if it changed, by the reader that had it, or
// else the first that knows such files.
func (s *syncer) planFile(ctx context.Context, path string) error {
	had, err := s.db.FilesIn(ctx, filepath.Dir(path), filepath.Base(path))
	if err != nil {
		return err
	}
	for _, src := range s.o.Sources {
		look, ok := src.(stater)
		if !ok {
			continue
		}
		p, err := look.Stat(path)
		if err != nil {
			continue // unreadable or gone: whoever reads it will say so
		}
		if state, ok := had[path]; !ok || state.Stamp != p.Stamp {
			s.plan.jobs = append(s.plan.jobs, job{src: src, place: p, prior: had[path].Session})
		}
		s.plan.known[path] = true
		return nil
	}
	return nil
}

// planNear plans to read what changed of one source in the workspace.
func (s *syncer) planNear(ctx context.Context, src Source) error {
	mine, err := s.db.FilesOf(ctx, s.o.Near.Root, src.Agent())
	if err != nil {
		return err
	}
	near, ok := src.(Nearby)
	if !ok {
		places, warnings := src.Places(ctx)
		s.report.Warnings = append(s.report.Warnings, warnings...)
		all, err := s.db.Files(ctx)
		s.planPlaces(src, places, all)
		return err
	}
	folders := map[string]bool{}
	for path := range mine {
		folders[filepath.Dir(path)] = true
	}
	others := newOthers(ctx, s.db, mine)
	places, warnings := near.Near(ctx, s.o.Near.Root, slices.Sorted(maps.Keys(folders)), others.wanted)
	s.report.Warnings = append(s.report.Warnings, warnings...)
	if others.err != nil {
		return others.err
	}
	for _, p := range places {
		if state, ok := others.files[p.Path]; ok {
			mine[p.Path] = state
		}
	}
	s.planPlaces(src, places, mine)
	s.findGone(mine)
	return nil
}

// planPlaces adds the places that changed to the plan.
func (s *syncer) planPlaces(src Source, places []lookback.Place, files map[string]index.FileState) {
	for _, p := range places {
		if s.plan.known[p.Path] {
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

// others tells files of other workspaces' sessions, which need no look, from files
// of this one and from files that nobody has read yet.
type others struct {
	ctx    context.Context
	db     *index.DB
	mine   map[string]index.FileState
	files  map[string]index.FileState
	loaded map[string]bool
	err    error
}

func newOthers(ctx context.Context, db *index.DB, mine map[string]index.FileState) *others {
	return &others{ctx: ctx, db: db, mine: mine, files: map[string]index.FileState{}, loaded: map[string]bool{}}
}

func (o *others) wanted(path string) bool {
	if _, ok := o.mine[path]; ok {
		return true
	}
	dir := filepath.Dir(path)
	if !o.loaded[dir] && o.err == nil {
		o.loaded[dir] = true
		var here map[string]index.FileState
		here, o.err = o.db.FilesIn(o.ctx, dir, "")
		maps.Copy(o.files, here)
	}
	return o.files[path].Session == 0
}

// findNearFolder plans to read the workspace's own archive, if it changed. The
// user's archive, which may be large, is left to the full sync.
func (s *syncer) findNearFolder(ctx context.Context) error {
	held, err := s.db.RecordFolders(ctx)
	if err != nil {
		return err
	}
	if dir := s.homes.dir(s.o.Near.Root); dir != "" && dir != s.homes.user {
		if stamp := folderStamp(s.homes.at(dir)); stamp != held[dir] {
			s.plan.folders = append(s.plan.folders, folder{dir, stamp})
		}
	}
	// What others changed in an archive that is not read now must still be seen by
	// the next full sync, so only archives without such changes get a new stamp.
	s.unread = map[string]bool{}
	if s.homes.user != "" && folderStamp(s.homes.at(s.homes.user)) != held[s.homes.user] {
		s.unread[s.homes.user] = true
	}
	return nil
}

// exists reports whether a native file is there. A sync that is limited has not
// listed those of others.
func (s *syncer) exists(path string) bool {
	if s.o.Near == nil || s.plan.known[path] {
		return s.plan.known[path]
	}
	_, err := os.Stat(path)
	return err == nil
}
