package ingest

import (
	"context"
	"maps"
	"path/filepath"
	"slices"

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

// makeNearPlan is makePlan for a sync that is limited. Of the archives it looks at
// the workspace's own; the user's, which may be large, is left to the full sync.
func (s *syncer) makeNearPlan(ctx context.Context) error {
	s.plan.known = map[string]bool{}
	held, err := s.db.RecordFolders(ctx)
	if err != nil {
		return err
	}
	for dir, noted := range held { // to tell what is written here from what others changed
		o := s.homes.at(dir)
		o.noted, o.seen = noted, noted
	}
	if s.o.Near.File != "" {
		return s.planFile(ctx, s.o.Near.File)
	}
	for _, src := range s.o.Sources {
		if err := s.planNear(ctx, src); err != nil {
			return err
		}
	}
	s.oldestFirst()
	if dir := s.homes.dir(s.o.Near.Root); dir != "" && dir != s.homes.user {
		s.findFolder(dir, held[dir])
	}
	return nil
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
		p.Workspace = claimOf(had[path].Stamp)
		s.planPlaces(src, []lookback.Place{p}, had)
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
		if err == nil {
			s.planPlaces(src, places, all)
		}
		return err
	}
	folders := map[string]bool{}
	for path := range mine {
		folders[filepath.Dir(path)] = true
	}
	others := others{ctx: ctx, db: s.db, mine: mine, files: map[string]index.FileState{}, loaded: map[string]bool{}}
	places, warnings := near.Near(ctx, s.o.Near.Root, slices.Sorted(maps.Keys(folders)), others.wanted)
	s.report.Warnings = append(s.report.Warnings, warnings...)
	if others.err != nil {
		return others.err
	}
	for i := range places {
		p := &places[i]
		if state, ok := others.files[p.Path]; ok {
			mine[p.Path] = state
		}
		if p.Workspace == "" { // only a full walk sees the claims of other workspaces
			p.Workspace = claimOf(mine[p.Path].Stamp)
		}
	}
	s.planPlaces(src, places, mine)
	s.findGone(mine)
	return nil
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

// wanted tells whether a file needs a look.
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
