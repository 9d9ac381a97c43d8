package index

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ncruces/go-sqlite3"

	"lookback"
	"lookback/internal/words"
)

// scanning looks for a run of characters.
type scanning struct {
	run  string
	hold map[int64]int64 // entries of the session at hand that hold it, and where their text lies
	kept map[int64]bool  // by entry.id of texts that forks copied: whether they hold it
	list []*candidate
}

// literal finds a run of characters by looking through the words: of the sessions
// inside the bounds and of no others. The word index cannot help without losing
// hits, since a run may begin and end inside of words. Order is by time, newest end
// first, then by ref.
func (s *search) literal() ([]*candidate, error) {
	run := s.req.Query.Text
	if strings.TrimSpace(run) == "" || strings.Contains(run, lookback.ObjectMark) {
		return nil, nil
	}
	f := s.req.Query.Filters
	f.When = lookback.Span{} // bounds documents, not sessions
	where, args, err := s.c.sessionFilter(SessionQuery{Scope: s.req.Scope, Filters: f})
	if err != nil || where == "" {
		return nil, err
	}
	var sessions []int64
	err = s.c.query("SELECT s.id"+fromSession+where, func(st *sqlite3.Stmt) error {
		sessions = append(sessions, st.ColumnInt64(0))
		return nil
	}, args...)
	sc := &scanning{run: run, kept: map[int64]bool{}}
	for i := 0; i < len(sessions) && err == nil; i++ {
		err = s.scanSession(sc, sessions[i])
	}
	if err := s.excuse(err); err != nil {
		return nil, err
	}
	slices.SortFunc(sc.list, func(a, b *candidate) int {
		if a.doc.last != b.doc.last {
			return cmp.Compare(b.doc.last, a.doc.last)
		}
		return cmp.Or(strings.Compare(s.nameOf(a), s.nameOf(b)), cmp.Compare(a.id, b.id))
	})
	list, err := s.collapse(sc.list)
	s.out.Total = len(list)
	return list, err
}

// nameOf is the node's id in the archive.
func (s *search) nameOf(x *candidate) string {
	session, err := s.session(x.doc.session)
	if err != nil {
		return ""
	}
	return nodeID(session, x.doc.node)
}

// scanSession lists what holds the run in a session.
func (s *search) scanSession(sc *scanning, session int64) error {
	sc.hold = map[int64]int64{}
	err := s.c.query(`SELECT e.id, e.role, e.text, e.same FROM segment g CROSS JOIN entry e ON e.id BETWEEN g.id<<24 AND g.id<<24 | 16777215
		WHERE g.session = ? AND g.parent >= 0`, func(st *sqlite3.Stmt) error {
		id, role := st.ColumnInt64(0), s.req.Query.Filters.Role
		if role != lookback.RoleNone && lookback.Role(st.ColumnInt(1)) != role || !s.b.holds(id) {
			return nil
		}
		held, err := s.holdsRun(sc, st)
		if held {
			sc.hold[id] = cmp.Or(st.ColumnInt64(3), id)
		}
		return err
	}, session)
	if err != nil {
		return err
	}
	texts := 0 // of summaries and names
	if !s.entryHits() && (s.wants(lookback.KindSummary) || s.wants(lookback.KindSession)) && s.req.Query.Filters.Role != lookback.RoleUser {
		texts = 1
	}
	if len(sc.hold)+texts == 0 {
		return nil
	}
	times, args := s.b.times()
	return s.c.query("SELECT "+docColumns+`, doc.text FROM segment g CROSS JOIN doc ON doc.id BETWEEN g.id<<24 AND g.id<<24 | 16777215
		WHERE g.session = ? AND iif(g.parent >= 0, ?, ?)`+times, func(st *sqlite3.Stmt) error {
		d, err := scanDoc(st)
		if err == nil {
			s.scanned(sc, d, st)
		}
		return err
	}, append([]any{session, len(sc.hold), texts}, args...)...)
}

// holdsRun reports whether the entry at hand holds the run. The words of a copy
// are those of its original, wherever that lies.
func (s *search) holdsRun(sc *scanning, st *sqlite3.Stmt) (bool, error) {
	s.out.Visited++
	same := st.ColumnInt64(3)
	if same == 0 {
		return len(words.FindFold(string(st.ColumnRawText(2)), sc.run, 1)) > 0, nil
	}
	held, known := sc.kept[same]
	if known {
		return held, nil
	}
	text, _, err := s.c.text("SELECT text FROM entry WHERE id = ?", same)
	sc.kept[same] = len(words.FindFold(text, sc.run, 1)) > 0
	return sc.kept[same], err
}

// scanned lists a document, or the entries of it, if it holds the run.
func (s *search) scanned(sc *scanning, d *docInfo, st *sqlite3.Stmt) {
	isHeld := func(id int64) bool { return sc.hold[id] != 0 }
	switch shown := s.shown(d); {
	case s.entryHits():
		for _, id := range shown {
			if isHeld(id) {
				sc.list = append(sc.list, &candidate{id: id, doc: d, entry: &entryRow{root: sc.hold[id]}})
				delete(sc.hold, id) // exchanges of several branches begin with one entry
			}
		}
	case !s.wants(d.kind):
	case len(shown) > 0 && slices.ContainsFunc(shown, isHeld),
		len(shown) == 0 && len(words.FindFold(string(st.ColumnRawText(11)), sc.run, 1)) > 0:
		sc.list = append(sc.list, &candidate{id: d.id, doc: d})
	}
}
