package archive

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

// ErrLink is returned when a write would go through a symbolic link or replace
// something that is no file.
var ErrLink = errors.New("refusing to write through a link or special file")

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
	w := &Writer{a: a, lock: flock.New(a.path(lockName), flock.SetFlag(os.O_RDWR)), out: bufio.NewWriterSize(nil, 64<<10)}
	var err error
	if w.dir, err = a.enter(); err == nil {
		// The file is made beforehand: flock opens its path and would follow a link.
		if err = makeEmpty(w.dir, lockName); errors.Is(err, fs.ErrExist) {
			_, err = regular(w.dir, lockName)
		}
		if err == nil {
			_, err = w.lock.TryLockContext(ctx, lockPause)
		}
		if err == nil {
			w.sweep()
			return w, nil
		}
		w.dir.Close()
	}
	return nil, fmt.Errorf("lock archive %s: %w", a.Dir(), err)
}

// locked runs do while it holds the lock.
func (a *Archive) locked(ctx context.Context, do func(*Writer) error) error {
	w, err := a.Lock(ctx)
	if err != nil {
		return err
	}
	return errors.Join(do(w), w.Close())
}

// enter opens the archive's directory for writing, making what is missing with
// mode 0700. The mode of a directory that is there is its owner's choice; Verify
// tells of it. The handle pins it: names put in its place later are not followed.
func (a *Archive) enter() (*os.Root, error) {
	if a.make {
		if err := os.MkdirAll(a.base, 0o700); err != nil {
			return nil, err
		}
	}
	dir, err := os.OpenRoot(a.base)
	for _, name := range a.below {
		if err != nil {
			return nil, err
		}
		above := dir
		dir, err = step(above, name)
		above.Close()
	}
	return dir, err
}

// step opens one folder below dir, but no link to one.
func step(dir *os.Root, name string) (*os.Root, error) {
	err := dir.Mkdir(name, 0o700)
	if err == nil {
		err = errors.Join(dir.Chmod(name, 0o700), syncDir(dir)) // a umask may have taken bits away
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	before, err := dir.Lstat(name)
	if err != nil {
		return nil, err
	}
	link := fmt.Errorf("%s in %s: %w", name, dir.Name(), ErrLink)
	if !before.IsDir() {
		return nil, link
	}
	next, err := dir.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	if after, err := next.Stat("."); err != nil || !os.SameFile(before, after) { // swapped just now
		next.Close()
		return nil, link
	}
	return next, nil
}

// regular looks at a file that may be written or replaced: nil when there is
// none, ErrLink when it is no plain file.
func regular(dir *os.Root, name string) (fs.FileInfo, error) {
	info, err := dir.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err == nil && !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: %w", name, ErrLink)
	}
	return info, err
}

// hasModes says whether file modes mean something here.
const hasModes = runtime.GOOS != "windows"

// makeEmpty makes an empty file; the error wraps fs.ErrExist when the name is taken.
func makeEmpty(dir *os.Root, name string) error {
	f, err := dir.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(f.Chmod(0o600), f.Close()) // a umask may have taken bits away
}

// syncDir makes the names in dir last. File systems that cannot do it say so
// with an error that is of no use to anyone; on Windows renames last by themselves.
func syncDir(dir *os.Root) error {
	if !hasModes {
		return nil
	}
	f, err := dir.Open(".")
	if err != nil {
		return err
	}
	defer f.Close()
	err = f.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}

// rename puts a file in place of another. On Windows that fails while a reader
// has the other one open, so there it waits for up to a second.
func rename(dir *os.Root, from, to string) (err error) {
	for range 40 {
		if err = dir.Rename(from, to); err == nil || hasModes {
			break
		}
		time.Sleep(25 * time.Millisecond)
	}
	return err
}
