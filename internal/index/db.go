package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/ncruces/go-sqlite3"
)

// Options says how to open an index. The zero value is what the product uses.
type Options struct {
	// Rollback keeps a rollback journal instead of a write-ahead log, as on file
	// systems without shared memory, where it is chosen by itself. Readers then
	// wait for the writer.
	Rollback bool
}

// DB is an open index. It may be used by several goroutines at once.
type DB struct {
	options Options
	path    string
	mode    mode

	mu     sync.Mutex
	notice string
	idle   []*conn
	made   int         // counts the database files this DB has stood on
	file   fs.FileInfo // the one it stands on now
	closed bool
}

// mode says how the database file is opened.
type mode uint8

const (
	shared    mode = iota // reading and writing
	temporary             // the same, by this process alone; removed when it closes
	readOnly              // the directory cannot be written, the log may be followed
	immutable             // neither can it be locked: the file as it lies there
)

// maxIdle is how many connections are kept open for the next reader. Each has an
// engine of its own with a few MB of memory.
const maxIdle = 3

// Notice tells what a person should know once: that the index was rebuilt and
// why, or that it cannot be written and what that means. "" for nothing.
func (db *DB) Notice() string {
	db.mu.Lock()
	defer db.mu.Unlock()
	return db.notice
}

// Path is the database file in use.
func (db *DB) Path() string { return db.path }

// Close releases all connections and removes a temporary index. Look-ups in
// progress finish; a writer must have been closed before.
func (db *DB) Close() error {
	db.mu.Lock()
	db.closed = true
	err := db.dropIdle()
	db.mu.Unlock()
	if db.mode == temporary {
		err = errors.Join(err, os.RemoveAll(filepath.Dir(db.path)))
	}
	return err
}

// dropIdle closes the idle connections. The mutex is held.
func (db *DB) dropIdle() (err error) {
	for _, c := range db.idle {
		err = errors.Join(err, c.close())
	}
	db.idle = nil
	return err
}

// read calls fn with a connection inside a read transaction, so that all of fn's
// statements see one state. When ctx ends, the statement running is interrupted
// and ctx's error returned. A damaged database is replaced by an empty one and
// ErrRebuilt returned. fn must not keep the connection.
func (db *DB) read(ctx context.Context, fn func(*conn) error) error {
	c, err := db.acquire(ctx)
	if err != nil {
		return err
	}
	err = inTransaction(ctx, c, fn)
	made := c.made
	if damaged(err) {
		c.close()
	} else {
		db.release(c)
	}
	return db.judge(ctx, err, made, false)
}

// inTransaction calls fn inside a read transaction.
func inTransaction(ctx context.Context, c *conn, fn func(*conn) error) error {
	c.SetInterrupt(ctx)
	err := c.run("BEGIN")
	if err == nil {
		err = fn(c)
	}
	c.SetInterrupt(context.Background())
	c.resetAll()
	if !c.GetAutocommit() {
		err = errors.Join(err, c.run("COMMIT"))
	}
	return err
}

// acquire takes an idle connection or opens one.
func (db *DB) acquire(ctx context.Context) (*conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	db.mu.Lock()
	db.noticeReplaced()
	if n := len(db.idle); n > 0 {
		c := db.idle[n-1]
		db.idle = db.idle[:n-1]
		db.mu.Unlock()
		return c, nil
	}
	db.mu.Unlock()
	return db.dialAgain(ctx, readerPragmas, false)
}

func (db *DB) release(c *conn) {
	db.mu.Lock()
	keep := !db.closed && c.made == db.made && len(db.idle) < maxIdle
	if keep {
		db.idle = append(db.idle, c)
	}
	db.mu.Unlock()
	if !keep {
		c.close()
	}
}

// noticeReplaced drops the idle connections when another process, or this one, has
// put a new file in the place of ours. The mutex is held.
func (db *DB) noticeReplaced() {
	info, err := os.Stat(db.path)
	if err == nil && os.SameFile(info, db.file) {
		return
	}
	db.dropIdle() //nolint:errcheck // they are of no use
	db.made++
	db.file = info
}

func (db *DB) generation() int {
	db.mu.Lock()
	defer db.mu.Unlock()
	db.noticeReplaced()
	return db.made
}

// judge turns an error of the engine into one of ours. made is the generation of
// the file that it came from, locked says that the caller holds the writer lock.
// A damaged database is replaced, which waits for a writer elsewhere that will find
// the same. The damage is looked for on a new connection first: what the engine
// remembers of a file that another process changed must not cost an index.
func (db *DB) judge(ctx context.Context, err error, made int, locked bool) error {
	switch {
	case err == nil:
		return nil
	case interrupted(err) && ctx.Err() != nil:
		return ctx.Err()
	case !damaged(err) || db.mode >= readOnly:
		return err
	}
	problems, cerr := db.check(ctx, checkPages)
	switch {
	case cerr != nil && !damaged(cerr):
		return errors.Join(err, cerr)
	case cerr == nil && len(problems) == 0:
		return fmt.Errorf("%w (the index was checked and is sound: try again)", err)
	}
	if err := db.replace(ctx, made, locked); err != nil {
		return errors.Join(ErrRebuilt, err)
	}
	return ErrRebuilt
}

// look is read for what gives a value.
func look[T any](ctx context.Context, db *DB, fn func(*conn) (T, error)) (v T, err error) {
	err = db.read(ctx, func(c *conn) (err error) {
		v, err = fn(c)
		return err
	})
	return v, err
}

// query runs one statement with read and calls row for each row.
func (db *DB) query(ctx context.Context, sql string, row func(*sqlite3.Stmt), args ...any) error {
	return db.read(ctx, func(c *conn) error {
		return c.query(sql, func(s *sqlite3.Stmt) error {
			row(s)
			return nil
		}, args...)
	})
}
