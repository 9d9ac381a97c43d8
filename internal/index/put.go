package index

import (
	"context"
	"slices"

	"github.com/ncruces/go-sqlite3"

	"lookback"
)

// Put makes u the state of its session. Only what differs from the state before
// is written: entries from u.From on, docs whose words changed, rows whose times,
// flags or parents did. Row and Family of u.Session are ignored. ErrTooLong, which
// changes nothing, means that the session cannot be indexed.
func (w *Writer) Put(ctx context.Context, u Update) error {
	if len(u.Entries) > maxSeq {
		return ErrTooLong
	}
	return w.change(ctx, func() error {
		p := putting{w: w, u: &u}
		for _, step := range []func() error{p.begin, p.entries, p.docs, p.end} {
			if err := step(); err != nil {
				return err
			}
		}
		return nil
	})
}

// putting is one Put under way.
type putting struct {
	w       *Writer
	u       *Update
	row     int64
	old     *Session // as the index had it, nil for a new one
	had     []lookback.Entry
	docsHad map[int64]docRow
	was, is layout
	summary int64   // segment of the summaries
	dirs    []int64 // dir.id of the working directory and of the homes
	family  string
}

func (p *putting) begin() (err error) {
	w, u := p.w, p.u
	if p.old, err = w.c.sessionByID(u.Session.ID); err != nil {
		return err
	}
	if err := p.directories(); err != nil {
		return err
	}
	if p.old == nil {
		p.row = w.next("sessions")
	} else {
		p.row = p.old.Row
		if p.was, p.had, err = w.c.layout(p.row); err != nil {
			return err
		}
		if p.docsHad, err = w.c.docRows(p.row); err != nil {
			return err
		}
	}
	if err := p.upsert(); err != nil {
		return err
	}
	if u.File != nil { // before relate, which finds parents by their path
		if err := w.setFile(*u.File, p.row, u.Warnings); err != nil {
			return err
		}
	}
	if err := p.relate(); err != nil {
		return err
	}
	if p.summary, err = w.summaries(p.row); err != nil {
		return err
	}
	p.is, err = w.arrange(p.row, u.Entries, &p.was)
	return err
}

func (p *putting) directories() error {
	s := &p.u.Session
	for _, path := range append([]string{s.Cwd}, p.u.Homes...) {
		if err := p.w.c.run("INSERT OR IGNORE INTO dir(agent, path) VALUES (?, ?)", s.ID.Agent, path); err != nil {
			return err
		}
		id, err := p.w.c.number("SELECT id FROM dir WHERE agent=? AND path=?", s.ID.Agent, path)
		if err != nil {
			return err
		}
		if !slices.Contains(p.dirs, id) {
			p.dirs = append(p.dirs, id)
		}
	}
	return nil
}

// upsert writes the session's own row. The family is set by relate.
func (p *putting) upsert() error {
	s := &p.u.Session
	homes := ""
	if len(p.dirs) > 1 {
		homes = " " + joinNumbers(p.dirs[1:], " ") + " "
	}
	return p.w.c.run(`INSERT INTO session(id, agent, native, dir, homes, archive, record, source, gone, name, named, version, aged,
			parent, family, started, first, last, entries, exchanges, pending)
		VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,'',?,?,?,?,?,?)
		ON CONFLICT(id) DO UPDATE SET dir=excluded.dir, homes=excluded.homes, archive=excluded.archive, record=excluded.record,
			source=excluded.source, gone=excluded.gone, name=excluded.name, named=excluded.named, version=excluded.version,
			aged=excluded.aged, parent=excluded.parent, started=excluded.started, first=excluded.first, last=excluded.last,
			entries=excluded.entries, exchanges=excluded.exchanges, pending=excluded.pending`,
		p.row, s.ID.Agent, s.ID.Native, p.dirs[0], homes, s.Archive, s.Record, s.Source, flag(s.Gone), s.Name, flag(s.Named), s.Version, s.Aged,
		s.Parent, millis(s.Started), millis(s.First), millis(s.Last), s.Entries, s.Exchanges, s.Pending)
}

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

