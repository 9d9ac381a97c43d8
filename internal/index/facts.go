package index

import (
	"fmt"

	"github.com/ncruces/go-sqlite3"
)

// pageSize is the engine's usual one. Twice as much was measured to make neither
// the file smaller nor writing cheaper.
const pageSize = 4096

// layoutPragmas must come before the first table.
var layoutPragmas = fmt.Sprintf("PRAGMA page_size=%d; PRAGMA synchronous=NORMAL; PRAGMA application_id=%d; PRAGMA user_version=%d",
	pageSize, applicationID, schemaVersion)

// tuning is how the word index gathers and merges. hashsize, in bytes of postings,
// lets one transaction make one segment. Merging is left to mergeWords alone: the
// engine's own would now and then merge everything in one commit, however small.
const tuning = `INSERT INTO words(words, rank) VALUES ('hashsize', 16777216), ('automerge', 0), ('crisismerge', 1000), ('usermerge', 16);`

// mergeWords goes on with merging segments of the word index, for about as many
// pages as the transaction writes and a few more. It does nothing until a level
// has 16 segments, or a tenth of one is deleted rows.
func (c *conn) mergeWords(bytes int) error {
	return c.run("INSERT INTO words(words, rank) VALUES ('merge', ?)", mergePages+bytes/(pageSize/2))
}

// mergePages is how much a transaction merges however little it writes: 128 pages
// take about 20 ms.
const mergePages = 128

// facts are what the fact table holds. changes counts commits, segments is the
// last segment given out, sessions the last session row, synced the end of the
// last whole sync in unix ms.
const facts = `INSERT INTO fact(name, value) VALUES ('changes', 0), ('segments', 0), ('sessions', 0), ('synced', 0);`

// fact reads a number of the fact table, 0 when it is not there.
func (c *conn) fact(name string) (int64, error) {
	return c.number("SELECT value FROM fact WHERE name=?", name)
}

func (c *conn) setFact(name string, value int64) error {
	return c.run("UPDATE fact SET value=? WHERE name=?", value, name)
}

// text gives the first column of the first row; ok is false for none.
func (c *conn) text(sql string, args ...any) (text string, ok bool, err error) {
	err = c.query(sql, func(s *sqlite3.Stmt) error {
		text, ok = s.ColumnText(0), true
		return nil
	}, args...)
	return text, ok, err
}
