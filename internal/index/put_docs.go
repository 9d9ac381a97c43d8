package index

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ncruces/go-sqlite3"

	"lookback"
)

// docRow is a row of the table doc, but for its text, which hash covers.
type docRow struct {
	id          int64
	kind        lookback.Kind
	node        string
	members     []byte
	first, last int64
	state       int
	parents     string
	twin, hash  int64
}

// Bits of doc.state.
const (
	stateReady     = 1
	stateCompleted = 2
)

// docs writes the docs that differ and those in the word index whose words do.
func (p *putting) docs() error {
	old, err := p.storedDocs()
	if err != nil {
		return err
	}
	places, err := p.places(old)
	if err != nil {
		return err
	}
	for i := range p.u.Docs {
		d := &p.u.Docs[i]
		id := places[i]
		had, known := old[id]
		delete(old, id)
		if err := p.doc(d, id, had, known); err != nil {
			return err
		}
	}
	for id := range old {
		if err := p.w.dropDoc(id); err != nil {
			return err
		}
	}
	return nil
}

func (w *Writer) dropDoc(id int64) error {
	w.queue.drop(id)
	return w.c.run("DELETE FROM doc WHERE id=?", id)
}

// docsOfSession joins the docs of a session's segments; ?1 is the session.
const docsOfSession = " FROM segment g JOIN doc d ON d.id BETWEEN g.id<<24 AND g.id<<24|16777215 WHERE g.session=?1"

func (p *putting) storedDocs() (map[int64]docRow, error) {
	old := map[int64]docRow{}
	if p.old == nil {
		return old, nil
	}
	add := func(s *sqlite3.Stmt) error {
		id := s.ColumnInt64(0)
		old[id] = docRow{
			id: id, kind: lookback.Kind(s.ColumnInt(1)), node: s.ColumnText(2), members: s.ColumnBlob(3, nil),
			first: s.ColumnInt64(4), last: s.ColumnInt64(5), state: s.ColumnInt(6), parents: s.ColumnText(7),
			twin: s.ColumnInt64(8), hash: s.ColumnInt64(9),
		}
		return nil
	}
	const sql = "SELECT d.id, d.kind, d.node, d.members, d.first, d.last, d.state, d.parents, d.twin, d.hash FROM doc d WHERE d.id BETWEEN ? AND ?"
	for _, segment := range append([]int64{p.summary}, p.was.ids...) {
		if err := p.w.c.query(sql, add, place(segment, 0), place(segment, maxSeq)); err != nil {
			return nil, err
		}
	}
	return old, nil
}

// places gives each doc its doc.id. Docs of entries stand on their last segment
// at their first entry there. Where another doc stands, which happens when a
// branch without words leaves in the middle of an exchange, the next of their
// entries serves. Others stand on the segment of summaries: the session at 0,
// each node where it stood before or else behind all others.
func (p *putting) places(old map[int64]docRow) ([]int64, error) {
	ids := make([]int64, len(p.u.Docs))
	taken := make(map[int64]bool, len(ids))
	order := make([]int, 0, len(ids))
	for i := range p.u.Docs {
		if hasEntries(&p.u.Docs[i]) {
			order = append(order, i)
		}
	}
	last := func(i int) int { return lastSeq(&p.u.Docs[i]) }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(last(a), last(b)) })
	for _, i := range order {
		id, err := p.placeOf(&p.u.Docs[i], taken)
		if err != nil {
			return nil, err
		}
		ids[i], taken[id] = id, true
	}
	p.placeSummaries(ids, old)
	return ids, nil
}

func hasEntries(d *Doc) bool { return len(d.Users)+len(d.Answers)+len(d.Steps) > 0 }

func lastSeq(d *Doc) int {
	last := 0
	for _, field := range [][]int{d.Users, d.Answers, d.Steps} {
		for _, seq := range field {
			last = max(last, seq)
		}
	}
	return last
}

