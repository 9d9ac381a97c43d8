package testkit

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// CopyTree copies a file or folder into a new temporary folder and returns the
// copy's path. Times and links are kept as they are; every copied file and folder
// becomes writable for its owner, since the original may be laid out read-only.
func CopyTree(t testing.TB, from string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), filepath.Base(from))
	CopyTo(t, from, to)
	return to
}

// CopyTo is CopyTree with a named target, which may exist already.
func CopyTo(t testing.TB, from, to string) {
	t.Helper()
	type stamp struct {
		path string
		info fs.FileInfo
	}
	var done []stamp
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		target := filepath.Join(to, name)
		if info.Mode()&fs.ModeSymlink == 0 {
			done = append(done, stamp{target, info})
		}
		return copyOne(path, target, info)
	})
	if err != nil {
		t.Fatalf("copy tree: %v", err)
	}
	// Innermost last to first, since writing into a folder moves its time.
	for i := len(done) - 1; i >= 0; i-- {
		if err := os.Chtimes(done[i].path, done[i].info.ModTime(), done[i].info.ModTime()); err != nil {
			t.Fatalf("copy tree: %v", err)
		}
	}
}

func copyOne(from, to string, info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return os.MkdirAll(to, info.Mode().Perm()|0o700)
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := os.Readlink(from)
		if err != nil {
			return err
		}
		return os.Symlink(target, to)
	case !info.Mode().IsRegular():
		return nil // sockets and pipes carry no bytes to copy
	}
	return copyFile(from, to, info.Mode().Perm()|0o600)
}

func copyFile(from, to string, mode fs.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	r, err := os.Open(from)
	if err != nil {
		return err
	}
	defer r.Close()
	w, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	if _, err := io.Copy(w, r); err != nil {
		w.Close()
		return err
	}
	return w.Close()
}
