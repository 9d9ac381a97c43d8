package index

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ncruces/go-sqlite3"

	"lookback"
	"lookback/internal/words"
)

// spot is a document or an entry that holds a run of characters, without its row.
type spot struct {
	id      int64 // doc.id; the entry itself in a conversation
	session int64
	node    string
	last    int64
	twin    int64
}

// literal finds a run of characters by looking through the words: of the entries
// inside the bounds and of no others. The word index cannot help without losing
// hits, since a run may begin and end inside of words.
func (s *search) literal() ([]item, error) {
	run := s.req.Query.Text
	if strings.TrimSpace(run) == "" || strings.Contains(run, lookback.ObjectMark) {
		return nil, nil
	}
	if s.b.conversation() {
		return s.literalEntries(run)
	}
	hold, sessions, err := s.scan(run)
	if err := s.excuse(err); err != nil {
		return nil, err
	}
	var spots []spot
	if s.wants(lookback.KindSummary) || s.wants(lookback.KindSession) {
		spots, err = s.scanTexts(run)
		if err := s.excuse(err); err != nil {
			return nil, err
		}
	}
	for _, id := range sessions {
		if spots, err = s.spots(spots, id, hold); err != nil {
			return nil, err
		}
	}
	return s.listSpots(spots)
}

// literalEntries is literal for a conversation: its entries, newest first.
func (s *search) literalEntries(run string) (list []item, err error) {
	if from, args, err := s.sessionsInside(); err != nil || from == "" {
		return nil, err
	} else if n, err := s.c.number("SELECT count(*) FROM "+from+s.whereInside, args...); err != nil || n == 0 {
		return nil, err // a filter names another session
	}
	var ids []int64
	for _, c := range s.b.chain {
		err := s.c.query("SELECT id, role, text, same FROM entry WHERE id BETWEEN ? AND ?", func(st *sqlite3.Stmt) error {
			if ok, err := s.holdsRun(st, run); err != nil || !ok {
				return err
			}
			ids = append(ids, st.ColumnInt64(0))
			return nil
		}, place(c.segment, 0), place(c.segment, c.upTo))
		if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(ids, func(a, b int64) int { return cmp.Or(seqOf(b)-seqOf(a), cmp.Compare(b, a)) })
	for _, id := range ids {
		seg, err := s.segment(segmentOf(id))
		if err != nil {
			return nil, err
		}
		list = append(list, item{entry: id, doc: &docInfo{id: id, session: seg.session, kind: lookback.KindEntry}})
	}
	s.out.Total = len(list)
	return list, nil
}

// holdsRun reports whether the entry at hand, a row of id, role, text and same,
// holds the run in words that the request lets see. The words of a copy are those
// of its original, wherever that lies.
func (s *search) holdsRun(st *sqlite3.Stmt, run string) (bool, error) {
	s.out.Visited++
	if r := s.req.Query.Filters.Role; r != lookback.RoleNone && lookback.Role(st.ColumnInt(1)) != r {
		return false, nil
	}
	same := st.ColumnInt64(3)
	if same == 0 {
		return len(words.FindFold(string(st.ColumnRawText(2)), run, 1)) > 0, nil
	}
	if known, ok := s.originals[same]; ok {
		return known, nil
	}
	text, _, err := s.c.text("SELECT text FROM entry WHERE id=?", same)
	held := len(words.FindFold(text, run, 1)) > 0
	if s.originals == nil {
		s.originals = map[int64]bool{}
	}
	s.originals[same] = held
	return held, err
}

// scan gives the entries inside the bounds that hold the run, and the sessions
// that they belong to.
func (s *search) scan(run string) (hold map[int64]bool, sessions []int64, err error) {
	from, args, err := s.sessionsInside()
	if err != nil || from == "" {
		return nil, nil, err
	}
	hold = map[int64]bool{}
	last := int64(0)
	err = s.c.query(`SELECT e.id, e.role, e.text, e.same, g.session FROM `+from+`
		CROSS JOIN segment g ON g.session = s.id AND g.parent >= 0
		CROSS JOIN entry e ON e.id BETWEEN g.id<<24 AND g.id<<24 | 16777215`+s.whereInside, func(st *sqlite3.Stmt) error {
		if ok, err := s.holdsRun(st, run); err != nil || !ok {
			return err
		}
		hold[st.ColumnInt64(0)] = true
		if id := st.ColumnInt64(4); id != last {
			sessions = append(sessions, id)
			last = id
		}
		return nil
	}, args...)
	slices.Sort(sessions)
	return hold, slices.Compact(sessions), err
}

// sessionsInside gives the FROM, and whereInside the WHERE, of the sessions that
// the scope and the filters leave; "" for none.
func (s *search) sessionsInside() (from string, args []any, err error) {
	f := s.req.Query.Filters
	f.When = lookback.Span{}
	s.whereInside, args, err = s.c.sessionFilter(SessionQuery{Scope: s.req.Scope, Filters: f})
	if err != nil || s.whereInside == "" {
		return "", nil, err
	}
	s.whereInside = " " + s.whereInside
	return "session s CROSS JOIN dir d ON d.id=s.dir", args, nil
}

// scanTexts gives the summaries and names inside the bounds that hold the run.
func (s *search) scanTexts(run string) (spots []spot, err error) {
	from, args, err := s.sessionsInside()
	if err != nil || from == "" || s.req.Query.Filters.Role == lookback.RoleUser {
		return nil, err
	}
	err = s.c.query(`SELECT o.text, o.id, o.session, o.node, o.first, o.last, o.twin, o.born, o.kind FROM `+from+`
		CROSS JOIN segment g ON g.session = s.id AND g.parent = -1
		CROSS JOIN doc o ON o.id BETWEEN g.id<<24 AND g.id<<24 | 16777215`+s.whereInside, func(st *sqlite3.Stmt) error {
		s.out.Visited++
		x := spot{id: st.ColumnInt64(1), session: st.ColumnInt64(2), node: st.ColumnText(3), last: st.ColumnInt64(5), twin: st.ColumnInt64(6)}
		if s.wants(lookback.Kind(st.ColumnInt(8))) && s.b.during(st.ColumnInt64(4), x.last, st.ColumnInt64(7)) &&
			len(words.FindFold(string(st.ColumnRawText(0)), run, 1)) > 0 {
			spots = append(spots, x)
		}
		return nil
	}, args...)
	return spots, err
}

// spots adds the documents of a session that show an entry which holds the run.
func (s *search) spots(spots []spot, session int64, hold map[int64]bool) ([]spot, error) {
	err := s.c.query("SELECT "+docColumns+` FROM segment g CROSS JOIN doc ON doc.id BETWEEN g.id<<24 AND g.id<<24 | 16777215
		WHERE g.session = ? AND g.parent >= 0`, func(st *sqlite3.Stmt) error {
		d, err := scanDoc(st)
		if err != nil || !s.b.during(d.first, d.last, d.born) {
			return err
		}
		shown := s.shown(d)
		switch {
		case s.entryHits():
			for _, id := range shown {
				if hold[id] {
					spots = append(spots, spot{id: id, session: session, last: d.last})
				}
			}
		case s.wants(d.kind) && slices.ContainsFunc(shown, func(id int64) bool { return hold[id] }):
			spots = append(spots, spot{id: d.id, session: session, node: d.node, last: d.last, twin: d.twin})
		}
		return nil
	}, session)
	return spots, err
}

// listSpots sorts, newest end first and then by ref, and makes one of copies.
func (s *search) listSpots(spots []spot) ([]item, error) {
	slices.SortFunc(spots, func(a, b spot) int {
		if a.last != b.last {
			return cmp.Compare(b.last, a.last)
		}
		return cmp.Or(strings.Compare(s.nameOf(a), s.nameOf(b)), cmp.Compare(a.id, b.id))
	})
	at := map[int64]int{}
	var groups [][]spot
	for _, x := range spots {
		n, seen := at[x.twin]
		if x.twin != 0 && seen {
			groups[n] = append(groups[n], x)
			continue
		}
		at[x.twin] = len(groups)
		groups = append(groups, []spot{x})
	}
	s.out.Total = len(groups)
	list := make([]item, len(groups))
	from := min(s.page.offset, len(groups))
	for i := from; i < min(from+s.req.Limit, len(groups)); i++ {
		if err := s.fill(&list[i], groups[i]); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// nameOf is the node's id in the archive.
func (s *search) nameOf(x spot) string {
	session, err := s.session(x.session)
	if err != nil {
		return ""
	}
	return nodeID(session, x.node)
}

// fill makes an item of a spot and its copies.
func (s *search) fill(it *item, group []spot) (err error) {
	if s.entryHits() {
		it.entry = group[0].id
		it.doc = &docInfo{id: it.entry, session: group[0].session, kind: lookback.KindEntry, last: group[0].last}
		return nil
	}
	docs := make([]*docInfo, 0, len(group))
	for _, x := range group {
		d, err := s.doc(x.id)
		if err != nil {
			return err
		}
		docs = append(docs, d)
	}
	s.original(it, docs)
	return nil
}

// during reports whether a document lies inside the bounds of time.
func (b *bounds) during(first, last, born int64) bool {
	switch {
	case b.born != 0 && born > b.born,
		b.after != 0 && last < b.after,
		b.before != 0 && first >= b.before,
		b.after|b.before != 0 && last == 0:
		return false
	}
	return true
}

func (s *search) wants(k lookback.Kind) bool { return slices.Contains(s.wanted(), k) }
