package ingest

import (
	"context"
	"errors"
	"maps"
	"slices"

	"lookback"
	"lookback/internal/archive"
)

// unsaved stands in the index in the place of an archive's stamp from the first
// write of a sync until all of it is in place. A sync that was killed, or could
// not write, so leaves a mark that makes the next one look.
const unsaved = "unsaved"

// write writes a record. The index is told first that one is owed, with a stamp
// that no file has: it must never hold a session whose record nobody will write.
// What keeps an archive from being written is one warning; the index still serves.
func (s *syncer) write(ctx context.Context, o *home, r *archive.Record) error {
	if err := s.w.PutRecord(ctx, o.Dir(), r.ID, "", r.Session); err != nil {
		return err
	}
	if o.fault != nil {
		return nil
	}
	if err := s.lock(ctx, o); err != nil || o.fault != nil {
		return err
	}
	changed, err := o.w.Save(r)
	switch {
	case err == nil:
		o.wrote(r)
		if changed {
			s.report.Records++
		}
	case errors.Is(err, archive.ErrForgotten): // a moment ago, by another process
	case errors.Is(err, archive.ErrDamaged):
		s.warnArchive(o.Dir(), err)
	default:
		s.fail(o, err)
	}
	return ctx.Err()
}

// lock takes the archive's lock, unless this sync has it or failed to get it.
func (s *syncer) lock(ctx context.Context, o *home) error {
	if o.w != nil || o.fault != nil {
		return nil
	}
	if err := s.w.SetFolder(ctx, o.Dir(), unsaved); err != nil {
		return err
	}
	o.noted = unsaved
	before := o.stamp()
	w, err := o.Lock(ctx)
	if err != nil {
		if ctx.Err() == nil {
			s.fail(o, err)
		}
		return ctx.Err()
	}
	o.w, o.held = w, o.names()
	if before != o.seen || before != "" && o.stamp() != before {
		o.seen = unsaved // others wrote since it was looked at
	}
	return nil
}

// fail gives an archive up for this sync.
func (s *syncer) fail(o *home, err error) {
	o.fault, o.seen = err, unsaved
	s.warnArchive(o.Dir(), err)
}

// flushRecords puts records in place and keeps the locks.
func (s *syncer) flushRecords() {
	for _, o := range s.homes.open {
		if o.w == nil || o.fault != nil {
			continue
		}
		if err := o.w.Flush(); err != nil {
			s.fail(o, err)
		}
	}
}

// flush puts records in place, notes how they look, so that the next sync tells
// them from ones that others wrote, and gives the locks back.
func (s *syncer) flush(ctx context.Context) error {
	var first error
	for _, dir := range slices.Sorted(maps.Keys(s.homes.open)) {
		if err := s.flushOne(ctx, s.homes.open[dir]); err != nil && first == nil {
			first = err
		}
	}
	return first
}

func (s *syncer) flushOne(ctx context.Context, o *home) error {
	saved := o.saved
	o.saved = nil
	if o.w != nil {
		defer func() {
			if err := o.w.Close(); err != nil && o.fault == nil {
				s.fail(o, err)
			}
			o.w = nil
		}()
		if err := o.w.Flush(); err != nil {
			s.fail(o, err)
		} else if o.seen != unsaved {
			if o.seen = o.stamp(); o.joined(saved) {
				o.seen = unsaved
			}
		}
	}
	for _, r := range saved {
		if r.stamp == "" && o.fault == nil {
			r.stamp = o.look(r.id)
		}
		if r.stamp == "" {
			continue // still owed
		}
		if err := s.w.PutRecord(ctx, o.Dir(), r.id, r.stamp, r.session); err != nil {
			return err
		}
	}
	return nil
}

// settle notes how far each archive is known.
func (s *syncer) settle(ctx context.Context) error {
	if err := s.flush(ctx); err != nil {
		return err
	}
	for _, dir := range slices.Sorted(maps.Keys(s.homes.open)) {
		o := s.homes.open[dir]
		if o.seen == o.noted {
			continue
		}
		if err := s.w.SetFolder(ctx, dir, o.seen); err != nil {
			return err
		}
	}
	return nil
}

func (s *syncer) warnArchive(dir string, err error) {
	s.warn(lookback.Warning{Kind: lookback.BadArchive, File: dir, Count: 1, Detail: plain(err)})
}
