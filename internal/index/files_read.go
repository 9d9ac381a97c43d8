package index

import (
	"context"

	"github.com/ncruces/go-sqlite3"

	"lookback"
)

// FileState is what the index knows of a native file.
type FileState struct {
	Stamp   string // as SetFile or Put last had it
	Session int64  // Session.Row it was read into, 0 for none
	Gone    bool   // MarkGone was called since
}

// Files gives all native files by path.
func (db *DB) Files(ctx context.Context) (map[string]FileState, error) {
	var files map[string]FileState
	err := db.read(ctx, func(c *conn) error {
		n, err := c.number("SELECT count(*) FROM file")
		if err != nil {
			return err
		}
		files = make(map[string]FileState, n)
		return c.query("SELECT path, stamp, session FROM file", func(s *sqlite3.Stmt) error {
			stamp := s.ColumnText(1)
			files[s.ColumnText(0)] = FileState{Stamp: stamp, Session: s.ColumnInt64(2), Gone: stamp == ""}
			return nil
		})
	})
	return files, err
}

// Cursor gives the reader's state kept with a native file, nil for none.
func (db *DB) Cursor(ctx context.Context, path string) ([]byte, error) {
	var cursor []byte
	err := db.read(ctx, func(c *conn) error {
		return c.query("SELECT cursor FROM file WHERE path=?", func(s *sqlite3.Stmt) error {
			cursor = s.ColumnBlob(0, nil)
			return nil
		}, path)
	})
	return cursor, err
}

// RecordState is an archive record as the index last saw it.
type RecordState struct {
	Stamp   string
	Session int64 // Session.Row, 0 for a record that gave none
}

// Records gives the records of the archive in dir by archive id.
func (db *DB) Records(ctx context.Context, dir string) (map[string]RecordState, error) {
	records := map[string]RecordState{}
	err := db.read(ctx, func(c *conn) error {
		return c.query("SELECT id, stamp, session FROM record WHERE dir=? AND id<>''", func(s *sqlite3.Stmt) error {
			records[s.ColumnText(0)] = RecordState{Stamp: s.ColumnText(1), Session: s.ColumnInt64(2)}
			return nil
		}, dir)
	})
	return records, err
}

// RecordFolders gives the archive directories with the stamp that SetFolder noted.
func (db *DB) RecordFolders(ctx context.Context) (map[string]string, error) {
	folders := map[string]string{}
	err := db.read(ctx, func(c *conn) error {
		return c.query("SELECT dir, stamp FROM record WHERE id=''", func(s *sqlite3.Stmt) error {
			folders[s.ColumnText(0)] = s.ColumnText(1)
			return nil
		})
	})
	return folders, err
}

// RecordDirs lists the archive directories that hold a record of the session with
// the given row, sorted.
func (db *DB) RecordDirs(ctx context.Context, row int64) ([]string, error) {
	return db.texts(ctx, "SELECT DISTINCT dir FROM record WHERE session=? ORDER BY dir", row)
}

// Stamp gives what SetFile or Put last noted of a native file, "" when it is not
// known or gone.
func (db *DB) Stamp(ctx context.Context, path string) (stamp string, err error) {
	err = db.read(ctx, func(c *conn) error {
		stamp, _, err = c.text("SELECT stamp FROM file WHERE path=?", path)
		return err
	})
	return stamp, err
}

// HasDir reports whether a session ran in exactly this directory.
func (db *DB) HasDir(ctx context.Context, path string) (bool, error) {
	var n int64
	err := db.read(ctx, func(c *conn) (err error) {
		n, err = c.number("SELECT count(*) FROM dir WHERE path=?", path)
		return err
	})
	return n > 0, err
}

// Dirs lists the directories that sessions ran in, sorted.
func (db *DB) Dirs(ctx context.Context) ([]string, error) {
	return db.texts(ctx, "SELECT DISTINCT path FROM dir WHERE path<>'' ORDER BY path")
}

func (db *DB) texts(ctx context.Context, sql string, args ...any) ([]string, error) {
	var out []string
	err := db.read(ctx, func(c *conn) error {
		return c.query(sql, func(s *sqlite3.Stmt) error {
			out = append(out, s.ColumnText(0))
			return nil
		}, args...)
	})
	return out, err
}

// Warnings gives those of every native file as it was last read, sorted by file
// and kind.
func (db *DB) Warnings(ctx context.Context) ([]lookback.Warning, error) {
	var out []lookback.Warning
	err := db.read(ctx, func(c *conn) error {
		return c.query("SELECT file, kind, line, count, detail FROM warning ORDER BY file, kind", func(s *sqlite3.Stmt) error {
			out = append(out, lookback.Warning{
				File: s.ColumnText(0), Kind: lookback.WarningKind(s.ColumnText(1)),
				Line: s.ColumnInt(2), Count: s.ColumnInt(3), Detail: s.ColumnText(4),
			})
			return nil
		})
	})
	return out, err
}
