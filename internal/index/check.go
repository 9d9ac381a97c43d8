package index

import (
	"context"
	"fmt"

	"github.com/ncruces/go-sqlite3"
)

// maxProblems bounds what Check lists of one kind.
const maxProblems = 20

// Check looks the whole index through and lists what does not fit together, one
// short English phrase each; none means that it is sound. It reads every page. A
// database that the engine cannot read is replaced, with ErrRebuilt.
func (db *DB) Check(ctx context.Context) ([]string, error) {
	problems, err := db.check(ctx, checkPages, checkRows, checkLogs)
	return problems, db.judge(ctx, err, db.generation(), false)
}

// check has a connection of its own: the engine checks the word index by the list of
// segments that the connection last read, which may be an old one.
func (db *DB) check(ctx context.Context, checks ...func(*conn) ([]string, error)) (problems []string, err error) {
	c, err := db.dial(ctx, readerPragmas)
	if err != nil {
		return nil, err
	}
	defer c.close()
	err = inTransaction(ctx, c, func(c *conn) error {
		for _, check := range checks {
			found, err := check(c)
			if err != nil {
				return err
			}
			problems = append(problems, found...)
		}
		return nil
	})
	return problems, err
}

// checkPages has the engine check its trees, the word index among them.
func checkPages(c *conn) (problems []string, err error) {
	err = c.query(fmt.Sprintf("PRAGMA integrity_check(%d)", maxProblems), func(s *sqlite3.Stmt) error {
		if line := s.ColumnText(0); line != "ok" {
			problems = append(problems, line)
		}
		return nil
	})
	return problems, err
}

// consistency holds counts that have to be zero.
var consistency = []struct{ problem, sql string }{
	{"docs without words in the word index", "SELECT count(*) FROM doc d LEFT JOIN words_docsize w ON w.id=d.id WHERE w.id IS NULL"},
	{"words in the word index without a doc", "SELECT count(*) FROM words_docsize w LEFT JOIN doc d ON d.id=w.id WHERE d.id IS NULL"},
	{"entries whose words are lost", "SELECT count(*) FROM entry e LEFT JOIN entry o ON o.id=e.same WHERE e.text IS NULL AND o.text IS NULL"},
	{"segments without a session", "SELECT count(*) FROM segment g LEFT JOIN session s ON s.id=g.session WHERE s.id IS NULL"},
	{"docs without a segment", "SELECT count(*) FROM doc d LEFT JOIN segment g ON g.id=d.id>>24 WHERE g.id IS NULL OR g.session<>d.session"},
	{"entries without a segment", "SELECT count(*) FROM entry e LEFT JOIN segment g ON g.id=e.id>>24 WHERE g.id IS NULL"},
	{"files of no session", "SELECT count(*) FROM file f LEFT JOIN session s ON s.id=f.session WHERE f.session<>0 AND s.id IS NULL"},
	{"sessions without a log", "SELECT count(*) FROM session s LEFT JOIN log l ON l.session=s.id WHERE l.session IS NULL"},
}

func checkRows(c *conn) (problems []string, err error) {
	for _, k := range consistency {
		n, err := c.number(k.sql)
		if err != nil {
			return nil, err
		}
		if n > 0 {
			problems = append(problems, fmt.Sprintf("%d %s", n, k.problem))
		}
	}
	return problems, nil
}

// checkLogs takes every skeleton apart.
func checkLogs(c *conn) (problems []string, err error) {
	err = c.query("SELECT session, skeleton FROM log", func(s *sqlite3.Stmt) error {
		entries, segments, err := decodeSkeleton(s.ColumnRawBlob(1))
		runs, _ := segmentation(entries)
		if (err != nil || len(runs) != len(segments)) && len(problems) < maxProblems {
			problems = append(problems, fmt.Sprintf("session %d has a damaged log", s.ColumnInt64(0)))
		}
		return nil
	})
	return problems, err
}