// end writes what belongs to the session besides its entries and docs.
func (p *putting) end() error {
	s := &p.u.Session
	skeleton := encodeSkeleton(p.u.Entries, p.is.ids)
	err := p.w.c.run(`INSERT INTO log(session, skeleton) VALUES (?, ?)
		ON CONFLICT(session) DO UPDATE SET skeleton=excluded.skeleton WHERE skeleton<>excluded.skeleton`, p.row, skeleton)
	if err == nil && s.Record != "" {
		err = p.w.c.run("UPDATE record SET session=? WHERE dir=? AND id=? AND session<>?", p.row, s.Archive, s.Record, p.row)
	}
	return err
}

// entries writes the words of spoken entries. An entry without words has no row.
func (p *putting) entries() error {
	from := p.from()
	old, err := p.stored(from)
	if err == nil && from <= len(p.u.Entries) {
		err = p.w.kin.load(p.w.c, p.u.Session.ID.Agent, p.family)
	}
	if err != nil {
		return err
	}
	for i := from - 1; i < len(p.u.Entries); i++ {
		e := &p.u.Entries[i]
		text := e.Words()
		if !e.Spoken() || text == "" {
			continue
		}
		id := p.is.place(e.Seq)
		had, ok := old[id]
		if ok && had.role == int(e.Role) && had.text == text {
			delete(old, id)
			continue
		}
		if ok {
			if err := p.w.dropEntry(id); err != nil {
				return err
			}
			delete(old, id)
		}
		if err := p.addEntry(id, e, text); err != nil {
			return err
		}
	}
	for id := range old {
		if err := p.w.dropEntry(id); err != nil {
			return err
		}
	}
	return nil
}

// from is the first Seq to look at: what the caller says, unless the index does
// not hold the entries before it as they are.
func (p *putting) from() int {
	from := max(1, min(p.u.From, len(p.had)+1, len(p.u.Entries)+1))
	for i := range p.u.Entries[:from-1] {
		a, b := &p.had[i], &p.u.Entries[i]
		if a.ID != b.ID || a.Parent != b.Parent || a.Role != b.Role || a.Spoken() != b.Spoken() {
			return i + 1
		}
	}
	return from
}

// storedEntry is a row of the entry table.
type storedEntry struct {
	role int
	text string
}

// heldText joins to an entry e the one that holds its words when it is a copy.
const heldText = " entry e LEFT JOIN entry o ON o.id=e.same AND e.same<>0 "

// stored gives the rows of entries from a Seq on, as the index has them.
func (p *putting) stored(from int) (map[int64]storedEntry, error) {
	old := map[int64]storedEntry{}
	for i := from - 1; i < len(p.had); i++ {
		if !p.had[i].Spoken() {
			continue
		}
		id := p.was.place(i + 1)
		err := p.w.c.query("SELECT e.role, coalesce(e.text, o.text) FROM"+heldText+"WHERE e.id=?", func(s *sqlite3.Stmt) error {
			old[id] = storedEntry{s.ColumnInt(0), s.ColumnText(1)}
			return nil
		}, id)
		if err != nil {
			return nil, err
		}
	}
	return old, nil
}

// addEntry writes a row: the words, or where in the family they are already.
func (p *putting) addEntry(id int64, e *lookback.Entry, text string) error {
	p.w.bytes += len(text)
	same, err := p.w.kin.find(p.w.c, p.row, e.ID, text)
	if err != nil {
		return err
	}
	p.w.kin.add(e.ID, id)
	if same != 0 {
		return p.w.c.run("INSERT INTO entry(id, role, text, same) VALUES (?, ?, NULL, ?)", id, int(e.Role), same)
	}
	return p.w.c.run("INSERT INTO entry(id, role, text, same) VALUES (?, ?, ?, 0)", id, int(e.Role), text)
}

// dropEntry deletes a row. When copies point at its words, the first of them gets
// the words and the others point at that one.
func (w *Writer) dropEntry(id int64) error {
	heir, err := w.c.number("SELECT min(id) FROM entry WHERE same=? AND same<>0", id)
	if err == nil && heir != 0 {
		err = w.c.run("UPDATE entry SET text=(SELECT text FROM entry WHERE id=?), same=0 WHERE id=?", id, heir)
		if err == nil {
			err = w.c.run("UPDATE entry SET same=? WHERE same=? AND same<>0", heir, id)
		}
	}
	if err != nil {
		return err
	}
	return w.c.run("DELETE FROM entry WHERE id=?", id)
}
