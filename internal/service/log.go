package service

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"lookback"
	"lookback/internal/archive"
	"lookback/internal/ingest"
)

// Origin says where a text was read from.
type Origin string

// Origins, in the order they are tried.
const (
	FromLog     Origin = "log"
	FromArchive Origin = "archive"
)

// sessionLog gives the entries of one session. All of them are there without
// words; words are read when asked for, so that a large log opens at once.
type sessionLog struct {
	session Session
	entries []lookback.Entry
	origin  Origin
	fill    func([]lookback.Entry) error // nil when the entries have their words
}

// words returns the entries with the given Seqs and their words.
func (l *sessionLog) words(seqs []int) ([]lookback.Entry, error) {
	out := make([]lookback.Entry, len(seqs))
	for i, seq := range seqs {
		out[i] = l.entries[seq-1]
	}
	if l.fill == nil {
		return out, nil
	}
	return out, l.fill(out)
}

// openLog opens a session's log: by the positions the index holds when the file
// is still what was read, else by reading the file, else from the archive.
func (s *Service) openLog(ctx context.Context, sess Session) (*sessionLog, error) {
	src := s.source(sess.ID.Agent)
	if src == nil || sess.Source == "" {
		return s.archived(ctx, sess)
	}
	place, err := src.Stat(sess.Source)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s.archived(ctx, sess)
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", sess.Source, err)
	}
	had, err := s.db.Stamp(ctx, sess.Source)
	if err != nil {
		return nil, err
	}
	if sess.Gone || !ingest.Unchanged(had, place.Stamp, time.Time{}) {
		return s.wholeLog(ctx, src, place, sess)
	}
	entries, err := s.db.Skeleton(ctx, sess.Row)
	if err != nil {
		return nil, err
	}
	return &sessionLog{session: sess, entries: entries, origin: FromLog, fill: func(e []lookback.Entry) error {
		return src.Fill(sess.Source, e)
	}}, nil
}

// wholeLog reads a file from start to end. One that holds the session no more is
// as good as gone.
func (s *Service) wholeLog(ctx context.Context, src Source, p lookback.Place, sess Session) (*sessionLog, error) {
	b, err := src.Read(ctx, p, nil, nil)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s.archived(ctx, sess)
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", p.Path, err)
	case b.None || b.Log.Session.ID != sess.ID:
		return s.archived(ctx, sess)
	}
	sess.Session = b.Log.Session
	entries := b.Log.Entries
	ingest.Age(entries, sess.Aged)
	return &sessionLog{session: sess, entries: entries, origin: FromLog}, nil
}

// archived makes a log of a session whose native log is gone. The words are those
// of the archive as the last sync took them over; the numbers are the index's, so
// that refs stay what they were when the log was there.
func (s *Service) archived(ctx context.Context, sess Session) (*sessionLog, error) {
	entries, err := s.db.Log(ctx, sess.Row)
	if err != nil {
		return nil, err
	}
	return &sessionLog{session: sess, entries: entries, origin: FromArchive}, nil
}

// numbered refuses the number of an entry where it would mean another entry than
// it did in the log: the index has made the entries from the archive.
func (l *sessionLog) numbered() error {
	if l.session.Source != "" {
		return nil
	}
	ref := lookback.SessionRef(l.session.ID)
	return fmt.Errorf("%w: the log of %s is gone and its archive has no entry numbers; read the session or a node (lookback tree %s)", ErrNotFound, ref, ref)
}

// record loads the session's archive record. Without one the tree is built from
// the entries, so that browsing works even where no archive can be written.
func (s *Service) record(ctx context.Context, sess Session) (*archive.Record, error) {
	if sess.Archive != "" {
		if r, err := archive.Open(sess.Archive).Load(sess.Record); err == nil && r.Session == sess.ID {
			return r, nil
		}
	}
	entries, err := s.db.Log(ctx, sess.Row)
	if err != nil {
		return nil, err
	}
	f := lookback.Exchanges(entries)
	return &archive.Record{ID: sess.Record, Session: sess.ID, Name: sess.Name,
		Nodes: lookback.BuildTree(sess.Record, sess.Name, entries, &f)}, nil
}

func (s *Service) source(agent string) Source {
	for _, src := range s.c.Sources {
		if src.Agent() == agent {
			return src
		}
	}
	return nil
}

// resolve finds the session of a ref within scope. The answer for what lies
// outside is the same as for what does not exist.
func (s *Service) resolve(ctx context.Context, scope lookback.Scope, id lookback.SessionID) (Session, error) {
	sess, err := s.db.SessionByID(ctx, id)
	if err != nil {
		return Session{}, err
	}
	if sess != nil {
		visible, err := s.db.Visible(ctx, scope, sess.Row)
		if err != nil {
			return Session{}, err
		}
		if visible {
			return *sess, nil
		}
	}
	return Session{}, fmt.Errorf("%w: no session %s in %s", ErrNotFound, lookback.SessionRef(id), scope)
}
