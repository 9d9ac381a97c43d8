package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ncruces/go-sqlite3"
)

// What a person is told once after opening, see DB.Notice.
const (
	noticeOlder     = "the index was made by another version of lookback and is built again"
	noticeDamaged   = "the index was damaged and is built again from the sessions and the archive"
	noticeReadOnly  = "the index folder cannot be written: what was said since the last sync is not found"
	noticeTemporary = "the index folder cannot be written: a temporary index is built for this run, which is slow"
)

// applicationID marks our databases: "lkbk".
const applicationID = 0x6c6b626b

// Open opens the index at path, making the folder and the database when there
// are none. A database of an older version, or a damaged one, is replaced by an
// empty one; one of a newer version gives ErrNewer and stays as it is. Where
// the folder cannot be written, the database that lies there is read, and
// without one a temporary database serves until Close. Notice tells which.
func Open(ctx context.Context, path string, o Options) (*DB, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	db := &DB{options: o, path: path, turn: make(chan struct{}, 1)}
	if err := makeDir(filepath.Dir(path)); err != nil {
		return db, db.openTemporary(ctx)
	}
	if real, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		db.path = filepath.Join(real, filepath.Base(path)) // as the engine names its further files
	}
	err = db.openShared(ctx)
	if err == nil || errors.Is(err, ErrNewer) || ctx.Err() != nil || writable(db.path) {
		return opened(db, err)
	}
	return opened(db, db.openUnwritable(ctx))
}

func opened(db *DB, err error) (*DB, error) {
	if err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

// openShared opens the database for reading and writing, building it first when
// it is missing or no use.
func (db *DB) openShared(ctx context.Context) error {
	db.mode = shared
	why, err := db.probe(ctx)
	if err != nil || why == sound {
		return err
	}
	return db.replace(ctx)
}

// state is what probe finds at the path.
type state uint8

const (
	sound state = iota
	missing
	older
	broken
)

// probe looks at the header and opens a connection. A sound database's connection
// is kept for the first reader.
func (db *DB) probe(ctx context.Context) (state, error) {
	info, err := os.Stat(db.path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0 {
		return missing, nil
	}
	if err != nil {
		return broken, err
	}
	if was, err := examine(db.path); err != nil || was != sound {
		return was, err
	}
	c, err := db.dial(ctx, readerPragmas)
	if err == nil {
		// One row shows that it can be read at all. What else may be damaged
		// shows when it is used.
		if _, err = c.fact("changes"); err == nil {
			db.adopt(c, info)
			return sound, nil
		}
		c.close()
	}
	if damaged(err) {
		return broken, nil
	}
	return broken, err
}

// adopt makes info the file the DB stands on, and c its first idle connection.
func (db *DB) adopt(c *conn, info fs.FileInfo) {
	db.mu.Lock()
	defer db.mu.Unlock()
	db.made++
	db.file = info
	c.made = db.made
	db.idle = append(db.idle, c)
}

// examine tells from the header whether a file is a database of this version.
func examine(path string) (state, error) {
	h, err := readHeader(path)
	switch {
	case err != nil:
		return broken, err
	case !h.database:
		return broken, nil
	case h.id == applicationID && h.version > schemaVersion:
		return sound, fmt.Errorf("%w (version %d, this one writes %d)", ErrNewer, h.version, schemaVersion)
	case h.id != applicationID || h.version != schemaVersion:
		return older, nil
	}
	return sound, nil
}

// number gives the first column of the first row, 0 for none.
func (c *conn) number(sql string, args ...any) (n int64, err error) {
	err = c.query(sql, func(s *sqlite3.Stmt) error {
		n = s.ColumnInt64(0)
		return nil
	}, args...)
	return n, err
}

// openUnwritable serves where nothing can be written.
func (db *DB) openUnwritable(ctx context.Context) error {
	for _, db.mode = range []mode{readOnly, immutable} {
		switch was, err := db.probe(ctx); {
		case errors.Is(err, ErrNewer) || ctx.Err() != nil:
			return err
		case err == nil && was == sound:
			db.notice = noticeReadOnly
			return nil
		}
	}
	return db.openTemporary(ctx)
}

func (db *DB) openTemporary(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "lookback-index-*") // 0700 by its contract
	if err != nil {
		return fmt.Errorf("%w, and there is no temporary folder: %w", ErrReadOnly, err)
	}
	db.mode = temporary
	db.path = filepath.Join(dir, "index.db")
	if err := db.replace(ctx); err != nil {
		return err
	}
	db.notice = noticeTemporary
	return nil
}