// placeOf finds the place of a doc that has entries.
func (p *putting) placeOf(d *Doc, taken map[int64]bool) (int64, error) {
	var seqs []int
	for _, field := range [][]int{d.Users, d.Answers, d.Steps} {
		seqs = append(seqs, field...)
	}
	slices.Sort(seqs)
	if seqs[0] < 1 || seqs[len(seqs)-1] > len(p.u.Entries) {
		return 0, fmt.Errorf("index: a doc of %s names entries that there are not", p.u.Session.ID.Native)
	}
	on := p.is.on[seqs[len(seqs)-1]-1]
	for _, seq := range seqs {
		if id := p.is.place(seq); p.is.on[seq-1] == on && !taken[id] {
			return id, nil
		}
	}
	return 0, fmt.Errorf("index: two docs of %s have the same entries", p.u.Session.ID.Native)
}

// placeSummaries gives the docs without entries their places.
func (p *putting) placeSummaries(ids []int64, old map[int64]docRow) {
	stood := map[string]int64{}
	next := place(p.summary, 0)
	for id, d := range old {
		if segmentOf(id) == p.summary && seqOf(id) > 0 {
			stood[d.node] = id
			next = max(next, id)
		}
	}
	for i := range p.u.Docs {
		d := &p.u.Docs[i]
		switch id := stood[d.Node]; {
		case ids[i] != 0:
		case d.Kind == lookback.KindSession:
			ids[i] = place(p.summary, 0)
		case id != 0:
			ids[i] = id
			delete(stood, d.Node)
		default:
			next++
			ids[i] = next
		}
	}
}

// doc writes one doc.
func (p *putting) doc(d *Doc, id int64, had docRow, known bool) error {
	row := docRow{
		id: id, kind: d.Kind, node: d.Node, first: millis(d.First), last: millis(d.Last), parents: joinNodes(d.Parents),
	}
	if d.Ready {
		row.state |= stateReady
	}
	if d.Done {
		row.state |= stateCompleted
	}
	m := p.members(d)
	row.members = m.pack(id)
	scope := p.scope(d)
	meta := p.meta(d)
	row.twin = int64(p.twin(d)) ^ mixFamily(p.family)
	row.hash = int64(hash64(hash64(hash64(p.wordsHash(d), meta), scope), d.Text))
	switch {
	case !known:
		p.queueWords(d, id, false, meta, scope)
		return p.w.c.run(`INSERT INTO doc(id, session, kind, node, members, first, last, state, parents, born, twin, hash, text)
			VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)`,
			id, p.row, int(row.kind), row.node, row.members, row.first, row.last, row.state, row.parents, p.w.changes, row.twin, row.hash, orNull(d.Text))
	case row.hash != had.hash:
		p.queueWords(d, id, true, meta, scope)
	case row.equal(&had):
		return nil
	}
	return p.w.c.run(`UPDATE doc SET kind=?, node=?, members=?, first=?, last=?, state=?, parents=?, twin=?, hash=?, text=? WHERE id=?`,
		int(row.kind), row.node, row.members, row.first, row.last, row.state, row.parents, row.twin, row.hash, orNull(d.Text), id)
}

func (a *docRow) equal(b *docRow) bool {
	return a.kind == b.kind && a.node == b.node && bytes.Equal(a.members, b.members) && a.first == b.first && a.last == b.last &&
		a.state == b.state && a.parents == b.parents && a.twin == b.twin && a.hash == b.hash
}

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func (p *putting) members(d *Doc) (m members) {
	at := func(seqs []int) []int64 {
		ids := make([]int64, len(seqs))
		for i, seq := range seqs {
			ids[i] = p.is.place(seq)
		}
		return ids
	}
	return members{users: at(d.Users), answers: at(d.Answers), steps: at(d.Steps)}
}

// scope gives the tokens by which a doc is bound: where it may be seen, whose it
// is, what it is.
func (p *putting) scope(d *Doc) string {
	var b strings.Builder
	token := func(kind byte, n int64) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteByte(scopeMark)
		b.WriteByte(kind)
		b.WriteString(strconv.FormatInt(n, 10))
	}
	token('d', p.dir)
	for home := range strings.FieldsSeq(p.homes) {
		n, _ := strconv.ParseInt(home, 10, 64) // written by directories
		token('d', n)
	}
	token('s', p.row)
	token('k', int64(d.Kind))
	return b.String()
}
