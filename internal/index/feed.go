package index

import (
	"cmp"
	"slices"

	"lookback/internal/words"
)

// columns of the table words, in order.
const (
	columnUser = iota
	columnAssistant
	columnSteps
	columnMeta
	columnScope
	columnCount
)

// indexStems says whether the stems of words are indexed beside them.
const indexStems = true

// barrier is a token that no query can name. It stands between two texts in one
// column, so that no phrase runs from one into the other.
var barrier = []byte{scopeMark}

// termSlots bounds what is remembered of terms already written: 1 MB, so that it
// stays near the processor.
const termSlots = 1 << 17

// feed holds what the word index and the dictionary of terms have yet to be told.
// They are told at the end of a transaction and in the order of rowids and terms:
// the engine writes out what it has gathered whenever rowids go backwards, and
// neighbouring terms meet one page.
type feed struct {
	buf   []byte // columns of all rows, one after the other
	rows  []feedRow
	terms []string
	// known remembers terms by a hash each, in a table where a newer one displaces
	// an older: forgetting costs an insert that is ignored.
	known []uint64
}

type feedRow struct {
	id        int64
	old, gone bool // there is a row already; none shall be
	from      int  // where its columns begin in buf
	ends      [columnCount]int
}

// put adds a row with the texts of each column, those of the scope as they stand.
// old says that the word index has one of this id.
func (f *feed) put(id int64, old bool, columns *[columnCount][]string) {
	row := feedRow{id: id, old: old, from: len(f.buf)}
	for i, texts := range columns {
		if i == columnScope {
			f.buf = append(f.buf, texts[0]...)
		} else {
			f.split(texts)
		}
		row.ends[i] = len(f.buf)
	}
	f.rows = append(f.rows, row)
}

// drop deletes a row.
func (f *feed) drop(id int64) { f.rows = append(f.rows, feedRow{id: id, old: true, gone: true}) }

// split appends a column in the form of a text that was split before, and notes
// the terms.
func (f *feed) split(texts []string) {
	start := len(f.buf)
	for _, text := range texts {
		if len(f.buf) > start && text != "" {
			f.buf = appendToken(f.buf, barrier, false)
		}
		last := -1
		for t := range words.Each(text, indexStems) {
			if len(f.buf) == start {
				f.buf = append(f.buf, tokenMark)
			}
			f.buf = appendToken(f.buf, t.Text, t.Pos == last)
			last = t.Pos
			if t.Form != words.Stemmed && t.Form != words.Pair {
				f.note(t.Text)
			}
		}
	}
}

// note takes in a term that the dictionary may lack.
func (f *feed) note(term []byte) {
	h := hash64(1, term) | 1 // 0 marks a free slot
	if f.known == nil {
		f.known = make([]uint64, termSlots)
	}
	slot := &f.known[h>>40%termSlots]
	if *slot != h {
		*slot = h
		f.terms = append(f.terms, string(term))
	}
}

// flush tells all and keeps the memory, unless one batch took much.
func (f *feed) flush(c *conn) error {
	slices.Sort(f.terms)
	for _, term := range slices.Compact(f.terms) {
		if err := c.run("INSERT OR IGNORE INTO term(term) VALUES (?)", term); err != nil {
			return err
		}
	}
	slices.SortStableFunc(f.rows, func(a, b feedRow) int { return cmp.Compare(a.id, b.id) })
	for i := range f.rows {
		if err := f.tell(c, &f.rows[i]); err != nil {
			return err
		}
	}
	f.terms, f.rows, f.buf = f.terms[:0], f.rows[:0], f.buf[:0]
	if cap(f.buf) > 2*batchBytes {
		f.buf = nil
	}
	return nil
}

func (f *feed) tell(c *conn, row *feedRow) error {
	if row.old {
		if err := c.run("DELETE FROM words WHERE rowid=?", row.id); err != nil {
			return err
		}
	}
	if row.gone {
		return nil
	}
	args := [1 + columnCount]any{row.id}
	from := row.from
	for i, end := range row.ends {
		args[1+i] = rawText(f.buf[from:end])
		from = end
	}
	return c.run("INSERT INTO words(rowid, user, assistant, steps, meta, scope) VALUES (?, ?, ?, ?, ?, ?)", args[:]...)
}
