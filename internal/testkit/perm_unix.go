//go:build unix

package testkit

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// nobody is the user that root becomes in Unprivileged. It needs no account.
const nobody = 65534

// WithUmask runs fn with the process's umask set to mask and puts the old one
// back. The umask belongs to the whole process: not for parallel tests.
func WithUmask(t testing.TB, mask int, fn func()) {
	t.Helper()
	old := syscall.Umask(mask)
	defer syscall.Umask(old)
	fn()
}

// Unprivileged runs fn as a user whom file modes bind. Root, as in containers,
// reads and writes everything, so tests of unreadable and read-only places would
// prove nothing there: for root the tree below dir is given to a user without
// rights and the process acts as that user until fn returns. The user belongs to
// the whole process: not for parallel tests. What fn needs must be open already
// or lie in a place that all may read.
func Unprivileged(t testing.TB, dir string, fn func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		fn()
		return
	}
	open(t, dir)
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, nobody, nobody)
	})
	if err != nil {
		t.Fatalf("unprivileged: %v", err)
	}
	if err := syscall.Setreuid(-1, nobody); err != nil {
		t.Skipf("cannot act as another user here: %v", err)
	}
	defer func() {
		if err := syscall.Setreuid(-1, 0); err != nil {
			panic(err) // every later test would run as the wrong user
		}
	}()
	fn()
}

// open lets others pass through the test's own temporary folders above dir.
func open(t testing.TB, dir string) {
	t.Helper()
	stop := filepath.Clean(os.TempDir())
	for up := filepath.Dir(dir); up != stop && up != filepath.Dir(up); up = filepath.Dir(up) {
		info, err := os.Stat(up)
		if err != nil {
			t.Fatalf("unprivileged: %v", err)
		}
		if rel, err := filepath.Rel(stop, up); err != nil || !filepath.IsLocal(rel) {
			return // not in the temporary folder: not ours to change
		}
		if err := os.Chmod(up, info.Mode().Perm()|0o011); err != nil {
			t.Fatalf("unprivileged: %v", err)
		}
	}
}
