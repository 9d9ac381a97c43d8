package index

import (
	"sort"

	"github.com/ncruces/go-sqlite3"
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

// queue holds what the word index has yet to be told. It is told at the end of a
// transaction and in the order of rowids, since the engine writes out what it has
// gathered whenever they go backwards.
type queue struct {
	buf  []byte // texts of all rows, one column after the other
	rows []queued
}

type queued struct {
	id   int64
	old  bool // the row is there already
	from int  // where its texts begin in buf
	ends [columnCount]int
	gone bool // no row shall stay; it has no texts
}

// clear forgets the rows and keeps the memory, unless one batch took much.
func (q *queue) clear() {
	q.rows = q.rows[:0]
	q.buf = q.buf[:0]
	if cap(q.buf) > 2*batchBytes {
		q.buf = nil
	}
}

// put adds a row; fill appends the text of each column to the buffer.
func (q *queue) put(id int64, old bool, fill func(column int, dst []byte) []byte) {
	row := queued{id: id, old: old, from: len(q.buf)}
	for i := range row.ends {
		text := fill(i, q.buf[len(q.buf):])
		q.buf = append(q.buf, text...)
		row.ends[i] = len(q.buf)
	}
	q.rows = append(q.rows, row)
}

// drop deletes a row.
func (q *queue) drop(id int64) { q.rows = append(q.rows, queued{id: id, old: true, gone: true}) }

func (q *queue) flush(c *conn) error {
	sort.SliceStable(q.rows, func(i, j int) bool { return q.rows[i].id < q.rows[j].id })
	for i := range q.rows {
		row := &q.rows[i]
		if row.old {
			if err := c.run("DELETE FROM words WHERE rowid=?", row.id); err != nil {
				return err
			}
		}
		if row.gone {
			continue
		}
		if err := q.insert(c, row); err != nil {
			return err
		}
	}
	q.clear()
	return nil
}

func (q *queue) insert(c *conn, row *queued) error {
	s, err := c.stmt("INSERT INTO words(rowid, user, assistant, steps, meta, scope) VALUES (?, ?, ?, ?, ?, ?)")
	if err != nil {
		return err
	}
	if err := s.BindInt64(1, row.id); err != nil {
		return err
	}
	from := row.from
	for i, end := range row.ends {
		if err := bindColumn(s, i+2, q.buf[from:end]); err != nil {
			return err
		}
		from = end
	}
	return s.Exec()
}

func bindColumn(s *sqlite3.Stmt, param int, text []byte) error {
	if len(text) == 0 {
		return s.BindNull(param)
	}
	return s.BindRawText(param, text)
}
