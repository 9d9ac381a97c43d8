package index

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ncruces/go-sqlite3"
)

// replace puts an empty database in the place of what is no use, under the writer
// lock: of several processes that find the same fault, one does it.
func (db *DB) replace(ctx context.Context) error {
	if err := makeDir(filepath.Dir(db.path)); err != nil {
		return err
	}
	l, err := lockFile(ctx, db.path, true)
	if err != nil {
		return err
	}
	defer l.Close()
	return db.replaceLocked(ctx)
}

// replaceLocked is replace for who holds the lock.
func (db *DB) replaceLocked(ctx context.Context) error {
	why, err := db.probe(ctx)
	if err != nil || why == sound {
		return err // another process was faster
	}
	if err := db.build(ctx); err != nil {
		return err
	}
	if why != missing {
		db.mu.Lock()
		db.notice = map[state]string{older: noticeOlder, broken: noticeDamaged}[why]
		db.mu.Unlock()
	}
	why, err = db.probe(ctx)
	if err == nil && why != sound {
		err = errors.New("index: a new database cannot be read back")
	}
	return err
}

// replaceDamaged replaces the file of the given generation after a look-up found
// it damaged, and gives ErrRebuilt. It waits for a writer in another process,
// which will find the same. The finding is checked on a connection of its own
// first: what the engine remembers of a file that another process changed must
// not cost an index.
func (db *DB) replaceDamaged(ctx context.Context, found error, made int) error {
	if problems, err := db.problems(ctx); err == nil && len(problems) == 0 {
		return fmt.Errorf("%w (the index was checked and is sound: try again)", found)
	}
	if err := db.replaceConfirmed(ctx, made); err != nil {
		return errors.Join(ErrRebuilt, err)
	}
	return ErrRebuilt
}

// problems has the engine check the database on a new connection.
func (db *DB) problems(ctx context.Context) (list []string, err error) {
	c, err := db.dial(ctx, readerPragmas)
	if err != nil {
		return nil, err
	}
	defer c.close()
	err = inTransaction(ctx, c, func(c *conn) error {
		list, err = checkPages(c)
		return err
	})
	return list, err
}

func (db *DB) replaceConfirmed(ctx context.Context, made int) error {
	l, err := lockFile(ctx, db.path, true)
	if err != nil {
		return err
	}
	defer l.Close()
	return db.discard(ctx, made)
}

// discard removes the database for good and builds an empty one. The lock is held.
func (db *DB) discard(ctx context.Context, made int) error {
	db.mu.Lock()
	if db.mode != shared && db.mode != temporary {
		db.mu.Unlock()
		return ErrReadOnly
	}
	db.noticeReplaced()
	if db.made != made {
		db.mu.Unlock()
		return nil // replaced in the meantime
	}
	for _, c := range db.idle {
		c.close()
	}
	db.idle = nil
	db.notice = noticeDamaged
	db.mu.Unlock()
	if err := db.build(ctx); err != nil {
		return err
	}
	_, err := db.probe(ctx)
	return err
}

// build lays an empty database out beside the old one and moves it into place, so
// that the path names a whole database at any time. The old write-ahead log has
// to go first: the engine would apply it to the new file.
func (db *DB) build(ctx context.Context) error {
	fresh := db.path + ".new"
	if err := removeFiles(fresh); err != nil {
		return err
	}
	f, err := os.OpenFile(fresh, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	f.Close()
	if err := db.layOut(ctx, fresh); err != nil {
		removeFiles(fresh) //nolint:errcheck // the first error says more
		return err
	}
	os.Remove(fresh + journalSuffix) // laid out by private, of no use here
	for _, suffix := range []string{logSuffix, shmSuffix, journalSuffix} {
		if err := os.Remove(db.path + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return os.Rename(fresh, db.path)
}

// layOut makes the tables. The log is switched on last and kept in the header;
// where it cannot be, a rollback journal serves.
func (db *DB) layOut(ctx context.Context, path string) error {
	private(path, header{})
	c, err := connect(ctx, path, sqlite3.OPEN_READWRITE)
	if err != nil {
		return err
	}
	defer c.close()
	for _, sql := range []string{layoutPragmas, "BEGIN", schema, tuning, facts, "COMMIT"} {
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
