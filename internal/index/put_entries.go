package index

import (
	"github.com/ncruces/go-sqlite3"

	"lookback"
)

// entries writes the words of spoken entries. An entry without words has no row.
func (p *putting) entries() error {
	from := p.from()
	old, err := p.stored(from)
	if err != nil {
		return err
	}
	p.w.texts.use(p.family, p.row)
	for i := from - 1; i < len(p.u.Entries); i++ {
		e := &p.u.Entries[i]
		if !e.Spoken() {
			continue
		}
		text := e.Words()
		if text == "" {
			continue
		}
		id := p.is.place(e.Seq)
		had, ok := old[id]
		delete(old, id)
		if ok && had.role == int(e.Role) && had.text == text {
			continue
		}
		if ok {
			if err := p.w.dropEntry(id); err != nil {
				return err
			}
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

// stored gives the rows of entries from a Seq on, as the index has them.
func (p *putting) stored(from int) (map[int64]storedEntry, error) {
	old := map[int64]storedEntry{}
	for i := from - 1; i < len(p.had); i++ {
		if !p.had[i].Spoken() {
			continue
		}
		id := p.was.place(i + 1)
		err := p.w.c.query(`SELECT e.role, coalesce(e.text, o.text) FROM entry e LEFT JOIN entry o ON o.id=e.same WHERE e.id=?`, func(s *sqlite3.Stmt) error {
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
	same, err := p.w.texts.find(p.w.c, e.ID, text)
	if err != nil {
		return err
	}
	if same != 0 {
		return p.w.c.run("INSERT INTO entry(id, role, text, same) VALUES (?, ?, NULL, ?)", id, int(e.Role), same)
	}
	p.w.texts.add(e.ID, id)
	return p.w.c.run("INSERT INTO entry(id, role, text, same) VALUES (?, ?, ?, 0)", id, int(e.Role), text)
}

// dropEntry deletes a row. When copies point at its words, the first of them gets
// the words and the others point at that one.
func (w *Writer) dropEntry(id int64) error {
	w.texts = familyTexts{}
	heir, err := w.c.number("SELECT min(id) FROM entry WHERE same=? AND same<>0", id)
	if err != nil {
		return err
	}
	if heir != 0 {
		if err := w.c.run("UPDATE entry SET text=(SELECT text FROM entry WHERE id=?), same=0 WHERE id=?", id, heir); err != nil {
			return err
		}
		if err := w.c.run("UPDATE entry SET same=? WHERE same=? AND same<>0", heir, id); err != nil {
			return err
		}
	}
	return w.c.run("DELETE FROM entry WHERE id=?", id)
}
