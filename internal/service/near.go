package service

import (
	"context"
	"os"
	"path/filepath"

	"lookback"
	"lookback/internal/ingest"
)

// SyncWorkspace brings up to date only what belongs to the workspace in dir: its
// places and its archive. It costs no more on a machine with many sessions. It
// waits for another writer until the context ends.
func (s *Service) SyncWorkspace(ctx context.Context, dir string) error {
	for _, name := range namesOf(dir) {
		if err := s.syncNear(ctx, ingest.Near{Root: name}); err != nil {
			return err
		}
	}
	return nil
}

// SyncConversation is SyncWorkspace for the log of one conversation.
func (s *Service) SyncConversation(ctx context.Context, c *Conversation) error {
	file := c.File
	sess, err := s.db.SessionByID(ctx, c.Session.ID)
	if err != nil {
		return err
	}
	// The index may know the same file by another path.
	if sess != nil && sess.Source != file && sameFile(sess.Source, file) {
		file = sess.Source
	}
	return s.syncNear(ctx, ingest.Near{File: file})
}

func sameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

func (s *Service) syncNear(ctx context.Context, near ingest.Near) error {
	if s.c.NoSync {
		return nil
	}
	_, err := s.sync(ctx, ingest.Options{Wait: true, Near: &near})
	return err
}

// WorkspaceScope is the scope of a workspace that a person named at launch: the
// directory itself, never one above it. Where the directory is known under two
// names, through links, the one with more sessions is meant, since agents log
// either.
func (s *Service) WorkspaceScope(ctx context.Context, dir string) (lookback.Scope, error) {
	names := namesOf(dir)
	best, most := lookback.InWorkspace(names[0]), -1
	for _, name := range names {
		if len(names) == 1 {
			break
		}
		scope := lookback.InWorkspace(name)
		list, err := s.Sessions(ctx, ListRequest{Scope: scope, Limit: 1})
		if err != nil {
			return best, err
		}
		if list.Total > most {
			best, most = scope, list.Total
		}
	}
	return best, nil
}

// namesOf gives the names of a directory in logs: as it is given, and without the
// links that it leads through.
func namesOf(dir string) []string {
	names := []string{filepath.Clean(dir)}
	if real, err := filepath.EvalSymlinks(dir); err == nil && real != names[0] {
		names = append(names, real)
	}
	return names
}
