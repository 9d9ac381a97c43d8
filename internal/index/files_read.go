package index

import (
	"context"
	"path/filepath"
	"strings"

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
	files := map[string]FileState{}
	return files, db.query(ctx, "SELECT f.path, f.stamp, f.session FROM file f", scanFile(files))
}

// FilesIn gives the native files that the index knows in a folder, by path: the
// one with the given name, or all of them for "".
func (db *DB) FilesIn(ctx context.Context, folder, name string) (map[string]FileState, error) {
	from, to := below(folder)
	sql, args := "f.path>=? AND f.path<?", []any{from, to}
	if name != "" {
		sql, args = "f.path=?", []any{filepath.Join(folder, name)}
	}
	files := map[string]FileState{}
	return files, db.query(ctx, "SELECT f.path, f.stamp, f.session FROM file f WHERE "+sql, scanFile(files), args...)
}

// FilesOf gives the native files of one agent's sessions that belong to the
// workspace at root, by path.
func (db *DB) FilesOf(ctx context.Context, root, agent string) (map[string]FileState, error) {
	root = filepath.Clean(root)
	in, err := look(ctx, db, func(c *conn) (string, error) {
		// Sessions that only an archive counts in are found by looking at all, which
		// is left out where no archive is.
		from, to := below(root)
		kept, err := c.number("SELECT EXISTS(SELECT 1 FROM record WHERE dir>=? AND dir<?)", from, to)
		if err != nil {
			return "", err
		}
		ids, err := c.dirsWithin(root)
		if kept != 0 {
			return dirCondition(ids), err
		}
		return "s.dir IN (" + joinNumbers(ids, ",") + ")", err
	})
	if err != nil {
		return nil, err
	}
	files := map[string]FileState{}
	return files, db.query(ctx, "SELECT f.path, f.stamp, f.session FROM session s CROSS JOIN file f ON f.path=s.source WHERE s.agent=? AND "+in, scanFile(files), agent)
}

// below gives the bounds of all paths below a directory.
func below(dir string) (from, to string) {
	const slash = filepath.Separator
	dir = strings.TrimRight(dir, string(slash))
	return dir + string(slash), dir + string(rune(slash+1))
}

func scanFile(files map[string]FileState) func(*sqlite3.Stmt) {
	return func(s *sqlite3.Stmt) {
		stamp := s.ColumnText(1)
		files[s.ColumnText(0)] = FileState{Stamp: stamp, Session: s.ColumnInt64(2), Gone: stamp == ""}
	}
}

// Stamp gives what SetFile or Put last noted of a native file, "" when it is not
// known or gone.
func (db *DB) Stamp(ctx context.Context, path string) (stamp string, err error) {
	err = db.query(ctx, "SELECT stamp FROM file WHERE path=?", func(s *sqlite3.Stmt) { stamp = s.ColumnText(0) }, path)
	return stamp, err
}

// Cursor gives the reader's state kept with a native file, nil for none.
func (db *DB) Cursor(ctx context.Context, path string) (cursor []byte, err error) {
	err = db.query(ctx, "SELECT cursor FROM file WHERE path=?", func(s *sqlite3.Stmt) { cursor = s.ColumnBlob(0, nil) }, path)
	return cursor, err
}

// Warnings gives those of every native file as it was last read, sorted by file
// and kind.
func (db *DB) Warnings(ctx context.Context) (out []lookback.Warning, err error) {
	err = db.query(ctx, "SELECT file, kind, line, count, detail FROM warning ORDER BY file, kind", func(s *sqlite3.Stmt) {
		out = append(out, lookback.Warning{
			File: s.ColumnText(0), Kind: lookback.WarningKind(s.ColumnText(1)),
			Line: s.ColumnInt(2), Count: s.ColumnInt(3), Detail: s.ColumnText(4),
		})
	})
	return out, err
}

// RecordState is an archive record as the index last saw it.
type RecordState struct {
	Stamp   string
	Session int64 // Session.Row, 0 for a record that gave none
}

// Records gives the records of the archive in dir by archive id.
func (db *DB) Records(ctx context.Context, dir string) (map[string]RecordState, error) {
	records := map[string]RecordState{}
	err := db.query(ctx, "SELECT id, stamp, session FROM record WHERE dir=? AND id<>''", func(s *sqlite3.Stmt) {
		records[s.ColumnText(0)] = RecordState{Stamp: s.ColumnText(1), Session: s.ColumnInt64(2)}
	}, dir)
	return records, err
}

// RecordFolders gives the archive directories with the stamp that SetFolder noted.
func (db *DB) RecordFolders(ctx context.Context) (map[string]string, error) {
	folders := map[string]string{}
	err := db.query(ctx, "SELECT dir, stamp FROM record WHERE id=''", func(s *sqlite3.Stmt) {
		folders[s.ColumnText(0)] = s.ColumnText(1)
	})
	return folders, err
}

// RecordDirs lists the archive directories that hold a record of the session with
// the given row, sorted.
func (db *DB) RecordDirs(ctx context.Context, row int64) ([]string, error) {
	return db.texts(ctx, "SELECT DISTINCT dir FROM record WHERE session=? ORDER BY dir", row)
}

// HasDir reports whether a session ran in exactly this directory.
func (db *DB) HasDir(ctx context.Context, path string) (bool, error) {
	found, err := db.texts(ctx, "SELECT path FROM dir WHERE path=? LIMIT 1", path)
	return len(found) > 0, err
}

// Dirs lists the directories that sessions ran in, sorted.
func (db *DB) Dirs(ctx context.Context) ([]string, error) {
	return db.texts(ctx, "SELECT DISTINCT path FROM dir WHERE path<>'' ORDER BY path")
}

func (db *DB) texts(ctx context.Context, sql string, args ...any) (out []string, err error) {
	err = db.query(ctx, sql, func(s *sqlite3.Stmt) { out = append(out, s.ColumnText(0)) }, args...)
	return out, err
}
