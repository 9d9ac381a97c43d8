//go:build unix

package archive

import (
	"errors"
	"os"
	"syscall"
)

// noFollow makes an open fail on a link instead of following it.
const noFollow = syscall.O_NOFOLLOW

// hasModes says that file modes mean something here.
const hasModes = true

// openPlain opens a file for reading without following a link or waiting for
// the other end of a pipe.
func openPlain(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if errors.Is(err, syscall.ELOOP) || errors.Is(err, syscall.EMLINK) {
		return nil, damaged("a symbolic link is no record")
	}
	return f, err
}

// syncDir makes the names in dir last. File systems that cannot do it say so
// with an error that is of no use to anyone.
func syncDir(dir *os.Root) error {
	f, err := dir.Open(".")
	if err != nil {
		return err
	}
	defer f.Close()
	err = f.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		return nil
	}
	return err
}

// rename puts a file in place of another, at once.
func rename(dir *os.Root, from, to string) error { return dir.Rename(from, to) }
