package pi

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"lookback"
)

// ErrChanged means that a file no longer holds the record at the place where an
// entry says it is: it was rewritten since.
var ErrChanged = errors.New("pi: the session file was rewritten")

// Fill reads the records of the given entries again from the file at path and
// sets in each what its record says: Role, Message, Injected, Parts, Calls, Stop,
// Reply and Cut. ID, Offset and Size say where to look and what must stand there;
// they, Seq, Parent, Key and Time stay, since they follow from the whole log. For
// entries of version 1 a Cut keeps its Keep. It reads nothing but those records.
//
// An entry whose record is not there any more ends it with ErrChanged.
func (s *Source) Fill(path string, entries []lookback.Entry) error {
	if len(entries) == 0 {
		return nil
	}
	f, err := openFile(path)
	if err != nil {
		return fmt.Errorf("pi: %w", err)
	}
	defer f.close()
	r := &run{p: new(parser)}
	var buf []byte
	for i := range entries {
		e := &entries[i]
		if e.Size <= 0 || e.Size > maxLine || e.Offset < 0 {
			return ErrChanged
		}
		buf = slices.Grow(buf[:0], e.Size)[:e.Size]
		if _, err := f.ReadAt(buf, e.Offset); err == io.EOF {
			return ErrChanged
		} else if err != nil {
			return fmt.Errorf("pi: %w", err)
		}
		if !r.refill(e, buf) {
			return ErrChanged
		}
	}
	return nil
}

func (r *run) refill(e *lookback.Entry, b []byte) bool {
	r.p.line(b)
	if !r.p.record() || int(r.p.rec.to) != len(b) {
		return false
	}
	rec := &r.p.rec
	if rec.hasID && rec.id != e.ID || !rec.hasID && e.ID != v1ID(e.Seq) {
		return false
	}
	fresh := lookback.Entry{
		Seq: e.Seq, ID: e.ID, Key: e.Key, Parent: e.Parent, Author: e.Author, Time: e.Time, Offset: e.Offset, Size: e.Size,
	}
	r.fill(&fresh)
	if fresh.Cut != nil && e.Cut != nil && rec.keepIndex >= 0 {
		fresh.Cut.Keep = e.Cut.Keep
	}
	*e = fresh
	return true
}

// ReadEntry reads the one record at offset, size bytes long, as an entry. What
// follows from the rest of the log is missing: Seq, Parent, the ids of version 1,
// and a time that the record does not state itself.
func ReadEntry(path string, offset int64, size int) (lookback.Entry, error) {
	f, err := openFile(path)
	if err != nil {
		return lookback.Entry{}, fmt.Errorf("pi: %w", err)
	}
	defer f.close()
	if size <= 0 || size > maxLine || offset < 0 {
		return lookback.Entry{}, ErrChanged
	}
	b := make([]byte, size)
	if _, err := f.ReadAt(b, offset); err == io.EOF {
		return lookback.Entry{}, ErrChanged
	} else if err != nil {
		return lookback.Entry{}, fmt.Errorf("pi: %w", err)
	}
	r := &run{p: new(parser)}
	r.p.line(b)
	if !r.p.record() || len(bytes.TrimSpace(b[r.p.rec.to:])) > 0 {
		return lookback.Entry{}, ErrChanged
	}
	rec := &r.p.rec
	e := lookback.Entry{ID: rec.id, Offset: offset, Size: size, Time: rec.time.time()}
	if !rec.time.set {
		e.Time = rec.messageTime.time()
	}
	r.fill(&e)
	return e, nil
}
