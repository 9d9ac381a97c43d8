package index

import (
	"fmt"

	"github.com/ncruces/go-sqlite3"

	"lookback"
)

// docInfo is a row of table doc.
type docInfo struct {
	id      int64
	session int64
	kind    lookback.Kind
	node    string
	members
	first, last int64
	state       int
	parents     []string
	born        int64
	twin        int64
	size        [fields]int32 // tokens, where row read it
}

const docColumns = "doc.id, doc.session, doc.kind, doc.node, doc.members, doc.first, doc.last, doc.state, doc.parents, doc.born, doc.twin"

func scanDoc(s *sqlite3.Stmt) (*docInfo, error) {
	d := &docInfo{
		id: s.ColumnInt64(0), session: s.ColumnInt64(1), kind: lookback.Kind(s.ColumnInt(2)), node: s.ColumnText(3),
		first: s.ColumnInt64(5), last: s.ColumnInt64(6), state: s.ColumnInt(7), born: s.ColumnInt64(9), twin: s.ColumnInt64(10),
	}
	if p := s.ColumnRawText(8); len(p) > 0 {
		d.parents = splitNodes(string(p))
	}
	var err error
	d.members, err = unpackMembers(s.ColumnRawBlob(4), d.id)
	return d, err
}

// end is the last entry of the document on its own segment.
func (d *docInfo) end() int64 {
	end := d.id
	for _, field := range [...][]int64{d.users, d.answers, d.steps} {
		for _, id := range field {
			if segmentOf(id) == segmentOf(d.id) {
				end = max(end, id)
			}
		}
	}
	return end
}

// row reads the row of a candidate's document and its lengths, if not done before.
func (s *search) row(x *candidate) (err error) {
	if x.doc != nil {
		return nil
	}
	err = s.c.query("SELECT "+docColumns+", sz FROM doc LEFT JOIN words_docsize z ON z.id = doc.id WHERE doc.id = ?", func(st *sqlite3.Stmt) (err error) {
		x.doc, err = scanDoc(st)
		x.doc.size = lengths(st.ColumnRawBlob(11))
		return err
	}, x.id)
	if err == nil && x.doc == nil {
		err = fmt.Errorf("index: no document %d: %w", x.id, sqlite3.CORRUPT)
	}
	return err
}

// lengths reads what FTS5 keeps of a row: the tokens of each column, big-endian by
// seven bits.
func lengths(b []byte) (n [fields]int32) {
	for f := 0; f < fields && len(b) > 0; b = b[1:] {
		n[f] = n[f]<<7 | int32(b[0]&0x7f)
		if b[0] < 0x80 {
			f++
		}
	}
	return n
}

// entryRow is a row of table entry with its text, wherever that is kept.
type entryRow struct {
	root int64 // entry.id that holds the text: equal for copies in forks
	role lookback.Role
	text string
}

// entry reads an entry and its text; nil when there is none.
func (s *search) entry(id int64) (e *entryRow, err error) {
	err = s.c.query(`SELECT e.role, coalesce(o.text, e.text), coalesce(o.id, e.id) FROM entry e
		LEFT JOIN entry o ON o.id = e.same AND e.same <> 0 WHERE e.id = ?`, func(st *sqlite3.Stmt) error {
		e = &entryRow{role: lookback.Role(st.ColumnInt(0)), text: st.ColumnText(1), root: st.ColumnInt64(2)}
		return nil
	}, id)
	return e, err
}

// session reads a session once per search.
func (s *search) session(id int64) (*Session, error) {
	if x := s.sessions[id]; x != nil {
		return x, nil
	}
	x, err := s.c.sessionWhere("WHERE s.id=?", id)
	if x == nil {
		x = &Session{Row: id}
	}
	s.sessions[id] = x
	return x, err
}

// segment is a row of table segment.
type segmentRow struct {
	session, parent int64
	cap             int
	forked          bool // there are forks of the session, or it is one
}

// segment reads a segment once per search.
func (s *search) segment(id int64) (segmentRow, error) {
	if x, ok := s.segments[id]; ok {
		return x, nil
	}
	var x segmentRow
	err := s.c.query(`SELECT g.session, g.parent, g.cap, EXISTS (SELECT 1 FROM session f WHERE f.family = s.family AND f.parent <> '' AND f.family <> f.id)
		FROM segment g JOIN session s ON s.id = g.session WHERE g.id = ?`, func(st *sqlite3.Stmt) error {
		x = segmentRow{st.ColumnInt64(0), st.ColumnInt64(1), st.ColumnInt(2), st.ColumnBool(3)}
		return nil
	}, id)
	s.segments[id] = x
	return x, err
}

// isSummary reports whether a candidate, whose segment was read before, is a summary.
func (s *search) isSummary(x *candidate) bool {
	return s.segments[segmentOf(x.id)].parent == summarySegment && seqOf(x.id) > 0
}

// summaries notes the parents of the summaries that stand on a segment, once.
func (s *search) summaries(segment, session int64, above map[nodeKey][]string) error {
	key := nodeKey{session: session} // the session's own node is below nothing
	if _, ok := above[key]; ok {
		return nil
	}
	above[key] = nil
	return s.c.query("SELECT node, parents FROM doc WHERE id BETWEEN ? AND ? AND kind = ?", func(st *sqlite3.Stmt) error {
		above[nodeKey{session, st.ColumnText(0)}] = splitNodes(st.ColumnText(1))
		return nil
	}, place(segment, 0), place(segment, maxSeq), int(lookback.KindSummary))
}

// author gives the author of an entry of a session; all are read once per search.
func (s *search) author(session, entry int64) (string, error) {
	names, ok := s.written[session]
	if !ok {
		entries, _, err := s.c.skeleton(session)
		if err != nil {
			return "", err
		}
		for i := range entries {
			names = append(names, entries[i].Author)
		}
		s.written[session] = names
	}
	if n := seqOf(entry); n <= len(names) {
		return names[n-1], nil
	}
	return "", nil
}
