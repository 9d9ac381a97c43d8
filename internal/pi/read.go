package pi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"lookback"
)

// Read reads the session file at place; of place only the path is used. With the
// cursor of an earlier batch, and the entries of the session as they were then, it
// reads only what was appended, if that is sure to give the same as reading
// everything. Of prior entries ID, Parent, Time, Offset and Size are used.
//
// Warnings are always those of the whole file. A file that is gone gives an error
// that is fs.ErrNotExist; only errors of the system are errors, faults in the file
// are warnings.
func (s *Source) Read(ctx context.Context, place lookback.Place, from []byte, prior []lookback.Entry) (lookback.Batch, error) {
	f, err := openFile(place.Path)
	if err != nil {
		return lookback.Batch{}, fmt.Errorf("pi: %w", err)
	}
	defer f.close()
	now, typ, err := f.stat()
	if err == nil && typ < regular {
		err = &fs.PathError{Op: "read", Path: place.Path, Err: errors.New("not a regular file")}
	}
	if err != nil {
		return lookback.Batch{}, fmt.Errorf("pi: %w", err)
	}
	d := s.feeds.Get().(*feed)
	defer s.giveBack(d)
	if c := loadCursor(from); c.resumes(now, prior) {
		r := newRun(f, d, place.Path, prior[:c.Seq])
		r.cur = *c
		r.cur.Stamp = now
		r.provisional = len(prior) - c.Seq
		batch, err := r.resume(ctx, s.now())
		if !errors.Is(err, errStartOver) {
			return batch, err
		}
	}
	r := newRun(f, d, place.Path, nil)
	r.cur.Stamp = now
	if err := d.open(f, 0, now.Size); err != nil {
		return lookback.Batch{}, fmt.Errorf("pi: %w", err)
	}
	return r.read(ctx, s.now())
}

// errStartOver means that what was appended changes what was read before.
var errStartOver = errors.New("pi: read from the start")

// errNoSession ends the reading of a file that does not start with a header.
var errNoSession = errors.New("pi: no header")

// lineOf reads the current line of the feed.
func (r *run) lineOf(first []byte) error {
	r.cur.Line++
	d, p := r.feed, r.p
	p.line(first)
	if d.long {
		p.src = d
	}
	if d.start == 0 && len(first) >= 3 && string(first[:3]) == "\uFEFF" {
		p.pos = 3
	}
	p.peek()
	if p.pos == len(p.buf) {
		return nil // blank
	}
	start := p.at()
	if p.record() && p.peek() == 0 && p.pos == len(p.buf) {
		d.finish()
		return r.accept(0)
	}
	end := d.finish()
	if end-d.start > maxLine {
		r.cur.AfterBad = true
		r.warn(lookback.OversizeLine)
		return nil
	}
	line := first
	if d.long {
		line = make([]byte, end-d.start)
		if _, err := r.f.ReadAt(line, d.start); err != nil && err != io.EOF {
			return fmt.Errorf("pi: %w", err)
		}
	}
	r.shift = start
	err := r.damaged(line[start:], !d.lf)
	r.shift = 0
	return err
}
