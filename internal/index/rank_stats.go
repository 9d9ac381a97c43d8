package index

import "github.com/ncruces/go-sqlite3"

// maxHolding bounds how many documents are counted for a want's weight. Beyond it
// the share of the index that the newest ones cover tells the rest.
const maxHolding = 256

// measure finds the statistics that scores follow from. They are counted from what
// was collected, unless a query of several groups hides what holds one alone.
// Where liberties were taken the tier decides.
func (s *search) measure(a *ask) (err error) {
	if !s.page.Later {
		if err := s.size(); err != nil {
			return err
		}
	}
	t := &stats{docs: float64(s.page.Docs), sessions: float64(s.page.Sessions)}
	for f, n := range s.page.Average {
		t.average[f] = float64(n)
	}
	s.stats = t
	if len(a.all) > 1 && !a.lax && !s.late && len(s.found.found) > 1 {
		if err := s.countHeld(a); err != nil {
			return err
		}
	}
	if t.holding = s.held; t.holding == nil {
		t.holding = holders(s.found.found, len(a.wants))
	}
	return nil
}

// countHeld counts, up to maxHolding, how many documents hold each want.
func (s *search) countHeld(a *ask) error {
	held := make([]float64, len(a.wants))
	for w := range held {
		n, err := s.count(&ask{wants: a.wants, all: [][]int{{w}}}, maxHolding)
		if err != nil {
			return err
		}
		held[w] = float64(n)
	}
	s.held = held
	return nil
}

// holders counts, by want, the candidates that hold it.
func holders(list []*candidate, wants int) []float64 {
	n := make([]float64, wants)
	for _, x := range list {
		for w := range n {
			if x.holds(w) {
				n[w]++
			}
		}
	}
	return n
}

// size says how much lies inside the scope, and how long texts are. Filters make
// no difference to it. Sizes of the whole index cost LoCoMo 1.3 points of R@10.
func (s *search) size() error {
	x := &s.page.scale
	for f := range fields {
		x.Average[f] = float32(s.found.total[f]) / float32(max(s.found.rows, 1))
	}
	x.Docs = uint32(s.found.rows)
	if s.b.conversation() {
		x.Docs, x.Sessions = 0, 1
		for _, c := range s.b.chain {
			x.Docs += uint32(seqOf(c.to))
		}
		return nil
	}
	if s.b.dirs == nil {
		n, err := s.c.fact("sessions")
		x.Sessions = uint32(n)
		return err
	}
	return s.c.query("SELECT count(*), sum(exchanges) FROM session WHERE dir IN ("+joinNumbers(s.b.dirs, ",")+")", func(st *sqlite3.Stmt) error {
		x.Sessions, x.Docs = uint32(st.ColumnInt(0)), min(x.Docs, uint32(st.ColumnInt(1)))
		return nil
	})
}
