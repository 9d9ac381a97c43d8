package index

import (
	"slices"
	"strconv"

	"github.com/ncruces/go-sqlite3"

	"lookback"
)

// find collects the newest documents that match, up to maxRanked more, and says
// whether there are more.
func (s *search) find(a *ask) (more bool, err error) {
	m := a.match(&s.b)
	s.found.owner = m.owner
	limit := maxRanked + 1
	for _, r := range s.ranges() {
		before := len(s.found.found)
		if err := s.findIn(m, r, limit); err != nil {
			return false, err
		}
		limit -= len(s.found.found) - before
		if limit <= 0 {
			last := &s.found.found[len(s.found.found)-1]
			s.found.tf = s.found.tf[:last.tf]
			s.found.found = s.found.found[:len(s.found.found)-1]
			return true, nil
		}
	}
	return false, nil
}

// gather finds what is to be ranked. Where some of the wants are enough and too
// much matches, common words fill all places with the newest documents whatever
// else they hold; then what holds the rarest wants is added, and if that is little,
// what holds all the others.
func (s *search) gather(a *ask) (more bool, err error) {
	more, err = s.find(a)
	if err != nil || !more || len(a.all) > 0 || len(a.wants) < 2 {
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
		b.some, b.extra = drivers, rest
		if _, err := s.find(&b); err != nil {
			return true, err
		}
	}
	if len(rest) > 0 && len(s.found.found)-newest < minWindow {
		b.all, b.some, b.extra = nil, nil, nil
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
	slices.SortStableFunc(order, func(a, b int) int { return s.held[a] - s.held[b] })
	room := maxRanked
	for _, w := range order {
		if n := s.held[w]; n < maxHolding && n <= room {
			drivers = append(drivers, w)
			room -= n
		} else {
			rest = append(rest, w)
		}
	}
	return drivers, rest, nil
}

// rowids is a range of rowids of docs; both zero for all.
type rowids struct{ from, to int64 }

// ranges are the rowids inside the bounds, newest first.
func (s *search) ranges() []rowids {
	if !s.b.conversation() {
		return []rowids{{}}
	}
	out := make([]rowids, len(s.b.chain))
	for i, c := range s.b.chain {
		out[i] = rowids{place(c.segment, 0), place(c.segment, c.upTo)}
	}
	return out
}

func (s *search) findIn(m *matcher, r rowids, limit int) error {
	sql, args := s.matching(m, r)
	st, err := s.c.stmt("SELECT " + collectFunction + "(words, ?1) FROM " + sql + " ORDER BY words.rowid DESC LIMIT " + strconv.Itoa(limit))
	if err != nil {
		return err
	}
	if err := st.BindPointer(1, s.found); err != nil {
		return err
	}
	for i, a := range args {
		if err := bindAt(st, i+2, a); err != nil {
			return err
		}
	}
	for st.Step() {
		s.out.Visited++
	}
	if err := st.Err(); err != nil {
		return err
	}
	return st.Reset()
}

// matching gives the FROM and WHERE of a query inside the bounds; its arguments
// are numbered from 2.
func (s *search) matching(m *matcher, r rowids) (sql string, args []any) {
	sql = "words WHERE words MATCH ?2"
	if s.b.timed() {
		sql = "words CROSS JOIN doc ON doc.id = words.rowid WHERE words MATCH ?2"
	}
	args = append(args, m.text())
	bound := func(text string, v int64) {
		sql += text + "?" + strconv.Itoa(len(args)+2)
		args = append(args, v)
	}
	if r.to != 0 {
		bound(" AND words.rowid >= ", r.from)
		bound(" AND words.rowid <= ", r.to)
	}
	if !s.wants(lookback.KindSession) {
		sql += " AND words.rowid & 16777215 > 0" // where a session's own document stands
	}
	if s.b.after != 0 || s.b.before != 0 {
		bound(" AND doc.last > ", 0)
	}
	if s.b.after != 0 {
		bound(" AND doc.last >= ", s.b.after)
	}
	if s.b.before != 0 {
		bound(" AND doc.first < ", s.b.before)
	}
	if s.b.born != 0 {
		bound(" AND doc.born <= ", s.b.born)
	}
	return sql, args
}

func bindAt(st *sqlite3.Stmt, i int, a any) error {
	if text, ok := a.(string); ok {
		return st.BindText(i, text)
	}
	return st.BindInt64(i, a.(int64))
}

// count counts the documents that match, up to most.
func (s *search) count(a *ask, most int) (n int, err error) { return s.countBelow(a, most, 0) }

// countBelow counts only those older than the document given, 0 for all.
func (s *search) countBelow(a *ask, most int, below int64) (n int, err error) {
	m := a.match(&s.b)
	for _, r := range s.ranges() {
		if below > 0 {
			r.to = below - 1
		}
		sql, args := s.matching(m, r)
		st, err := s.c.stmt("SELECT count(*) FROM (SELECT 1 FROM " + sql + " ORDER BY words.rowid DESC LIMIT ?1)")
		if err != nil {
			return 0, err
		}
		if err := st.BindInt(1, most-n); err != nil {
			return 0, err
		}
		for i, a := range args {
			if err := bindAt(st, i+2, a); err != nil {
				return 0, err
			}
		}
		for st.Step() {
			n += st.ColumnInt(0)
		}
		if err := st.Err(); err != nil {
			return 0, err
		}
		if err := st.Reset(); err != nil {
			return 0, err
		}
		if n >= most {
			break
		}
	}
	return n, nil
}
