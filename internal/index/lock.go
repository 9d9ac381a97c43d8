package index

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// lockPoll is how often a waiting writer looks whether the lock is free.
const lockPoll = 50 * time.Millisecond

// lockFile takes the writer lock next to the database; ErrBusy when another
// process has it and wait is false. The system drops it when the process dies.
func lockFile(ctx context.Context, path string, wait bool) (*flock.Flock, error) {
	l := flock.New(path+lockSuffix, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))
	var got bool
	var err error
	if wait {
		got, err = l.TryLockContext(ctx, lockPoll)
	} else {
		got, err = l.TryLock()
	}
	switch {
	case err != nil:
		l.Close()
		if errors.Is(err, fs.ErrPermission) {
			return nil, ErrReadOnly
		}
		return nil, err
	case !got:
		l.Close()
		return nil, ErrBusy
	}
	if info, err := os.Stat(path + lockSuffix); err == nil && info.Mode().Perm() != 0o600 {
		os.Chmod(path+lockSuffix, 0o600) //nolint:errcheck // it holds nothing
	}
	return l, nil
}

// takeTurn makes writers of this process wait for each other, or fail.
func (db *DB) takeTurn(ctx context.Context, wait bool) error {
	select {
	case db.turn <- struct{}{}:
		return nil
	default:
	}
	if !wait {
		return ErrBusy
	}
	select {
	case db.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (db *DB) endTurn() { <-db.turn }
