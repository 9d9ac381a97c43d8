package index

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// The database's files. Everything that the index keeps holds private words, so
// all are for the owner alone, whatever the umask.
const (
	logSuffix     = "-wal"
	shmSuffix     = "-shm"
	journalSuffix = "-journal"
	lockSuffix    = ".lock"
)

// private makes sure that the database's files are for the owner alone. The
// engine makes its further files with the umask's rights, so empty ones are laid
// out before it does; it takes them as they are. logged says that it will use a
// write-ahead log, which it also does where it finds an empty one.
func private(path string, logged bool) {
	further := []string{"", journalSuffix}
	if logged {
		further = []string{"", logSuffix, shmSuffix}
	}
	for _, suffix := range further {
		name := path + suffix
		if f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600); err == nil {
			f.Close()
		}
		info, err := os.Lstat(name)
		if err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0 {
			os.Chmod(name, info.Mode().Perm()&0o700) //nolint:errcheck // not ours to change; the folder is private too
		}
	}
}

// What keeps a file from being our database. The texts are what a person is told
// when it is built again.
var (
	errMissing = fs.ErrNotExist
	errOlder   = errors.New("the index was made by another version of lookback and is built again")
	errBroken  = errors.New("the index was damaged and is built again from the sessions and the archive")
)

// examine tells from the header whether the file at path is a database of this
// version, with errMissing, errOlder, errBroken or ErrNewer where it is not, and
// whether it has a write-ahead log. The engine is not asked: it would lay files out
// beside even a database that is not to be touched. What is read here never stands
// in the log alone, as it is written before there is one.
func examine(path string) (logged bool, err error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	var b [100]byte
	switch n, err := io.ReadFull(f, b[:]); {
	case n == 0 && errors.Is(err, io.EOF):
		return false, errMissing
	case errors.Is(err, io.ErrUnexpectedEOF) || err == nil && string(b[:16]) != "SQLite format 3\x00":
		return false, errBroken
	case err != nil:
		return false, err
	}
	version, id := int32(binary.BigEndian.Uint32(b[60:])), binary.BigEndian.Uint32(b[68:])
	switch {
	case id == applicationID && version > schemaVersion:
		return false, fmt.Errorf("%w (version %d, this one writes %d)", ErrNewer, version, schemaVersion)
	case id != applicationID || version != schemaVersion:
		return false, errOlder
	}
	return b[18] == 2, nil
}

// makeDir makes the database's folder, for the owner alone.
func makeDir(dir string) error {
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return os.Chmod(dir, 0o700)
}

// writable reports whether files can be made beside the database and, if it
// exists, it can be written.
func writable(path string) bool {
	f, err := os.CreateTemp(filepath.Dir(path), ".probe-*")
	if err != nil {
		return false
	}
	f.Close()
	os.Remove(f.Name())
	if f, err = os.OpenFile(path, os.O_RDWR, 0); err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	return f.Close() == nil
}

// removeFiles removes those of a database's files that there are.
func removeFiles(path string, suffixes ...string) error {
	for _, suffix := range suffixes {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// immutableURI names a database that nobody writes, on a medium that cannot be
// locked.
func immutableURI(path string) string {
	path = filepath.ToSlash(path)
	if runtime.GOOS == "windows" && !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path, RawQuery: "immutable=1"}).String()
}

// lockPoll is how often a waiting writer looks whether the lock is free.
const lockPoll = 50 * time.Millisecond

// lockFile takes the writer lock next to the database; ErrBusy when another
// process, or another writer of this one, has it and wait is false. The system
// drops it when the process dies.
func lockFile(ctx context.Context, path string, wait bool) (*flock.Flock, error) {
	if err := makeDir(filepath.Dir(path)); err != nil {
		return nil, err
	}
	l := flock.New(path+lockSuffix, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))
	got, err := l.TryLock()
	if err == nil && !got && wait {
		got, err = l.TryLockContext(ctx, lockPoll)
	}
	if err == nil && !got {
		err = ErrBusy
	}
	if err != nil {
		l.Close()
		if errors.Is(err, fs.ErrPermission) {
			return nil, ErrReadOnly
		}
		return nil, err
	}
	return l, nil
}
