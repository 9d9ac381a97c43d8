package ingest

import (
	"context"
	"os"
	"path/filepath"
	"strconv"

	"lookback"
	"lookback/internal/archive"
	"lookback/internal/index"
)

// folder is an archive whose listing changed since it was last looked at.
type folder struct {
	dir   string
	stamp string
}

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
	var look []string
	seen := map[string]bool{"": true}
	add := func(dir string) {
		if !seen[dir] {
			seen[dir] = true
			look = append(look, dir)
		}
	}
	add(s.o.User)
	for _, d := range append(dirs, s.o.Workspaces...) {
		add(s.homes.dir(d))
	}
	for dir := range held {
		add(dir)
	}
	for _, dir := range look {
		stamp := folderStamp(s.homes.at(dir))
		if stamp != held[dir] || s.o.Rescan && stamp != "" {
			s.plan.folders = append(s.plan.folders, folder{dir, stamp})
		}
	}
	return nil
}

// folderStamp tells whether records were added, replaced or removed: "" when
// there is no directory.
func folderStamp(h *home) string {
	t := h.Changed()
	if t.IsZero() {
		return ""
	}
	return strconv.FormatInt(t.UnixNano(), 36)
}

func recordStamp(size, mtime int64) string {
	return strconv.FormatInt(size, 36) + "." + strconv.FormatInt(mtime, 36)
}

// readRecords takes over what changed in the archives by other hands: records
// that were copied in or continued by another program, and ones that vanished.
func (s *syncer) readRecords(ctx context.Context) error {
	if err := s.flushHomes(ctx); err != nil { // gives the locks back too
		return err
	}
	for _, f := range s.plan.folders {
		if err := s.adopt(ctx, f.dir); err != nil {
			return err
		}
	}
	for _, f := range s.plan.folders {
		if err := s.readFolder(ctx, f.dir); err != nil {
			return err
		}
	}
	if err := s.flushHomes(ctx); err != nil {
		return err
	}
	for dir := range s.homes.open {
		if s.unread[dir] {
			continue
		}
		if err := s.w.SetFolder(ctx, dir, folderStamp(s.homes.at(dir))); err != nil {
			return err
		}
	}
	return nil
}

// adopt takes over what an older program kept for this workspace in the user's
// directory.
func (s *syncer) adopt(ctx context.Context, dir string) error {
	h := s.homes.at(dir)
	if h.root == "" || !h.Exists() {
		return nil
	}
	for _, old := range s.o.Legacy {
		if from := archive.Open(old); from.Exists() {
			if _, err := h.Import(ctx, from, h.root); err != nil {
				s.warnArchive(dir, err)
			}
		}
	}
	return ctx.Err()
}

func (s *syncer) warnArchive(dir string, err error) {
	s.warn(lookback.Warning{Kind: lookback.BadArchive, File: dir, Count: 1, Detail: plain(err)})
}

// flushHomes makes saved records visible and remembers how they look, so that
// the next sync tells them from ones that others wrote.
func (s *syncer) flushHomes(ctx context.Context) error {
	if err := s.homes.flush(); err != nil {
		s.warnArchive(s.homes.user, err)
	}
	for dir, h := range s.homes.open {
		for _, r := range h.saved {
			info, err := os.Stat(filepath.Join(dir, r.id+".json"))
			if err != nil {
				continue
			}
			if err := s.w.PutRecord(ctx, dir, r.id, recordStamp(info.Size(), info.ModTime().UnixNano()), r.session); err != nil {
				return err
			}
		}
		h.saved = nil
	}
	return nil
}

func (s *syncer) readFolder(ctx context.Context, dir string) error {
	h := s.homes.at(dir)
	had, err := s.db.Records(ctx, dir)
	if err != nil {
		return err
	}
	list, warnings, err := h.List()
	if err != nil {
		s.warnArchive(dir, err)
		return nil
	}
	s.report.Warnings = append(s.report.Warnings, warnings...)
	for _, item := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		stamp := recordStamp(item.Size, item.ModTime.UnixNano())
		old, known := had[item.ID]
		delete(had, item.ID)
		if known && old.Stamp == stamp {
			continue
		}
		if err := s.takeRecord(ctx, h, item.ID, stamp); err != nil {
			return err
		}
	}
	for id, r := range had { // the record is gone
		if err := s.lostRecord(ctx, dir, id, r); err != nil {
			return err
		}
	}
	return nil
}

// takeRecord puts a record that another hand wrote into the index.
func (s *syncer) takeRecord(ctx context.Context, h *home, id, stamp string) error {
	r, err := h.Load(id)
	if err != nil {
		s.warn(lookback.Warning{Kind: lookback.BadArchive, File: filepath.Join(h.Dir(), id+".json"), Count: 1, Detail: plain(err)})
		return nil
	}
	if err := s.w.PutRecord(ctx, h.Dir(), id, stamp, r.Session); err != nil {
		return err
	}
	if r.Untidy() { // an older program wrote fields that must not stay
		if _, err := h.save(ctx, r); err != nil {
			s.warnArchive(h.Dir(), err)
		}
	}
	known, err := s.w.SessionByID(ctx, r.Session)
	if err != nil {
		return err
	}
	if known != nil && known.Source != "" {
		return s.putAgain(ctx, known)
	}
	return s.putArchived(ctx, h, r, known)
}

// putAgain puts a session whose log is known with what its archives hold now.
func (s *syncer) putAgain(ctx context.Context, known *index.Session) error {
	entries, err := s.db.Log(ctx, known.Row)
	if err != nil {
		return err
	}
	for i := range entries {
		entries[i].Key = ""
	}
	return s.put(ctx, update{log: lookback.Log{Session: known.Session, Entries: entries}, from: len(entries) + 1, source: known.Source, gone: known.Gone})
}

// putArchived puts a session that exists in the archive only.
func (s *syncer) putArchived(ctx context.Context, h *home, r *archive.Record, known *index.Session) error {
	if known != nil && known.Archive != "" && known.Archive != h.Dir() {
		held, err := s.homes.at(known.Archive).find(r.Session, known.Record)
		if err == nil && archive.Prefer(held, r) == held {
			return nil // the better copy is in the index already
		}
	}
	entries, docs := archivedDocs(r)
	row := index.Session{
		Session: lookback.Session{ID: r.Session, Name: r.Name, Named: true, Cwd: h.root},
		Archive: h.Dir(), Record: r.ID, Entries: len(entries),
	}
	span(&row, r.Nodes)
	var homes []string
	if h.root != "" {
		homes = []string{h.root}
	}
	s.report.Sessions++
	return s.w.Put(ctx, index.Update{Session: row, Homes: homes, Entries: entries, From: 1, Docs: docs})
}

// lostRecord drops a record that was removed. A session whose log is known gets
// a new one; one that existed nowhere else is gone.
func (s *syncer) lostRecord(ctx context.Context, dir, id string, r index.RecordState) error {
	if err := s.w.DropRecord(ctx, dir, id); err != nil {
		return err
	}
	known, err := s.db.SessionByRow(ctx, r.Session)
	if err != nil || known == nil {
		return err
	}
	if known.Source != "" {
		return s.putAgain(ctx, known)
	}
	if known.Archive == dir && known.Record == id {
		return s.w.Remove(ctx, known.ID)
	}
	return nil
}
