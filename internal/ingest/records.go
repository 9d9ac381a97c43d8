package ingest

import (
	"context"
	"slices"

	"lookback/internal/archive"
	"lookback/internal/index"
)

// findFolders looks for archives that changed: the user's, those of workspaces
// named by the caller, and those at or above any directory that sessions ran in.
func (s *syncer) findFolders(ctx context.Context) error {
	dirs, err := s.db.Dirs(ctx)
	if err != nil {
		return err
	}
	held, err := s.db.RecordFolders(ctx)
	if err != nil {
		return err
	}
	look := map[string]bool{s.o.User: true}
	for _, d := range append(dirs, s.o.Workspaces...) {
		look[s.homes.dir(d)] = true
	}
	for dir := range held {
		look[dir] = true
	}
	delete(look, "")
	for dir := range look {
		s.findFolder(dir, held[dir])
	}
	slices.Sort(s.plan.folders)
	return nil
}

// findFolder plans to read an archive if it is not as the index had it.
func (s *syncer) findFolder(dir, noted string) {
	o := s.homes.at(dir)
	o.noted, o.seen = noted, noted
	if stamp := o.stamp(); stamp != noted || s.o.Rescan && stamp != "" {
		s.plan.folders = append(s.plan.folders, dir)
	}
}

// readRecords takes over what changed in the archives by other hands: records
// that were copied in or continued by another program, and ones that vanished.
func (s *syncer) readRecords(ctx context.Context) error {
	// What was saved and put must be seen by look-ups.
	if err := s.flush(ctx); err != nil {
		return err
	}
	if err := s.w.Commit(ctx); err != nil {
		return err
	}
	clear(s.done)
	for _, dir := range s.plan.folders {
		if err := s.readFolder(ctx, s.homes.at(dir)); err != nil {
			return err
		}
	}
	return nil
}

// welcome makes a workspace's archive that is new to the index known before any
// session of its is put, so that each goes on with the record and the summaries it
// has, wherever the workspace stands now.
func (s *syncer) welcome(ctx context.Context, o *home) error {
	if o.welcome || o.root == "" || s.o.Near != nil && s.o.Near.File != "" {
		return nil
	}
	o.welcome = true
	planned := slices.Contains(s.plan.folders, o.Dir())
	if !planned && (o.noted != "" || o.stamp() == "") {
		return nil
	}
	if !planned {
		s.plan.folders = append(s.plan.folders, o.Dir())
	}
	if err := s.adopt(ctx, o); err != nil || o.noted != "" {
		return err
	}
	for id := range o.sessions() {
		s.found[id] = append(s.found[id], o.Dir())
	}
	return nil
}

// adopt takes over what an older program kept for this workspace in the user's
// directory.
func (s *syncer) adopt(ctx context.Context, o *home) error {
	for _, old := range s.o.Legacy {
		from := archive.Open(old)
		for _, name := range append(s.homes.names[o.root], o.root) {
			if !HasArchive(o.root) || !from.Exists() {
				continue
			}
			rep, err := o.Import(ctx, from, name)
			if err != nil {
				s.warnArchive(o.Dir(), err)
			}
			s.report.Warnings = append(s.report.Warnings, rep.Warnings...)
		}
	}
	return ctx.Err()
}

func (s *syncer) readFolder(ctx context.Context, o *home) error {
	had, err := s.db.Records(ctx, o.Dir())
	if err != nil {
		return err
	}
	if o.noted == unsaved && len(had) > 0 { // records are owed: see whether they can be written now
		if err := s.lock(ctx, o); err != nil {
			return err
		}
	}
	seen := o.stamp()
	list, warnings, err := o.List()
	if err != nil {
		s.fail(o, err)
		return nil
	}
	if o.fault == nil {
		o.seen = seen
	}
	s.report.Warnings = append(s.report.Warnings, warnings...)
	if err := s.readListing(ctx, o, list, had); err != nil {
		o.seen = unsaved
		return err
	}
	return nil
}

// readListing compares the records of an archive with what the index had.
func (s *syncer) readListing(ctx context.Context, o *home, list []archive.Stamp, had map[string]index.RecordState) error {
	for _, item := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		stamp := recordStamp(item.Size, item.ModTime.UnixNano())
		old, known := had[item.ID]
		delete(had, item.ID)
		if known && (old.Stamp == stamp || old.Stamp == "" && o.fault != nil) {
			continue
		}
		if err := s.takeRecord(ctx, o, item.ID, old.Session); err != nil {
			return err
		}
	}
	for id, r := range had { // the record is gone, or was never written
		if r.Stamp == "" && o.fault != nil {
			continue // still owed
		}
		if err := s.lostRecord(ctx, o, id, r); err != nil {
			return err
		}
	}
	return nil
}
