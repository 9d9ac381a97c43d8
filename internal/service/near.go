package service

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"lookback"
	"lookback/internal/index"
	"lookback/internal/ingest"
)

// SyncNear brings up to date only what one caller may see: a workspace's places
// and archive, or one session file. It costs no more on a machine with many
// sessions. It waits for another writer until the context ends.
func (s *Service) SyncNear(ctx context.Context, near ingest.Near) (notes []string, err error) {
	if s.c.NoSync {
		return nil, nil
	}
	sources := make([]ingest.Source, len(s.c.Sources))
	for i, src := range s.c.Sources {
		sources[i] = src
	}
	_, err = ingest.Sync(ctx, s.db, ingest.Options{Sources: sources, User: s.c.Archive, Legacy: s.c.Legacy, Wait: true, Near: &near})
	switch {
	case errors.Is(err, index.ErrReadOnly):
		return []string{"the index cannot be written; newer entries may not be found"}, nil
	case errors.Is(err, index.ErrRebuilt):
		return []string{"the index was damaged and is being built again; older sessions may not be found yet"}, nil
	}
	return nil, err
}

// Near says what SyncNear looks at.
type Near = ingest.Near

// SyncConversation brings the index up to date with the log of a conversation.
func (s *Service) SyncConversation(ctx context.Context, c *Conversation) (notes []string, err error) {
	file := c.File
	sess, err := s.db.SessionByID(ctx, c.Session.ID)
	if err != nil {
		return nil, err
	}
	// The index may know the same file by another path.
	if sess != nil && sess.Source != "" && sess.Source != file && sameFile(sess.Source, file) {
		file = sess.Source
	}
	return s.SyncNear(ctx, Near{File: file})
}

func sameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// WorkspaceScope is the scope of a workspace that a person named at launch: the
// directory itself, never one above it. Where the directory is known under two
// names, through links, the one with more sessions is meant, since agents log
// either.
func (s *Service) WorkspaceScope(ctx context.Context, dir string) (lookback.Scope, string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return lookback.Scope{}, "", err
	}
	names := []string{dir}
	if real, err := filepath.EvalSymlinks(dir); err == nil && real != dir {
		names = append(names, real)
	}
	best, most := dir, -1
	for _, name := range names {
		if len(names) == 1 {
			break
		}
		list, err := s.Sessions(ctx, ListRequest{Scope: lookback.InWorkspace(name), Limit: 1})
		if err != nil {
			return lookback.Scope{}, "", err
		}
		if list.Total > most {
			best, most = name, list.Total
		}
	}
	return lookback.InWorkspace(best), best, nil
}
