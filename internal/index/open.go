package index

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ncruces/go-sqlite3"
)

// What a person is told once after opening where nothing can be written, see
// DB.Notice.
const (
	noticeReadOnly  = "the index folder cannot be written: what was said since the last sync is not found"
	noticeTemporary = "the index folder cannot be written: a temporary index is built for this run, which is slow"
)

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
	db := &DB{options: o, path: path}
	if err := makeDir(filepath.Dir(path)); err != nil {
		return db.opened(db.openTemporary(ctx))
	}
	if real, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		db.path = filepath.Join(real, filepath.Base(path)) // as the engine names its further files
	}
	err = db.probe(ctx)
	if useless(err) {
		err = db.replace(ctx, 0, false)
	}
	if err == nil || errors.Is(err, ErrNewer) || ctx.Err() != nil || writable(db.path) {
		return db.opened(err)
	}
	for _, db.mode = range []mode{readOnly, immutable} {
		if err = db.probe(ctx); err == nil {
			db.notice = noticeReadOnly
		}
		if err == nil || errors.Is(err, ErrNewer) || ctx.Err() != nil {
			return db.opened(err)
		}
	}
	return db.opened(db.openTemporary(ctx))
}

func (db *DB) opened(err error) (*DB, error) {
	if err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

func (db *DB) openTemporary(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "lookback-index-*") // 0700 by its contract
	if err != nil {
		return fmt.Errorf("%w, and there is no temporary folder: %w", ErrReadOnly, err)
	}
	db.mode, db.path, db.notice = temporary, filepath.Join(dir, "index.db"), noticeTemporary
	return db.replace(ctx, 0, false)
}

// Memory of page caches, in KiB as the pragma wants it.
const (
	readerPragmas = "PRAGMA query_only=ON; PRAGMA cache_size=-4000; PRAGMA temp_store=MEMORY"
	writerPragmas = "PRAGMA cache_size=-16000; PRAGMA temp_store=MEMORY; PRAGMA synchronous=NORMAL; PRAGMA wal_autocheckpoint=0"
)

// dial opens a connection as db.mode says. A database that is not sound, as far as
// the header and one row show, gives ErrNewer or an error that useless knows; what
// else may be damaged shows when it is used.
func (db *DB) dial(ctx context.Context, pragmas string) (*conn, error) {
	db.mu.Lock()
	db.noticeReplaced()
	made, closed := db.made, db.closed
	db.mu.Unlock()
	if closed {
		return nil, ErrClosed
	}
	logged, err := examine(db.path)
	if err != nil {
		return nil, err
	}
	name, flags := db.path, sqlite3.OPEN_READWRITE
	switch db.mode {
	case readOnly:
		flags = sqlite3.OPEN_READONLY
	case immutable:
		name, flags = immutableURI(db.path), sqlite3.OPEN_READONLY|sqlite3.OPEN_URI
	default:
		private(db.path, logged)
		if !logged {
			pragmas += "; PRAGMA journal_mode=TRUNCATE"
		}
	}
	c, err := connect(ctx, name, flags)
	if err != nil {
		return nil, err
	}
	c.made = made
	if err = c.Exec(pragmas); err == nil {
		_, err = c.fact("changes")
	}
	if err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

// useless reports whether an error of dial means that the database has to be
// built again.
func useless(err error) bool {
	return errors.Is(err, errMissing) || errors.Is(err, errOlder) || damaged(err)
}

// probe keeps a connection for the first reader, if the database is sound.
func (db *DB) probe(ctx context.Context) error {
	c, err := db.dial(ctx, readerPragmas)
	if err == nil {
		db.release(c)
	}
	return err
}

// dialAgain is dial for a database that was sound when it was opened. One that
// somebody deleted since is made again, which costs nothing but a sync. One that
// another version has made since is let be: a process that was left running must
// not write into it.
func (db *DB) dialAgain(ctx context.Context, pragmas string, locked bool) (*conn, error) {
	c, err := db.dial(ctx, pragmas)
	if errors.Is(err, errMissing) && db.mode < readOnly {
		if err := db.replace(ctx, 0, locked); err != nil {
			return nil, err
		}
		c, err = db.dial(ctx, pragmas)
	}
	if errors.Is(err, errOlder) {
		err = ErrNewer
	}
	return c, db.judge(ctx, err, db.generation(), locked)
}

// replace puts an empty database in the place of what is no use, under the writer
// lock: of several processes that find the same fault, one does it. condemned is
// the generation of a file that is damaged for certain, 0 for none.
func (db *DB) replace(ctx context.Context, condemned int, locked bool) error {
	if !locked {
		l, err := lockFile(ctx, db.path, true)
		if err != nil {
			return err
		}
		defer l.Close()
	}
	why := errBroken
	if db.generation() != condemned {
		why = db.probe(ctx)
		if !useless(why) {
			return why // nil when another process was faster
		}
	}
	db.mu.Lock()
	db.dropIdle() //nolint:errcheck // they are of no use
	switch {
	case errors.Is(why, errOlder):
		db.notice = errOlder.Error()
	case damaged(why):
		db.notice = errBroken.Error()
	}
	db.mu.Unlock()
	if err := db.build(ctx); err != nil {
		return err
	}
	return db.probe(ctx)
}

// build lays an empty database out beside the old one and moves it into place, so
// that the path names a whole database at any time. The old write-ahead log has
// to go first: the engine would apply it to the new file.
func (db *DB) build(ctx context.Context) error {
	fresh := db.path + ".new"
	further := []string{logSuffix, shmSuffix, journalSuffix}
	if err := removeFiles(fresh, append(further, "")...); err != nil {
		return err
	}
	err := db.layOut(ctx, fresh)
	if err == nil {
		err = errors.Join(removeFiles(fresh, journalSuffix), removeFiles(db.path, further...))
	}
	if err == nil {
		err = os.Rename(fresh, db.path)
	}
	if err != nil {
		removeFiles(fresh, append(further, "")...) //nolint:errcheck // the first error says more
	}
	return err
}

// layOut makes the tables. The log is switched on last and kept in the header;
// where it cannot be, a rollback journal serves.
func (db *DB) layOut(ctx context.Context, path string) error {
	private(path, false)
	c, err := connect(ctx, path, sqlite3.OPEN_READWRITE)
	if err != nil {
		return err
	}
	defer c.close()
	for _, sql := range []string{layoutPragmas, "BEGIN", schema, "COMMIT"} {
		if err := c.Exec(sql); err != nil {
			return err
		}
	}
	if db.options.Rollback {
		return nil
	}
	// The log and its shared memory live for this moment only, and hold nothing.
	if err := c.Exec("PRAGMA journal_mode=WAL"); err != nil && !damaged(err) {
		return c.Exec("PRAGMA journal_mode=TRUNCATE")
	}
	return nil
}
