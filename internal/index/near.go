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
	err := db.read(ctx, func(c *conn) error {
		in, err := c.dirCondition(filepath.Clean(root))
		if err != nil {
			return err
		}
		return c.query("SELECT f.path, f.stamp, f.session FROM session s CROSS JOIN file f ON f.path = s.source WHERE "+in+" AND s.agent = ?",
			scanFile(files), agent)
	})
	return files, err
}

// FilesIn gives the native files that the index knows in a folder, by path: the
// one with the given name, or all of them for "".
func (db *DB) FilesIn(ctx context.Context, folder, name string) (map[string]FileState, error) {
	files := map[string]FileState{}
	prefix := strings.TrimRight(folder, string(filepath.Separator)) + string(filepath.Separator)
	sql, args := "path >= ? AND path < ?", []any{prefix, prefix[:len(prefix)-1] + string(rune(filepath.Separator+1))}
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
