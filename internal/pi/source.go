// Package pi reads the session files of the Pi coding agent, versions 1 to 3, as
// they lie on disk. It never writes and never asks Pi to open a file, since Pi's
// own loader rewrites what it opens.
//
// A Source lists the files (Places) and turns one into entries (Read). Reading is
// one pass by a strict JSON scanner that decodes only what becomes part of an
// entry: tool results, images, thinking and usage are checked and passed over,
// through a buffer of fixed size, whatever the length of the line. What the scanner
// refuses goes through the slower recovery of whole records from damaged lines.
//
// A cursor remembers where a read ended, so that the next one takes only what was
// appended, as long as nothing read before can have changed its meaning by it. Fill
// reads single records again from the places that entries remember.
package pi

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"lookback"
)

// Agent names the format in session ids.
const Agent = "pi"

// Source is the session files of Pi on this machine. It is safe for use by several
// goroutines.
type Source struct {
	dirs  Dirs
	feeds sync.Pool
	now   func() time.Time
}

// New returns the source of the session files in dirs.
func New(dirs Dirs) *Source {
	return &Source{dirs: dirs, feeds: sync.Pool{New: func() any { return new(feed) }}, now: time.Now}
}

// Agent returns "pi".
func (s *Source) Agent() string { return Agent }

// Stat tells what a file looks like now, without opening it. The error is
// fs.ErrNotExist when it is gone.
func (s *Source) Stat(path string) (lookback.Place, error) {
	st, _, err := statPath(path)
	if err != nil {
		return lookback.Place{}, fmt.Errorf("pi: %w", err)
	}
	return st.place(path), nil
}

// errStartOver means that what was appended changes what was read before.
var errStartOver = errors.New("pi: read from the start")

// Read reads the session file at place; of place only the path is used. With the
// cursor of an earlier batch, and the entries of the session as they were then, it
// reads only what was appended, if that is sure to give the same as reading
// everything. Of prior entries ID, Parent, Time, Offset and Size are used.
//
// Warnings are always those of the whole file. A file that is gone gives an error
// that is fs.ErrNotExist; only errors of the system are errors, faults in the file
// are warnings.
func (s *Source) Read(ctx context.Context, place lookback.Place, from []byte, prior []lookback.Entry) (lookback.Batch, error) {
	f, now, err := openFile(place.Path)
	if err != nil {
		return lookback.Batch{}, err
	}
	defer f.Close()
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
	d.reset(f, 0, now.Size)
	return r.read(ctx, s.now())
}

// giveBack keeps the feed for the next use, but not the memory of a huge text.
func (s *Source) giveBack(d *feed) {
	if cap(d.parser.tmp) > bufSize {
		d.parser.tmp = nil
	}
	s.feeds.Put(d)
}
