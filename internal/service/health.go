package service

import (
	"context"
	"fmt"
	"os"

	"lookback"
	"lookback/internal/archive"
	"lookback/internal/ingest"
)

// longLog is a size of the index's write-ahead log, in bytes, that it does not
// reach while nobody holds it.
const longLog = 128 << 20

func (s *Service) check(ctx context.Context, deep bool) (Health, error) {
	st, err := s.db.Stats(ctx)
	if err != nil {
		return Health{}, err
	}
	h := Health{
		Index: s.c.Index, IndexBytes: st.Bytes, IndexNotice: s.db.Notice(), Synced: st.Synced, Archive: s.c.Archive,
		Sessions: st.Sessions, Entries: st.Entries, Exchanges: st.Exchanges, Summaries: st.Summaries, Pending: st.Pending,
		ArchiveOnly: st.ArchiveOnly, Kinds: map[string]int{}, Problems: []string{},
	}
	if info, err := os.Stat(s.db.Path() + "-wal"); err == nil && info.Size() > longLog {
		h.Problems = append(h.Problems, fmt.Sprintf(
			"the index's write-ahead log holds %d MB: a process that has been reading for long keeps it from being cut", info.Size()>>20))
	}
	if err := s.checkAgents(ctx, &h); err != nil {
		return h, err
	}
	if err := s.checkArchives(ctx, &h); err != nil {
		return h, err
	}
	kept, err := s.db.Warnings(ctx)
	if err != nil {
		return h, err
	}
	h.Warnings = append(h.Warnings, kept...)
	for _, w := range h.Warnings {
		h.Kinds[string(w.Kind)]++
	}
	if deep {
		problems, err := s.db.Check(ctx)
		if err != nil {
			return h, err
		}
		h.Problems = append(h.Problems, problems...)
	}
	return h, nil
}

// checkAgents compares what lies on disk with what was read.
func (s *Service) checkAgents(ctx context.Context, h *Health) error {
	files, err := s.db.Files(ctx)
	if err != nil {
		return err
	}
	dirs, err := s.db.Dirs(ctx)
	if err != nil {
		return err
	}
	for _, src := range s.c.Sources {
		places, warnings := src.Places(ctx, dirs...)
		h.Warnings = append(h.Warnings, warnings...)
		a := AgentHealth{Agent: src.Agent(), Places: len(places)}
		for _, p := range places {
			if had, ok := files[p.Path]; !ok || !ingest.Unchanged(had.Stamp, p.Stamp, s.c.Now()) {
				a.Stale++
			}
		}
		list, err := s.Sessions(ctx, ListRequest{Scope: lookback.Everything(), Filters: lookback.Filters{Agent: a.Agent}, Limit: 1})
		if err != nil {
			return err
		}
		a.Sessions = list.Total
		h.Agents = append(h.Agents, a)
	}
	return nil
}

func (s *Service) checkArchives(ctx context.Context, h *Health) error {
	infos, err := s.archiveList(ctx, false)
	if err != nil {
		return err
	}
	for _, info := range infos {
		h.Archives = append(h.Archives, ArchiveHealth{Dir: info.Dir, Records: info.Records})
		_, warnings, err := archive.Open(info.Dir).List()
		if err != nil {
			h.Problems = append(h.Problems, fmt.Sprintf("archive %s: %v", info.Dir, err))
		}
		h.Warnings = append(h.Warnings, warnings...)
	}
	return nil
}

// forget removes a session everywhere we keep it. The tombstones come first: a
// crash in between leaves nothing that a sync would bring back.
func (s *Service) forget(ctx context.Context, r lookback.Ref, dry bool) (Forgotten, error) {
	sess, err := s.resolve(ctx, lookback.Everything(), r.Session)
	if err != nil {
		return Forgotten{}, err
	}
	f := Forgotten{Session: sess, Ref: lookback.SessionRef(sess.ID).String(), Name: sess.Name, Exchanges: sess.Exchanges, Source: sess.Source}
	if record, err := s.record(ctx, sess); err == nil {
		_, f.Summaries = record.Summaries()
	}
	dirs, err := s.db.RecordDirs(ctx, sess.Row)
	if err != nil {
		return f, err
	}
	f.Archives = dirs
	if dry {
		return f, nil
	}
	// The user's archive remembers it too, also where it never held the record, so
	// that a workspace archive can be deleted without the session coming back.
	for _, dir := range withUser(dirs, s.c.Archive) {
		if _, err := archiveAt(dir, s.c.Archive).Forget(ctx, sess.ID); err != nil {
			return f, fmt.Errorf("forget %s in archive %s: %w", f.Ref, dir, err)
		}
	}
	w, err := s.db.Writer(ctx, true)
	if err != nil {
		return f, err
	}
	defer w.Close()
	if err := w.Forget(ctx, sess.ID); err != nil {
		return f, err
	}
	f.Done = true
	return f, nil
}

func withUser(dirs []string, user string) []string {
	for _, d := range dirs {
		if d == user {
			return dirs
		}
	}
	if user == "" {
		return dirs
	}
	return append(dirs, user)
}
