package index

import (
	"context"
	"errors"
	"io/fs"
	"os"
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
	path    string        // "" until open
	turn    chan struct{} // held by the writer of this process

	mu     sync.Mutex
	mode   mode
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
	readOnly              // the directory cannot be written, the log may be followed
	immutable             // neither can it be locked: the file as it lies there
	temporary             // a database of this process alone, removed when it closes
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
func (db *DB) Path() string {
	db.mu.Lock()
	defer db.mu.Unlock()
	return db.path
}

// Close releases all connections and removes a temporary index. Look-ups in
// progress finish; a writer must have been closed before.
func (db *DB) Close() error {
	db.mu.Lock()
	idle := db.idle
	db.idle, db.closed = nil, true
	db.mu.Unlock()
	var err error
	for _, c := range idle {
		err = errors.Join(err, c.close())
	}
	if db.mode == temporary {
		err = errors.Join(err, removeTemporary(db.path))
	}
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
	if err == nil || !damaged(err) {
		db.release(c)
	} else {
		c.close()
	}
	return db.judge(ctx, err, c.made)
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

func (db *DB) generation() int {
	db.mu.Lock()
	defer db.mu.Unlock()
	return db.made
}

// judge turns an error of the engine into one of ours. made is the generation of
// the file that it came from.
func (db *DB) judge(ctx context.Context, err error, made int) error {
	switch {
	case err == nil:
		return nil
	case interrupted(err) && ctx.Err() != nil:
		return ctx.Err()
	case damaged(err) && db.mode != readOnly && db.mode != immutable:
		return db.replaceDamaged(ctx, err, made)
	}
	return err
}

// acquire takes an idle connection or opens one. Connections to a file that was
// replaced since, here or by another process, are closed.
func (db *DB) acquire(ctx context.Context) (*conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	db.mu.Lock()
	if db.closed {
		db.mu.Unlock()
		return nil, ErrClosed
	}
	db.noticeReplaced()
	if n := len(db.idle); n > 0 {
		c := db.idle[n-1]
		db.idle = db.idle[:n-1]
		db.mu.Unlock()
		return c, nil
	}
	made := db.made
	db.mu.Unlock()
	c, err := db.dial(ctx, readerPragmas)
	switch {
	case db.vanished(err): // somebody deleted the index, which costs nothing but a sync
		if err := db.replace(ctx); err != nil {
			return nil, err
		}
		return db.acquire(ctx)
	case err != nil:
		return nil, db.judge(ctx, err, made)
	}
	c.made = made
	return c, nil
}

// noticeReplaced drops connections when another process has put a new file in
// the place of ours. The lock is held.
func (db *DB) noticeReplaced() {
	if db.mode != shared {
		return
	}
	info, err := os.Stat(db.path)
	if err == nil && os.SameFile(info, db.file) {
		return
	}
	for _, c := range db.idle {
		c.close()
	}
	db.idle = nil
	db.made++
	if err == nil {
		db.file = info
	}
}

// vanished reports whether an error means that the database file is not there.
func (db *DB) vanished(err error) bool { return db.mode == shared && errors.Is(err, fs.ErrNotExist) }

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

// Memory of page caches, in KiB as the pragma wants it.
const (
	readerPragmas = "PRAGMA query_only=ON; PRAGMA cache_size=-4000; PRAGMA temp_store=MEMORY"
	writerPragmas = "PRAGMA cache_size=-16000; PRAGMA temp_store=MEMORY; PRAGMA synchronous=NORMAL; PRAGMA wal_autocheckpoint=0"
)

// dial opens a connection to the file as db.mode says.
func (db *DB) dial(ctx context.Context, pragmas string) (*conn, error) {
	var c *conn
	var err error
	switch db.mode {
	case readOnly:
		c, err = connect(ctx, db.path, sqlite3.OPEN_READONLY)
	case immutable:
		c, err = connect(ctx, immutableURI(db.path), sqlite3.OPEN_READONLY|sqlite3.OPEN_URI)
	default:
		h, herr := readHeader(db.path)
		if herr != nil {
			return nil, herr
		}
		private(db.path, h)
		if !h.logged {
			pragmas += "; PRAGMA journal_mode=TRUNCATE"
		}
		c, err = connect(ctx, db.path, sqlite3.OPEN_READWRITE)
	}
	if err != nil {
		return nil, err
	}
	if err := c.Exec(pragmas); err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}
