package testkit

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// Snap is the state of a tree at one time: per name, its type, mode, size, time
// of change and the hash of its bytes or the target of its link. Times of folders
// are part of it, so a temporary file that came and went shows too. Access times
// are not: reading is allowed.
type Snap struct {
	dir   string
	items map[string]item
}

type item struct {
	mode  fs.FileMode
	size  int64
	mtime time.Time
	data  string // hash of a file, target of a link
}

// Snapshot records the tree below dir without following links. Files that cannot
// be opened are recorded without a hash.
func Snapshot(t testing.TB, dir string) Snap {
	t.Helper()
	s := Snap{dir: dir, items: map[string]item{}}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			if d != nil && d.IsDir() && os.IsPermission(err) {
				return fs.SkipDir
			}
			return err
		}
		it, err := look(path, d)
		name, _ := filepath.Rel(dir, path)
		s.items[name] = it
		return err
	})
	if err != nil {
		t.Fatalf("snapshot: %v", err)
	}
	return s
}

func look(path string, d fs.DirEntry) (item, error) {
	info, err := d.Info()
	if err != nil {
		return item{}, err
	}
	it := item{mode: info.Mode(), mtime: info.ModTime()}
	switch {
	case info.Mode().IsRegular():
		it.size = info.Size()
		it.data, err = hash(path)
	case info.Mode()&fs.ModeSymlink != 0:
		it.data, err = os.Readlink(path)
	}
	return it, err
}

func hash(path string) (string, error) {
	f, err := os.Open(path)
	if os.IsPermission(err) {
		return "unreadable", nil
	}
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Len returns how many names the tree holds, its own folder included.
func (s Snap) Len() int { return len(s.items) }

// Same fails the test for every difference between the snapshot and the tree as
// it is now.
func (s Snap) Same(t testing.TB) {
	t.Helper()
	for _, d := range s.diff(Snapshot(t, s.dir)) {
		t.Errorf("%s: %s", s.dir, d)
	}
}

// diff lists how now differs from s, ordered by name.
func (s Snap) diff(now Snap) []string {
	var out []string
	for name, was := range s.items {
		is, ok := now.items[name]
		switch {
		case !ok:
			out = append(out, fmt.Sprintf("%q is gone", name))
		case was.mode != is.mode:
			out = append(out, fmt.Sprintf("%q: mode %v became %v", name, was.mode, is.mode))
		case was.size != is.size || was.data != is.data:
			out = append(out, fmt.Sprintf("%q: its bytes changed (%d, then %d)", name, was.size, is.size))
		case !was.mtime.Equal(is.mtime):
			out = append(out, fmt.Sprintf("%q: time of change moved by %v", name, is.mtime.Sub(was.mtime)))
		}
	}
	for name := range now.items {
		if _, ok := s.items[name]; !ok {
			out = append(out, fmt.Sprintf("%q is new", name))
		}
	}
	slices.Sort(out)
	return out
}
