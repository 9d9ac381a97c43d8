package pi

import (
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

// giveBack keeps the feed for the next Read, but not the memory of a huge text.
func (s *Source) giveBack(d *feed) {
	if cap(d.parser.tmp) > bufSize {
		d.parser.tmp = nil
	}
	s.feeds.Put(d)
}
