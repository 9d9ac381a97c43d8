package index

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/ncruces/go-sqlite3"
)

// FilesOf gives the native files of one agent's sessions that belong to the
// workspace at root, by path.
func (db *DB) FilesOf(ctx context.Context, root, agent string) (map[string]FileState, error) {
	files := map[string]FileState{}
	root = filepath.Clean(root)
	err := db.read(ctx, func(c *conn) error {
		ids, err := c.dirsWithin(root)
		if err != nil {
			return err
		}
		const of = "SELECT f.path, f.stamp, f.session FROM session s CROSS JOIN file f ON f.path = s.source WHERE s.agent = ? AND "
		for _, id := range ids { // by the index on dir
			if err := c.query(of+"s.dir = ?", scanFile(files), agent, id); err != nil {
				return err
			}
		}
		// Sessions that only an archive counts in are found by looking at all, which
		// is left out where no archive is.
		from, to := below(root)
		kept, err := c.number("SELECT EXISTS(SELECT 1 FROM record WHERE dir >= ? AND dir < ?)", from, to)
		if err != nil || kept == 0 {
			return err
		}
		in, err := c.dirCondition(root)
		if err != nil {
			return err
		}
		return c.query(of+in, scanFile(files), agent)
	})
	return files, err
}

// below gives the bounds of all paths below a directory.
func below(dir string) (from, to string) {
	dir = strings.TrimRight(dir, string(filepath.Separator))
	return dir + string(filepath.Separator), dir + string(rune(filepath.Separator+1))
}

// FilesIn gives the native files that the index knows in a folder, by path: the
// one with the given name, or all of them for "".
func (db *DB) FilesIn(ctx context.Context, folder, name string) (map[string]FileState, error) {
	files := map[string]FileState{}
	from, to := below(folder)
	sql, args := "path >= ? AND path < ?", []any{from, to}
	if name != "" {
		sql, args = "path = ?", []any{filepath.Join(folder, name)}
	}
	err := db.read(ctx, func(c *conn) error {
		return c.query("SELECT path, stamp, session FROM file WHERE "+sql, scanFile(files), args...)
	})
	return files, err
}

func scanFile(files map[string]FileState) func(*sqlite3.Stmt) error {
	return func(s *sqlite3.Stmt) error {
		stamp := s.ColumnText(1)
		files[s.ColumnText(0)] = FileState{Stamp: stamp, Session: s.ColumnInt64(2), Gone: stamp == ""}
		return nil
	}
}

// Unfinished tells which of the sessions with the given rows have an exchange that
// is not completed.
func (db *DB) Unfinished(ctx context.Context, rows []int64) (map[int64]bool, error) {
	out := map[int64]bool{}
	err := db.read(ctx, func(c *conn) error {
		for _, row := range rows {
			n, err := c.number(`SELECT EXISTS(SELECT 1 FROM segment g CROSS JOIN doc ON doc.id BETWEEN g.id<<24 AND g.id<<24 | 16777215
				WHERE g.session = ? AND g.parent >= 0 AND doc.kind = 1 AND doc.state & 2 = 0)`, row)
			if err != nil {
				return err
			}
			out[row] = n != 0
		}
		return nil
	})
	return out, err
}

// SessionByRecord gives the session whose record has the archive id, nil when the
// index has none.
func (db *DB) SessionByRecord(ctx context.Context, record string) (found *Session, err error) {
	err = db.read(ctx, func(c *conn) error {
		found, err = c.sessionWhere("WHERE s.record=?", record)
		return err
	})
	return found, err
}
