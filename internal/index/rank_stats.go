package index

import (
	"strconv"
	"strings"

	"github.com/ncruces/go-sqlite3"
)

// maxHolding bounds how many documents are counted for a want's weight. Beyond it
// the share of the index that the newest ones cover tells the rest.
const maxHolding = 500

// measure finds the statistics that scores follow from. If all that matches was
// collected and nothing was required, they are counted from that.
func (s *search) measure(a *ask, more bool) (*stats, error) {
	t := &stats{holding: make([]float64, len(a.wants)), docs: float64(s.found.rows)}
	for f := range fields {
		t.average[f] = float64(s.found.total[f]) / max(float64(s.found.rows), 1)
	}
	if err := s.size(t); err != nil {
		return nil, err
	}
	if len(a.wants) == 1 || !more && len(a.all) == 0 {
		for w := range a.wants {
			t.holding[w] = float64(s.holders(w))
		}
		return t, nil
	}
	for w := range a.wants {
		n, err := s.count(&ask{wants: a.wants, some: []int{w}, set: a.set}, maxHolding)
		if err != nil {
			return nil, err
		}
		t.holding[w] = float64(n)
	}
	return t, nil
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

// size says how much lies inside the scope. Filters make no difference to it.
func (s *search) size(t *stats) error {
	if s.b.conversation() {
		n := 0
		for _, c := range s.b.chain {
			n += c.upTo
		}
		t.docs, t.sessions = float64(n), 1
		return nil
	}
	if s.b.dirs == nil {
		n, err := s.c.fact("sessions")
		t.sessions = float64(n)
		return err
	}
	list := make([]string, len(s.b.dirs))
	for i, id := range s.b.dirs {
		list[i] = strconv.FormatInt(id, 10)
	}
	return s.c.query("SELECT count(*), sum(exchanges) FROM session WHERE dir IN ("+strings.Join(list, ",")+")", func(st *sqlite3.Stmt) error {
		t.sessions, t.docs = st.ColumnFloat(0), min(t.docs, st.ColumnFloat(1))
		return nil
	})
}
