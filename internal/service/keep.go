package service

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"lookback"
	"lookback/internal/archive"
	"lookback/internal/ingest"
)

// archiveAt opens an archive: the user's, or that of the workspace it lies in.
func archiveAt(dir, user string) *archive.Archive {
	if dir == user {
		return archive.Open(dir)
	}
	return archive.InWorkspace(ingest.WorkspaceOf(dir))
}

// archiveHere makes the workspace's archive from what the user's archive and the
// logs hold of it. Records move by copy: the user's stay. When root leads through
// links, agents may have logged either name.
func (s *Service) archiveHere(ctx context.Context, root string) (ArchiveReport, error) {
	var scopes []lookback.Scope
	for _, name := range namesOf(root) {
		scopes = append(scopes, lookback.InWorkspace(name))
	}
	out, err := s.fill(ctx, archive.InWorkspace(root), scopes...)
	if err != nil {
		return out, err
	}
	_, err = s.Sync(ctx, SyncOptions{Workspaces: []string{root}, Wait: true})
	return out, err
}

// fill makes the archive a, if it is not there, and saves the records of all
// sessions in any of the scopes in it.
func (s *Service) fill(ctx context.Context, a *archive.Archive, scopes ...lookback.Scope) (ArchiveReport, error) {
	out := ArchiveReport{Dir: a.Dir()}
	w, err := a.Lock(ctx)
	if err != nil {
		return out, err
	}
	err = s.eachSession(ctx, scopes, func(sess Session) error {
		r, err := s.record(ctx, sess)
		problem := func(err error) error {
			out.Problems = append(out.Problems, fmt.Sprintf("%s: %v", lookback.SessionRef(sess.ID), err))
			return nil
		}
		if err != nil {
			return problem(err)
		}
		if len(r.Nodes) == 0 {
			return nil
		}
		wrote, err := w.Save(r)
		switch {
		case errors.Is(err, archive.ErrForgotten):
		case errors.Is(err, archive.ErrDamaged):
			return problem(err)
		case err != nil:
			return err
		case wrote:
			out.Written++
		default:
			out.Same++
		}
		return nil
	})
	return out, errors.Join(err, w.Close())
}

// eachSession calls do once for each session in any of the scopes.
func (s *Service) eachSession(ctx context.Context, scopes []lookback.Scope, do func(Session) error) error {
	seen := map[lookback.SessionID]bool{}
	for _, scope := range scopes {
		for cursor, more := "", true; more; {
			page, err := s.Sessions(ctx, ListRequest{Scope: scope, Limit: 1000, Cursor: cursor})
			if err != nil {
				return err
			}
			for _, sess := range page.Sessions {
				if err := ctx.Err(); err != nil {
					return err
				}
				if seen[sess.ID] {
					continue
				}
				seen[sess.ID] = true
				if err := do(sess); err != nil {
					return err
				}
			}
			cursor, more = page.Next, page.Next != ""
		}
	}
	return nil
}

func (s *Service) archiveList(ctx context.Context, detail bool) ([]ArchiveInfo, error) {
	folders, err := s.db.RecordFolders(ctx)
	if err != nil {
		return nil, err
	}
	dirs := withUser(slices.Sorted(maps.Keys(folders)), s.c.Archive)
	var out []ArchiveInfo
	for _, dir := range dirs {
		a := archiveAt(dir, s.c.Archive)
		info := ArchiveInfo{Dir: dir}
		if dir != s.c.Archive {
			info.Workspace = ingest.WorkspaceOf(dir)
		}
		list, _, err := a.List()
		if err != nil {
			return nil, fmt.Errorf("list archive %s: %w", dir, err)
		}
		info.Records = len(list)
		if detail {
			if info.Sessions, err = s.archivedSessions(ctx, a); err != nil {
				return nil, err
			}
		}
		out = append(out, info)
	}
	return out, nil
}

func (s *Service) archivedSessions(ctx context.Context, a *archive.Archive) ([]ArchivedSession, error) {
	var out []ArchivedSession
	for r := range a.All() {
		if r == nil {
			continue // a warning of List or of the next sync
		}
		all, ready := r.Summaries()
		one := ArchivedSession{Ref: lookback.SessionRef(r.Session), Record: r.ID, Name: r.Name, Summaries: ready, Pending: all - ready}
		for i := range r.Nodes {
			if r.Nodes[i].Kind == lookback.KindExchange {
				one.Exchanges++
			}
		}
		known, err := s.db.SessionByID(ctx, r.Session)
		if err != nil {
			return nil, err
		}
		one.Alone = known == nil || known.Source == "" || known.Gone
		out = append(out, one)
	}
	return out, nil
}

func (s *Service) archiveVerify(ctx context.Context, dir string) ([]ArchiveReport, error) {
	dirs := []string{dir}
	if dir == "" {
		infos, err := s.archiveList(ctx, false)
		if err != nil {
			return nil, err
		}
		dirs = nil
		for _, info := range infos {
			if info.Records > 0 {
				dirs = append(dirs, info.Dir)
			}
		}
	}
	var out []ArchiveReport
	for _, d := range dirs {
		a := archive.Open(d)
		r := ArchiveReport{Dir: d}
		problems, err := a.Verify()
		if err != nil {
			return out, fmt.Errorf("verify archive %s: %w", d, err)
		}
		for _, p := range problems {
			r.Problems = append(r.Problems, filepath.Join(d, p.File)+": "+p.Detail)
		}
		list, _, err := a.List()
		if err != nil {
			return out, err
		}
		r.Same = len(list)
		out = append(out, r)
	}
	return out, ctx.Err()
}

// archiveDir accepts an archive directory or the workspace it belongs to.
func archiveDir(path string) string {
	if ingest.HasArchive(path) {
		return archive.InWorkspace(path).Dir()
	}
	return path
}

func (s *Service) archiveImport(ctx context.Context, from, root string) (ArchiveReport, error) {
	from = archiveDir(from)
	if info, err := os.Stat(from); err != nil || !info.IsDir() {
		return ArchiveReport{}, fmt.Errorf("import %s: not an archive directory", from)
	}
	if root != "" { // a workspace without an archive gets none from an import
		root = ingest.RootOf(root)
	}
	dst := archive.InWorkspace(root)
	if root == "" {
		if s.c.Archive == "" {
			return ArchiveReport{}, errors.New("import: there is no user archive; name a workspace")
		}
		dst = archive.Open(s.c.Archive)
	}
	out, err := copyArchive(ctx, dst, archive.Open(from))
	if err != nil {
		return out, err
	}
	var known []string
	if root != "" {
		known = []string{root}
	}
	_, err = s.Sync(ctx, SyncOptions{Workspaces: known, Wait: true})
	return out, err
}

func copyArchive(ctx context.Context, dst, src *archive.Archive) (ArchiveReport, error) {
	rep, err := archive.Copy(ctx, dst, src)
	return ArchiveReport{Dir: dst.Dir(), Written: rep.Written, Same: rep.Same, Warnings: rep.Warnings}, err
}

func (s *Service) archiveExport(ctx context.Context, scope lookback.Scope, to string) (ArchiveReport, error) {
	return s.fill(ctx, archive.Open(to), scope)
}
