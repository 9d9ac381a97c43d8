package index

import (
	"cmp"
	"slices"

	"lookback"
)

// find collects the newest documents that match, up to maxRanked more, and says
// whether there are more.
func (s *search) find(a *ask) (more bool, err error) {
	m := a.match(&s.b)
	s.found.owner = m.owner
	most := len(s.found.found) + maxRanked
	for _, in := range s.b.stretches() {
		if err := s.findIn(m, in, most+1-len(s.found.found)); err != nil {
			return false, err
		}
		if len(s.found.found) > most {
			s.found.found = s.found.found[:most]
			return true, nil
		}
	}
	return false, nil
}

func (s *search) findIn(m *matcher, in stretch, limit int) error {
	from, args := s.matching(m, in)
	st, err := s.c.stmt("SELECT "+collectFunction+"(words, ?) FROM "+from+" ORDER BY words.rowid DESC LIMIT ?",
		slices.Concat([]any{nil}, args, []any{limit})...)
	if err != nil {
		return err
	}
	if err := st.BindPointer(1, s.found); err != nil {
		return err
	}
	for st.Step() {
		s.out.Visited++
	}
	if err := st.Err(); err != nil {
		return err
	}
	return st.Reset()
}

// gather finds what is to be ranked. Where one of the wants is enough and too
// much matches, common words fill all places with the newest documents whatever
// else they hold; then what holds the rarest wants is added, and if that is little,
// what holds all the others.
func (s *search) gather(a *ask) (more bool, err error) {
	more, err = s.find(a)
	if err != nil || !more || len(a.all) > 1 || len(a.wants) < 2 {
		return more, err
	}
	s.driven = true
	drivers, rest, err := s.drivers(a)
	if err != nil {
		return true, err
	}
	newest := len(s.found.found)
	b := *a
	if len(drivers) > 0 {
		b.all = [][]int{drivers, indexes(len(a.wants))}
		if _, err := s.find(&b); err != nil {
			return true, err
		}
	}
	if len(rest) > 0 && len(s.found.found)-newest < minWindow {
		b.all = nil
		for _, w := range rest {
			b.all = append(b.all, []int{w})
		}
		_, err = s.find(&b)
	}
	s.found.distinct()
	return true, err
}

// drivers gives the wants that few enough documents hold to look at all of them,
// the rarest first, and the others.
func (s *search) drivers(a *ask) (drivers, rest []int, err error) {
	if err := s.countHeld(a); err != nil {
		return nil, nil, err
	}
	order := indexes(len(s.held))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.held[a], s.held[b]) })
	room := maxRanked
	for _, w := range order {
		if n := int(s.held[w]); n < maxHolding && n <= room {
			drivers = append(drivers, w)
			room -= n
		} else {
			rest = append(rest, w)
		}
	}
	return drivers, rest, nil
}

// matching gives the FROM and WHERE of a query inside the bounds.
func (s *search) matching(m *matcher, in stretch) (sql string, args []any) {
	times, more := s.b.times()
	sql = "words"
	if times != "" {
		sql += " CROSS JOIN doc ON doc.id = words.rowid"
	}
	sql += " WHERE words MATCH ? AND words.rowid >= ? AND words.rowid <= ?" + times
	if !s.wants(lookback.KindSession) {
		sql += " AND words.rowid & 16777215 > 0" // where a session's own document stands
	}
	return sql, append([]any{m.b.String(), in.from, in.to}, more...)
}

// count counts the documents that match, up to most.
func (s *search) count(a *ask, most int) (n int, err error) {
	m := a.match(&s.b)
	for _, in := range s.b.stretches() {
		from, args := s.matching(m, in)
		more, err := s.c.number("SELECT count(*) FROM (SELECT 1 FROM "+from+" LIMIT ?)", append(args, most-n)...)
		if n += int(more); err != nil || n >= most {
			return n, err
		}
	}
	return n, nil
}
