package index

import (
	"strconv"
	"strings"

	"github.com/ncruces/go-sqlite3"
)

// maxHolding bounds how many documents are counted for a want's weight. Beyond it
// the share of the index that the newest ones cover tells the rest.
const maxHolding = 256

// measure finds the statistics that scores follow from. They are counted from what
// was collected where that is all that holds the wants, or where the tier decides.
func (s *search) measure(a *ask, more bool) (*stats, error) {
	t := &stats{holding: make([]float64, len(a.wants))}
	if !s.page.later {
		if err := s.size(); err != nil {
			return nil, err
		}
	}
	t.docs, t.sessions = float64(s.page.Docs), float64(s.page.Sessions)
	for f, n := range s.page.Average {
		t.average[f] = float64(n)
	}
	if len(a.wants) == 1 || !more && len(a.all) == 0 || a.lax || s.late || len(s.found.found) < 2 {
		for w := range a.wants {
			t.holding[w] = float64(s.holders(w))
		}
		return t, nil
	}
	if len(s.held) != len(a.wants) {
		if err := s.countHeld(a); err != nil {
			return nil, err
		}
	}
	for w, n := range s.held {
		t.holding[w] = float64(n)
	}
	return t, nil
}

// countHeld counts, up to maxHolding, how many documents hold each want.
func (s *search) countHeld(a *ask) (err error) {
	s.held = make([]int, len(a.wants))
	for w := range a.wants {
		if s.held[w], err = s.count(&ask{wants: a.wants, some: []int{w}, set: a.set}, maxHolding); err != nil {
			return err
		}
	}
	return nil
}

// holders counts the candidates that hold a want.
func (s *search) holders(want int) (n int) {
	for i := range s.found.found {
		if s.found.held(&s.found.found[i], want) {
			n++
		}
	}
	return n
}

// size says how much lies inside the scope, and how long texts are. Filters make
// no difference to it.
func (s *search) size() error {
	x := &s.page.scale
	for f := range fields {
		x.Average[f] = float32(s.found.total[f]) / float32(max(s.found.rows, 1))
	}
	x.Docs = uint32(s.found.rows)
	if s.b.conversation() {
		n := 0
		for _, c := range s.b.chain {
			n += c.upTo
		}
		x.Docs, x.Sessions = uint32(n), 1
		return nil
	}
	if s.b.dirs == nil {
		n, err := s.c.fact("sessions")
		x.Sessions = uint32(n)
		return err
	}
	list := make([]string, len(s.b.dirs))
	for i, id := range s.b.dirs {
		list[i] = strconv.FormatInt(id, 10)
	}
	return s.c.query("SELECT count(*), sum(exchanges) FROM session WHERE dir IN ("+strings.Join(list, ",")+")", func(st *sqlite3.Stmt) error {
		x.Sessions, x.Docs = uint32(st.ColumnInt(0)), min(x.Docs, uint32(st.ColumnInt(1)))
		return nil
	})
}
