package index

import (
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

// doc reads the row of a document, nil when there is none.
func (s *search) doc(id int64) (d *docInfo, err error) {
	err = s.c.query("SELECT "+docColumns+" FROM doc WHERE id = ?", func(st *sqlite3.Stmt) error {
		var err error
		d, err = scanDoc(st)
		return err
	}, id)
	return d, err
}

// docText reads the words of a summary or the name of a session.
func (s *search) docText(id int64) (text string, err error) {
	err = s.c.query("SELECT text FROM doc WHERE id = ?", func(st *sqlite3.Stmt) error {
		text = st.ColumnText(0)
		return nil
	}, id)
	return text, err
}

// entryRow is a row of table entry with its text, wherever that is kept.
type entryRow struct {
	id   int64
	root int64 // entry.id that holds the text: equal for copies in forks
	role lookback.Role
	text string
}

// entry reads an entry and its text; nil when there is none.
func (s *search) entry(id int64) (e *entryRow, err error) {
	var same int64
	err = s.c.query("SELECT role, text, same FROM entry WHERE id = ?", func(st *sqlite3.Stmt) error {
		same = st.ColumnInt64(2)
		e = &entryRow{id: id, root: id, role: lookback.Role(st.ColumnInt(0)), text: st.ColumnText(1)}
		return nil
	}, id)
	if err != nil || e == nil || same == 0 {
		return e, err
	}
	e.root = same
	err = s.c.query("SELECT text FROM entry WHERE id = ?", func(st *sqlite3.Stmt) error {
		e.text = st.ColumnText(0)
		return nil
	}, same)
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
}

// segment reads a segment once per search.
func (s *search) segment(id int64) (segmentRow, error) {
	if x, ok := s.segments[id]; ok {
		return x, nil
	}
	var x segmentRow
	err := s.c.query("SELECT session, parent, cap FROM segment WHERE id = ?", func(st *sqlite3.Stmt) error {
		x = segmentRow{st.ColumnInt64(0), st.ColumnInt64(1), st.ColumnInt(2)}
		return nil
	}, id)
	s.segments[id] = x
	return x, err
}

const kindOfSummary = lookback.KindSummary

// summaries hands out the summaries that stand on a segment with their parents.
func (s *search) summaries(segment int64, each func(node string, parents []string)) error {
	return s.c.query("SELECT node, parents FROM doc WHERE id BETWEEN ? AND ? AND kind = ?", func(st *sqlite3.Stmt) error {
		each(st.ColumnText(0), splitNodes(st.ColumnText(1)))
		return nil
	}, place(segment, 0), place(segment, maxSeq), int(lookback.KindSummary))
}

// authors gives the authors of a session's entries by Seq-1, once per search.
func (s *search) authors(session int64) ([]string, error) {
	if a, ok := s.written[session]; ok {
		return a, nil
	}
	entries, _, err := s.c.skeleton(session)
	names := make([]string, len(entries))
	for i := range entries {
		names[i] = entries[i].Author
	}
	if s.written == nil {
		s.written = map[int64][]string{}
	}
	s.written[session] = names
	return names, err
}
