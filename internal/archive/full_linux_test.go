package archive

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"lookback/internal/testkit"
)

// A disk that fills up loses the record that did not fit, and nothing else.
func TestDiskFull(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("cannot mount a small file system (needs root): %v", err)
	}
	defer syscall.Unmount(dir, syscall.MNT_DETACH)
	a := Open(filepath.Join(dir, "archive"))
	var saved []*Record
	var full error
	for i := 0; full == nil && i < 100; i++ {
		r := record(fmt.Sprint("s", i), 100)
		if _, full = save1(a, r); full == nil {
			saved = append(saved, r)
		}
	}
	if !errors.Is(full, syscall.ENOSPC) || len(saved) == 0 {
		t.Fatalf("%d saved, then %v", len(saved), full)
	}
	if len(files(t, a)) != len(saved)+1 {
		t.Errorf("left behind: %q", files(t, a))
	}
	for _, r := range saved {
		if got := load(t, a, r.ID); !same(got, r) {
			t.Errorf("%s changed", r.ID)
		}
	}
	last := saved[len(saved)-1]
	write(last, string(make([]byte, 1<<20)), 0)
	if _, err := save1(a, last); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("a record that grows: %v", err)
	}
	if got := load(t, a, last.ID); ready(got) != 0 {
		t.Error("the old state is gone")
	}
	if err := os.Remove(filepath.Join(a.Dir(), saved[0].ID+ext)); err != nil {
		t.Fatal(err)
	}
	save(t, a, record("after", 50))
	testkit.Snapshot(t, a.Dir())
}
