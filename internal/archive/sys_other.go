//go:build !unix

package archive

import (
	"os"
	"time"
)

// noFollow has no counterpart here; links are looked for beforehand.
const noFollow = 0

// hasModes says that file modes mean nothing here.
const hasModes = false

// openPlain opens a file for reading if it is one and no link.
func openPlain(path string) (*os.File, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, damaged("not a file")
	}
	return os.Open(path)
}

// syncDir does nothing: renames last by themselves here.
func syncDir(*os.Root) error { return nil }

// rename puts a file in place of another. It waits for up to a second while a
// reader has the other one open, which keeps it from being replaced here.
func rename(dir *os.Root, from, to string) (err error) {
	for range 40 {
		if err = dir.Rename(from, to); err == nil {
			return nil
		}
		time.Sleep(25 * time.Millisecond)
	}
	return err
}
