package index

import (
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
	kind        lookback.Kind
	node        string
	members     string
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

// docsOfSession selects the docs of a session, whose row goes behind it.
const docsOfSession = " FROM segment g CROSS JOIN doc d ON d.id BETWEEN g.id<<24 AND g.id<<24|16777215 WHERE g.session="

func (c *conn) docRows(session int64) (map[int64]docRow, error) {
	rows := map[int64]docRow{}
	err := c.query("SELECT d.id, d.kind, d.node, d.members, d.first, d.last, d.state, d.parents, d.twin, d.hash"+docsOfSession+"?", func(s *sqlite3.Stmt) error {
		rows[s.ColumnInt64(0)] = docRow{
			kind: lookback.Kind(s.ColumnInt(1)), node: s.ColumnText(2), members: string(s.ColumnRawBlob(3)),
			first: s.ColumnInt64(4), last: s.ColumnInt64(5), state: s.ColumnInt(6), parents: s.ColumnText(7),
			twin: s.ColumnInt64(8), hash: s.ColumnInt64(9),
		}
		return nil
	}, session)
	return rows, err
}

// docs writes the docs that differ and those in the word index whose words do.
func (p *putting) docs() error {
	ids, err := p.places()
	if err != nil {
		return err
	}
	for i, id := range ids {
		if err := p.doc(&p.u.Docs[i], id); err != nil {
			return err
		}
		delete(p.docsHad, id)
	}
	for id := range p.docsHad {
		p.w.feed.drop(id)
		if err := p.w.c.run("DELETE FROM doc WHERE id=?", id); err != nil {
			return err
		}
	}
	return nil
}

// seqs gives the Seqs of all a doc's entries, ascending.
func (d *Doc) seqs() []int {
	all := slices.Concat(d.Users, d.Answers, d.Steps)
	slices.Sort(all)
	return all
}

// places gives each doc its doc.id. Docs of entries stand on their last segment
// at their first entry there. Where another doc stands, which happens when a
// branch without words leaves in the middle of an exchange, the next of their
// entries serves; who ends first chooses first. Others stand on the segment of
// summaries.
func (p *putting) places() ([]int64, error) {
	ids := make([]int64, len(p.u.Docs))
	type spoken struct {
		doc  int
		seqs []int
	}
	var order []spoken
	for i := range p.u.Docs {
		if seqs := p.u.Docs[i].seqs(); len(seqs) > 0 {
			order = append(order, spoken{i, seqs})
		}
	}
	slices.SortStableFunc(order, func(a, b spoken) int {
		return cmp.Compare(a.seqs[len(a.seqs)-1], b.seqs[len(b.seqs)-1])
	})
	taken := make(map[int64]bool, len(ids))
	for _, x := range order {
		id := p.placeOf(x.seqs, taken)
		if id == 0 {
			return nil, fmt.Errorf("index: a doc of %s names entries that there are not, or that are another's", p.u.Session.ID.Native)
		}
		ids[x.doc], taken[id] = id, true
	}
	p.placeSummaries(ids)
	return ids, nil
}

// placeOf finds the place of a doc that has entries, 0 for none.
func (p *putting) placeOf(seqs []int, taken map[int64]bool) int64 {
	last := seqs[len(seqs)-1]
	if seqs[0] < 1 || last > len(p.u.Entries) {
		return 0
	}
	for _, seq := range seqs {
		if id := p.is.place(seq); p.is.on[seq-1] == p.is.on[last-1] && !taken[id] {
			return id
		}
	}
	return 0
}

// placeSummaries gives the docs without entries their places: the session at 0,
// each node where it stood before or else behind all others.
func (p *putting) placeSummaries(ids []int64) {
	stood := map[string]int64{}
	next := place(p.summary, 0)
	for id, d := range p.docsHad {
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
func (p *putting) doc(d *Doc, id int64) error {
	columns := p.columns(d)
	words := hashTexts(uint64(d.Kind), columns[:columnMeta])
	row := docRow{
		kind: d.Kind, node: d.Node, members: string(p.members(d).pack(id)), first: millis(d.First), last: millis(d.Last),
		state: stateReady*flag(d.Ready) | stateCompleted*flag(d.Done), parents: joinNodes(d.Parents),
		twin: int64(p.twin(d, words)) ^ mixFamily(p.u.Session.ID.Agent, p.family), hash: int64(hashTexts(words, columns[columnMeta:])),
	}
	had, known := p.docsHad[id]
	if row == had {
		return nil
	}
	if row.hash != had.hash || !known {
		p.w.feed.put(id, known, columns)
	}
	var text any // NULL for a doc of entries
	if d.Text != "" {
		text = d.Text
	}
	return p.w.c.run(`INSERT INTO doc(id, session, kind, node, members, first, last, state, parents, born, twin, hash, text)
		VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)
		ON CONFLICT(id) DO UPDATE SET kind=excluded.kind, node=excluded.node, members=excluded.members, first=excluded.first, last=excluded.last,
			state=excluded.state, parents=excluded.parents, twin=excluded.twin, hash=excluded.hash, text=excluded.text`,
		id, p.row, int(row.kind), row.node, []byte(row.members), row.first, row.last, row.state, row.parents, p.w.facts["changes"], row.twin, row.hash, text)
}

func (p *putting) members(d *Doc) members {
	at := func(seqs []int) []int64 {
		ids := make([]int64, len(seqs))
		for i, seq := range seqs {
			ids[i] = p.is.place(seq)
		}
		return ids
	}
	return members{users: at(d.Users), answers: at(d.Answers), steps: at(d.Steps)}
}

// columns gives what the word index holds of a doc. The words of a summary stand
// where an assistant's do, those of a session's name in meta alone: with the words
// of low weight, which are who else than a person and a model spoke, and the name
// that somebody gave the session. A derived name stands in the first exchange
// already.
func (p *putting) columns(d *Doc) *[columnCount][]string {
	texts := func(seqs []int) (out []string) {
		for _, seq := range seqs {
			out = append(out, p.u.Entries[seq-1].Words())
		}
		return out
	}
	c := [columnCount][]string{texts(d.Users), texts(d.Answers), texts(d.Steps), columnScope: {p.scope(d)}}
	switch {
	case d.Kind == lookback.KindSession:
		c[columnMeta] = []string{d.Text}
		return &c
	case len(d.Users)+len(d.Answers)+len(d.Steps) == 0:
		c[columnAssistant] = []string{d.Text}
	}
	var meta []string
	for _, seq := range slices.Concat(d.Users, d.Answers) {
		if a := p.u.Entries[seq-1].Author; a != "" && !slices.Contains(meta, a) {
			meta = append(meta, a)
		}
	}
	if p.u.Session.Named {
		meta = append(meta, p.u.Session.Name)
	}
	c[columnMeta] = meta
	return &c
}

// scope gives the tokens by which a doc is bound: where it may be seen, whose it
// is, what it is.
func (p *putting) scope(d *Doc) string {
	var b strings.Builder
	token := func(kind string, n int64) { b.WriteString(string(scopeMark) + kind + strconv.FormatInt(n, 10) + " ") }
	for _, dir := range p.dirs {
		token("d", dir)
	}
	token("s", p.row)
	token("k", int64(d.Kind))
	return b.String()
}

// hashTexts goes on with a hash of texts by column.
func hashTexts(h uint64, columns [][]string) uint64 {
	for i, texts := range columns {
		h = hash64(h+uint64(i), "")
		for _, text := range texts {
			h = hash64(h, text)
		}
	}
	return h
}

// twin is the hash that makes copies in forks equal, without the family: of the
// words and the agent's own ids. A session's own doc has no twin.
func (p *putting) twin(d *Doc, h uint64) uint64 {
	seqs := slices.Concat(d.Users, d.Answers, d.Steps)
	for _, seq := range seqs {
		h = hash64(h, p.u.Entries[seq-1].NodeID())
	}
	switch {
	case d.Kind == lookback.KindSession:
		return hash64(hash64(h, p.u.Session.ID.Agent), p.u.Session.ID.Native)
	case len(seqs) == 0:
		return hash64(h, d.Node)
	}
	return h
}
