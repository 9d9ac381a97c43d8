package index

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
	"github.com/ncruces/go-sqlite3"
)

// A transaction ends when it holds this many bytes of words, or has been open
// for this long when the next change is over: what a kill can cost, and how far
// behind readers are.
const (
	batchBytes = 8 << 20
	batchTime  = 4 * time.Second
)

// Writer changes the index. It belongs to one goroutine. Every method is one
// change that is kept whole or not at all; changes become visible to readers and
// safe in batches, with Commit and with Close. When a change fails, the changes
// since the last commit are undone with it, and the writer goes on from there.
type Writer struct {
	db   *DB
	c    *conn
	lock *flock.Flock

	open    bool      // a transaction is
	began   time.Time // when it was
	bytes   int       // of words put since
	changes int64     // fact of that name: the number of the open transaction
	segment int64     // fact segments
	session int64     // fact sessions
	synced  int64     // fact synced, 0 when it stays as it is

	split splitter
	queue queue
	dirs  map[dirKey]int64
	kin   *kin
	texts familyTexts
}

// Writer takes the writer lock. With wait it waits for other writers until ctx
// ends, else it gives up with ErrBusy. ErrReadOnly means that nothing can be
// written here. The caller must Close it.
func (db *DB) Writer(ctx context.Context, wait bool) (*Writer, error) {
	if db.mode == readOnly || db.mode == immutable {
		return nil, ErrReadOnly
	}
	if err := db.takeTurn(ctx, wait); err != nil {
		return nil, err
	}
	w, err := db.writer(ctx, wait)
	if err != nil {
		db.endTurn()
	}
	return w, err
}

func (db *DB) writer(ctx context.Context, wait bool) (*Writer, error) {
	if err := makeDir(filepath.Dir(db.path)); err != nil {
		return nil, err
	}
	l, err := lockFile(ctx, db.path, wait)
	if err != nil {
		return nil, err
	}
	w := &Writer{db: db, lock: l}
	if err := w.connect(ctx); err != nil {
		l.Close()
		return nil, err
	}
	return w, nil
}

// connect opens the connection, on a file that other processes may have replaced
// since the last one.
func (w *Writer) connect(ctx context.Context) error {
	db := w.db
	// A process that was left running must not write into a database that another
	// version has made since. One that was deleted is made again.
	was, err := examine(db.path)
	switch {
	case db.vanished(err):
		err = db.replaceLocked(ctx)
	case err == nil && was == older:
		err = ErrNewer
	}
	if err != nil {
		return err
	}
	db.mu.Lock()
	if db.closed {
		db.mu.Unlock()
		return ErrClosed
	}
	db.noticeReplaced()
	made := db.made
	db.mu.Unlock()
	c, err := db.dial(ctx, writerPragmas)
	if damaged(err) {
		return errors.Join(ErrRebuilt, db.discard(ctx, made))
	}
	if err == nil {
		c.made = made
		w.c = c
	}
	return err
}

// change makes one change inside the open transaction, or a new one.
func (w *Writer) change(ctx context.Context, fn func() error) error {
	if w.c == nil {
		return ErrClosed
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	w.c.SetInterrupt(ctx)
	err := w.begin()
	if err == nil {
		err = fn()
	}
	w.c.SetInterrupt(context.Background())
	if err != nil {
		w.undo()
		return w.judge(ctx, err)
	}
	if w.bytes+len(w.queue.buf) >= batchBytes || time.Since(w.began) >= batchTime {
		return w.Commit(ctx)
	}
	return nil
}

func (w *Writer) begin() error {
	if w.open {
		return nil
	}
	if err := w.c.run("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	w.open, w.began, w.bytes, w.synced = true, time.Now(), 0, 0
	err := w.c.query("SELECT name, value FROM fact", func(s *sqlite3.Stmt) error {
		switch s.ColumnText(0) {
		case "changes":
			w.changes = s.ColumnInt64(1) + 1
		case "segments":
			w.segment = s.ColumnInt64(1)
		case "sessions":
			w.session = s.ColumnInt64(1)
		}
		return nil
	})
	return err
}

// undo forgets what was not committed, in the database and here.
func (w *Writer) undo() {
	if !w.c.GetAutocommit() {
		w.c.Exec("ROLLBACK") //nolint:errcheck // closing does it too
	}
	w.open = false
	w.split.terms.forget()
	w.queue.clear()
	w.dirs, w.kin, w.texts = nil, nil, familyTexts{}
}

// judge is DB.judge for who holds the lock: a damaged database is replaced, and
// the writer is of no use any more.
func (w *Writer) judge(ctx context.Context, err error) error {
	if !damaged(err) {
		return w.db.judge(ctx, err, w.c.made)
	}
	made := w.c.made
	w.c.close()
	w.c = nil
	return errors.Join(ErrRebuilt, w.db.discard(context.WithoutCancel(ctx), made))
}

// Commit makes all changes so far visible and safe.
func (w *Writer) Commit(ctx context.Context) error {
	if w.c == nil {
		return ErrClosed
	}
	if !w.open {
		return nil
	}
	w.c.SetInterrupt(ctx)
	err := w.finish()
	w.c.SetInterrupt(context.Background())
	if err != nil {
		w.undo()
		return w.judge(ctx, err)
	}
	w.open = false
	w.limitLog(logSoft)
	return nil
}

func (w *Writer) finish() error {
	if err := w.split.terms.flush(w.c); err != nil {
		return err
	}
	if len(w.queue.rows) > 0 {
		bytes := len(w.queue.buf)
		if err := w.queue.flush(w.c); err != nil {
			return err
		}
		if err := w.c.mergeWords(bytes); err != nil {
			return err
		}
	}
	facts := map[string]int64{"changes": w.changes, "segments": w.segment, "sessions": w.session}
	if w.synced != 0 {
		facts["synced"] = w.synced
	}
	for name, value := range facts {
		if err := w.c.setFact(name, value); err != nil {
			return err
		}
	}
	return w.c.run("COMMIT")
}

// Close commits and gives the lock back. Closing twice does nothing.
func (w *Writer) Close() error {
	if w.lock == nil {
		return nil
	}
	var err error
	if w.c != nil {
		err = w.Commit(context.Background())
	}
	if w.c != nil {
		w.limitLog(logAtRest)
		err = errors.Join(err, w.c.close())
		w.c = nil
	}
	err = errors.Join(err, w.lock.Close())
	w.lock = nil
	w.db.endTurn()
	return err
}
