package ingest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"lookback"
	"lookback/internal/index"
)

// readPlaces reads every place of the plan, one ahead of the one being put, so
// that reading and indexing overlap.
func (s *syncer) readPlaces(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	read := make(chan reading, 1)
	defer func() { // nothing is read any more once a sync has ended
		cancel()
		for range read {
		}
	}()
	go func() {
		defer close(read)
		for _, j := range s.plan.jobs {
			r := s.read(ctx, j)
			select {
			case read <- r:
			case <-ctx.Done():
				return
			}
		}
	}()
	n := 0
	for r := range read {
		n++
		if err := s.take(ctx, r); err != nil {
			return err
		}
		s.progress(r, n)
	}
	return ctx.Err()
}

// reading is a place as read, with the entries known before.
type reading struct {
	job
	batch  lookback.Batch
	known  *index.Session // the session this place gave last time
	prior  []lookback.Entry
	cursor []byte
	err    error
}

// rescue makes a panic the fault of the file that set it off. Nothing else may
// suffer from it: neither the other files nor the process.
func rescue(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("its reader failed: %v", p)
	}
}

// read resumes where the last read of the place stopped.
func (s *syncer) read(ctx context.Context, j job) (r reading) {
	defer rescue(&r.err)
	r.job = j
	if j.prior != 0 {
		if r.known, r.err = s.db.SessionByRow(ctx, j.prior); r.err != nil {
			return r
		}
	}
	// Only the file that the session was read from has its entries.
	if r.known != nil && r.known.Source == j.place.Path && !s.o.Rescan {
		if r.cursor, r.err = s.db.Cursor(ctx, j.place.Path); r.err == nil {
			r.prior, r.err = s.db.Log(ctx, j.prior)
		}
		if r.err != nil {
			return r
		}
	}
	r.batch, r.err = j.src.Read(ctx, j.place, r.cursor, r.prior)
	if errors.Is(r.err, fs.ErrNotExist) {
		r.batch, r.err = lookback.Batch{None: true}, nil // gone since it was listed
		r.place.Stamp = ""
	}
	return r
}

// again reads the place from its start.
func (r *reading) again(ctx context.Context) {
	defer rescue(&r.err)
	r.prior = nil
	r.batch, r.err = r.src.Read(ctx, r.place, nil, nil)
}

// take puts one place into the archive and the index.
func (s *syncer) take(ctx context.Context, r reading) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if r.err == nil && !r.batch.Fresh && !r.batch.None && s.done[r.batch.Log.Session.ID] {
		// Another file of the same session was put while this one was read: what
		// was read before it may be a mixture of both.
		r.again(ctx)
	}
	if r.err != nil {
		return s.unreadable(ctx, r)
	}
	if r.place.Stamp == "" {
		if r.job.prior != 0 {
			s.plan.gone = append(s.plan.gone, r.place.Path)
		}
		return nil
	}
	s.report.Read++
	s.bytes += r.place.Size
	s.report.Bytes = s.bytes
	if r.superseded() {
		if err := s.w.MarkGone(ctx, []string{r.place.Path}); err != nil {
			return err
		}
	}
	file := index.File{Path: r.place.Path, Stamp: keptStamp(r.place, r.batch.Again), Cursor: r.batch.Cursor}
	if r.batch.None {
		return s.w.SetFile(ctx, file, 0, r.batch.Log.Warnings)
	}
	log := r.batch.Log
	from := 1
	if !r.batch.Fresh && len(log.Entries) > 0 {
		from = log.Entries[0].Seq
	} else if !r.batch.Fresh {
		from = len(r.prior) + 1
	}
	if from > 1 {
		log.Entries = append(r.prior[:from-1:from-1], log.Entries...)
	}
	var err error
	if log.Session.Parent, err = s.parent(ctx, log.Session.Parent); err != nil {
		return err
	}
	u := update{log: log, from: from, file: &file, source: r.place.Path, claimed: r.place.Workspace}
	if lost, err := s.beaten(ctx, &u); err != nil || lost {
		return err
	}
	s.done[log.Session.ID] = true
	return s.put(ctx, u)
}

// unreadable notes a file that could not be read.
func (s *syncer) unreadable(ctx context.Context, r reading) error {
	if ctx.Err() != nil {
		return r.err
	}
	warning := lookback.Warning{Kind: lookback.Unreadable, File: r.place.Path, Count: 1, Detail: plain(r.err)}
	s.warn(warning)
	file := index.File{Path: r.place.Path, Stamp: unread, Cursor: r.cursor}
	return s.w.SetFile(ctx, file, r.job.prior, []lookback.Warning{warning})
}

// superseded reports whether the file no longer holds the session that it gave
// last time. Like that of a file that vanished, the session stays.
func (r *reading) superseded() bool {
	return r.known != nil && r.known.Source == r.place.Path && (r.batch.None || r.batch.Log.Session.ID != r.known.ID)
}

// plain is an error without the path that the warning names already.
func plain(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return fmt.Sprintf("cannot %s: %v", pe.Op, pe.Err)
	}
	return err.Error()
}

func (s *syncer) progress(r reading, n int) {
	if s.o.Progress == nil {
		return
	}
	s.o.Progress(Progress{
		Done: n, Files: len(s.plan.jobs), Bytes: s.bytes, Total: s.total,
		Entries: s.report.Entries, Session: r.batch.Log.Session.Name, Place: r.place.Path,
	})
}
