package index

import (
	"context"
	"errors"
	"os"
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

// mergePages is how much of the word index a transaction merges however little it
// writes: 128 pages take about 20 ms.
const mergePages = 128

// The write-ahead log is copied into the database by the writer alone, after a
// commit. A reader that stays in one transaction keeps it from being cut, not
// from being copied; so it can only grow while such a reader lasts.
const (
	logSoft   = 24 << 20 // bytes from which it is copied, and begun anew by the next commit
	logHard   = 96 << 20 // bytes from which readers are waited for, a little, to cut it
	logAtRest = 4 << 20  // bytes that may stay when the writer closes
	logWait   = 200 * time.Millisecond
)

// Writer changes the index. It belongs to one goroutine. Every method is one
// change that is kept whole or not at all; changes become visible to readers and
// safe in batches, with Commit and with Close. When a change fails, the changes
// since the last commit are undone with it, and the writer goes on from there.
type Writer struct {
	db   *DB
	c    *conn
	lock *flock.Flock

	open  bool             // a transaction is
	began time.Time        // when it was
	bytes int              // of words put since
	facts map[string]int64 // what the table fact will say
	feed  feed
	kin   kin
}

// Writer takes the writer lock. With wait it waits for other writers until ctx
// ends, else it gives up with ErrBusy. ErrReadOnly means that nothing can be
// written here. The caller must Close it.
func (db *DB) Writer(ctx context.Context, wait bool) (*Writer, error) {
	if db.mode >= readOnly {
		return nil, ErrReadOnly
	}
	l, err := lockFile(ctx, db.path, wait)
	if err != nil {
		return nil, err
	}
	c, err := db.dialAgain(ctx, writerPragmas, true)
	if err != nil {
		l.Close()
		return nil, err
	}
	return &Writer{db: db, c: c, lock: l}, nil
}

// change makes one change inside the open transaction, or a new one.
func (w *Writer) change(ctx context.Context, fn func() error) error {
	err := w.guard(ctx, func() error {
		if err := w.begin(); err != nil {
			return err
		}
		return fn()
	})
	if err == nil && (w.bytes+len(w.feed.buf) >= batchBytes || time.Since(w.began) >= batchTime) {
		return w.Commit(ctx)
	}
	return err
}

// guard calls fn until ctx ends. What fails undoes all that was not committed, in
// the database and here. A damaged database is replaced, and the writer is of no
// use any more.
func (w *Writer) guard(ctx context.Context, fn func() error) error {
	if w.c == nil {
		return ErrClosed
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	w.c.SetInterrupt(ctx)
	err := fn()
	w.c.SetInterrupt(context.Background())
	if err == nil {
		return nil
	}
	if !w.c.GetAutocommit() {
		w.c.Exec("ROLLBACK") //nolint:errcheck // closing does it too
	}
	w.open, w.feed, w.kin = false, feed{}, kin{}
	made := w.c.made
	if damaged(err) {
		w.c.close()
		w.c = nil
	}
	return w.db.judge(ctx, err, made, true)
}

func (w *Writer) begin() error {
	if w.open {
		return nil
	}
	if err := w.c.run("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	w.open, w.began, w.bytes, w.facts = true, time.Now(), 0, map[string]int64{}
	err := w.c.query("SELECT name, value FROM fact", func(s *sqlite3.Stmt) error {
		w.facts[s.ColumnText(0)] = s.ColumnInt64(1)
		return nil
	})
	w.facts["changes"]++
	return err
}

// next gives the next number of those that a fact counts.
func (w *Writer) next(fact string) int64 {
	w.facts[fact]++
	return w.facts[fact]
}

// Commit makes all changes so far visible and safe.
func (w *Writer) Commit(ctx context.Context) error {
	if w.c != nil && !w.open {
		return nil
	}
	err := w.guard(ctx, w.finish)
	if err == nil {
		w.open = false
		w.limitLog(logSoft)
	}
	return err
}

// finish ends the transaction. It also goes on with merging segments of the word
// index, for about as many pages as the transaction writes and a few more; which
// does nothing until a level has 16 segments, or a tenth of one is deleted rows.
func (w *Writer) finish() error {
	if bytes := len(w.feed.buf); len(w.feed.rows) > 0 {
		if err := w.feed.flush(w.c); err != nil {
			return err
		}
		if err := w.c.run("INSERT INTO words(words, rank) VALUES ('merge', ?)", mergePages+bytes/(pageSize/2)); err != nil {
			return err
		}
	}
	for name, value := range w.facts {
		if err := w.c.run("UPDATE fact SET value=? WHERE name=?", value, name); err != nil {
			return err
		}
	}
	return w.c.run("COMMIT")
}

// limitLog copies the log if it is larger than limit. What fails here is tried
// again after the next commit: the log is part of the database.
func (w *Writer) limitLog(limit int64) {
	info, err := os.Stat(w.db.path + logSuffix)
	if err != nil || info.Size() <= limit {
		return
	}
	mode := sqlite3.CHECKPOINT_PASSIVE
	if info.Size() > logHard || limit == logAtRest {
		mode = sqlite3.CHECKPOINT_TRUNCATE
	}
	w.c.BusyTimeout(logWait)        //nolint:errcheck // only a wish
	w.c.WALCheckpoint("main", mode) //nolint:errcheck // see above
	w.c.BusyTimeout(busyTimeout)    //nolint:errcheck // stays at the shorter wait
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
	return err
}
