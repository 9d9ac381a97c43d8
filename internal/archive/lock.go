package archive

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// lockName is the file that writers lock. It stays: removing it would let two
// writers hold two different files of one name.
const lockName = ".lookback.lock"

// lockPause is the time between two attempts to get the lock.
const lockPause = 15 * time.Millisecond

// Lock waits until no other writer, in this process or another, is at work, and
// returns a Writer that must be closed. It makes the directory if it is missing,
// and removes what killed writers left behind. The methods of Archive that write
// take the lock themselves: not to be called while one holds a Writer.
func (a *Archive) Lock(ctx context.Context) (*Writer, error) {
	w, err := a.lock(ctx)
	if err != nil {
		return nil, fmt.Errorf("lock archive %s: %w", a.Dir(), err)
	}
	return w, nil
}

func (a *Archive) lock(ctx context.Context) (*Writer, error) {
	dir, err := a.enter()
	if err != nil {
		return nil, err
	}
	info, err := dir.Lstat(lockName)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s: %w", lockName, ErrLink)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		dir.Close()
		return nil, err
	}
	lock := flock.New(filepath.Join(a.Dir(), lockName),
		flock.SetFlag(os.O_CREATE|os.O_RDWR|noFollow), flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, lockPause); err != nil {
		dir.Close()
		return nil, err
	}
	tighten(dir)
	w := &Writer{a: a, dir: dir, lock: lock}
	w.sweep()
	return w, nil
}

// Names of temporary files: of this program, process and write.
const (
	tempPrefix = ".lookback-"
	tempSuffix = ".tmp"
)

func isTemp(name string) bool {
	return strings.HasPrefix(name, tempPrefix) && strings.HasSuffix(name, tempSuffix)
}

// sweep removes temporary files. Only a writer makes them and we hold the lock,
// so whoever made them is gone.
func (w *Writer) sweep() {
	items, err := os.ReadDir(w.a.Dir())
	if err != nil {
		return // the next writer tries again
	}
	for _, item := range items {
		if isTemp(item.Name()) {
			_ = w.dir.Remove(item.Name())
		}
	}
}

func (a *Archive) hasTemps() bool {
	items, _ := os.ReadDir(a.Dir())
	return slices.ContainsFunc(items, func(item fs.DirEntry) bool { return isTemp(item.Name()) })
}

// Close finishes what is pending and lets go of the lock.
func (w *Writer) Close() error {
	err := w.Flush()
	return errors.Join(err, w.lock.Unlock(), w.dir.Close())
}

func (w *Writer) closeWith(err error) error {
	if shut := w.Close(); shut != nil {
		return errors.Join(err, shut)
	}
	return err
}
