package index

import (
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
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
// out before it does; it takes them as they are.
func private(path string, h header) {
	further := []string{"", logSuffix, shmSuffix}
	if !h.logged { // an empty log would make the engine use one
		further = []string{"", journalSuffix}
	}
	for _, suffix := range further {
		name := path + suffix
		info, err := os.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) {
			f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
			if err != nil {
				return // the engine will say so
			}
			f.Close()
			if info, err = os.Lstat(name); err != nil {
				return
			}
		}
		if err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0 {
			os.Chmod(name, info.Mode().Perm()&0o700) //nolint:errcheck // not ours to change; the folder is private too
		}
	}
}

// header is what the first bytes of a database file say.
type header struct {
	database bool  // it is one
	logged   bool  // it has a write-ahead log
	version  int64 // user_version
	id       int64 // application_id
}

// readHeader reads the header without the engine, which would lay files out beside
// even a database that is not to be touched. The values never stand in the log
// alone: they are written before there is one.
func readHeader(path string) (header, error) {
	f, err := os.Open(path)
	if err != nil {
		return header{}, err
	}
	defer f.Close()
	var b [100]byte
	if _, err := io.ReadFull(f, b[:]); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = nil
		}
		return header{}, err
	}
	return header{
		database: string(b[:16]) == "SQLite format 3\x00", logged: b[18] == 2,
		version: int64(int32(binary.BigEndian.Uint32(b[60:]))), id: int64(int32(binary.BigEndian.Uint32(b[68:]))),
	}, nil
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

// writable reports whether files can be made in dir and, if it exists, the
// database written.
func writable(path string) bool {
	f, err := os.CreateTemp(filepath.Dir(path), ".probe-*")
	if err != nil {
		return false
	}
	f.Close()
	os.Remove(f.Name())
	f, err = os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	return f.Close() == nil
}

// removeFiles removes the database. The file itself goes first: what is left
// of a removal that was cut short is then no database.
func removeFiles(path string) error {
	for _, suffix := range []string{"", logSuffix, shmSuffix, journalSuffix} {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func removeTemporary(path string) error { return os.RemoveAll(filepath.Dir(path)) }

// immutableURI names a database that nobody writes, on a medium that cannot be
// locked.
func immutableURI(path string) string {
	path = filepath.ToSlash(path)
	if runtime.GOOS == "windows" && !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path, RawQuery: "immutable=1"}).String()
}
