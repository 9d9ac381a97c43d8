package pi

import (
	"errors"
	"fmt"
	"io"

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
	f, err := openFile(path)
	if err != nil {
		return fmt.Errorf("pi: %w", err)
	}
	defer f.close()
	r := &run{p: new(parser)}
	for i := range entries {
		if err := r.refill(f, &entries[i]); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) refill(f io.ReaderAt, e *lookback.Entry) error {
	if err := r.reread(f, e.Offset, e.Size); err != nil {
		return err
	}
	rec := &r.p.rec
	if rec.hasID && string(rec.id) != e.ID || !rec.hasID && e.ID != v1ID(e.Seq) {
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

// reread parses the record that takes exactly these bytes.
func (r *run) reread(f io.ReaderAt, offset int64, size int) error {
	if offset < 0 || size <= 0 {
		return ErrChanged
	}
	sec := section{f: f, at: offset, end: offset + int64(size)}
	r.p.line(sec.chunk())
	r.p.src = &sec
	ok := r.p.record()
	switch {
	case sec.err != nil && sec.err != io.EOF:
		return fmt.Errorf("pi: %w", sec.err)
	case !ok || r.p.rec.from != 0 || r.p.rec.to != int64(size):
		return ErrChanged
	}
	return nil
}

// section hands out a part of a file in chunks.
type section struct {
	f       io.ReaderAt
	at, end int64
	buf     []byte
	err     error
}

func (s *section) chunk() []byte {
	n := int(min(s.end-s.at, bufSize))
	if n <= 0 || s.err != nil {
		return nil
	}
	if len(s.buf) < n {
		s.buf = make([]byte, n)
	}
	n, s.err = s.f.ReadAt(s.buf[:n], s.at)
	s.at += int64(n)
	return s.buf[:n]
}
