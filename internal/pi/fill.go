package pi

import (
	"errors"
	"fmt"

	"lookback"
)

// ErrChanged means that a file no longer holds a record at the place where it
// stood: the file was rewritten since.
var ErrChanged = errors.New("pi: the session file was rewritten")

// Fill reads the records of the given entries again from the file at path and sets
// in each what its record says: Role, Message, Injected, Parts, Calls, Stop, Reply
// and Cut. ID, Offset and Size say where to look and what must stand there; they,
// Seq, Parent, Key and Time stay, since they follow from the whole log. So does the
// Keep of a Cut in version 1. It reads nothing but those records.
//
// An entry whose record is not there any more ends it with ErrChanged.
func (s *Source) Fill(path string, entries []lookback.Entry) error {
	if len(entries) == 0 {
		return nil
	}
	f, _, err := openFile(path)
	if err != nil {
		return err
	}
	defer f.Close()
	d := s.feeds.Get().(*feed)
	defer s.giveBack(d)
	r := newRun(f, d, path, nil)
	for i := range entries {
		if err := r.refill(&entries[i]); err != nil {
			return err
		}
	}
	return nil
}

// refill parses the record that takes exactly the bytes of the entry.
func (r *run) refill(e *lookback.Entry) error {
	if e.Offset < 0 || e.Size <= 0 {
		return ErrChanged
	}
	d, rec := r.feed, &r.p.rec
	d.reset(r.f, e.Offset, e.Offset+int64(e.Size))
	first, ok := d.next()
	r.p.line(first)
	if d.long {
		r.p.src = d
	}
	ok = ok && r.p.record()
	if d.err != nil {
		return fmt.Errorf("pi: %w", d.err)
	}
	if !ok || rec.from != 0 || rec.to != int64(e.Size) || rec.hasID && string(rec.id) != e.ID || !rec.hasID && e.ID != v1ID(e.Seq) {
		return ErrChanged
	}
	fresh := lookback.Entry{
		Seq: e.Seq, ID: e.ID, Key: e.Key, Parent: e.Parent, Author: e.Author, Time: e.Time, Offset: e.Offset, Size: e.Size,
	}
	r.fill(&fresh)
	if fresh.Cut != nil && e.Cut != nil && rec.keepIndex >= 0 {
		fresh.Cut.Keep = e.Cut.Keep
	}
	*e = fresh
	return nil
}
