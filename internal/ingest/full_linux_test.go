package ingest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"lookback"
)

// D05, scaled down: the disk that holds index and archive fills up.
func TestDiskFull(t *testing.T) {
	dir := t.TempDir()
	small := filepath.Join(dir, "small")
	if err := os.Mkdir(small, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", small, "tmpfs", 0, "size=2m"); err != nil {
		t.Skipf("cannot mount a small file system (needs root): %v", err)
	}
	defer syscall.Unmount(small, syscall.MNT_DETACH)
	for _, name := range []string{"cache", "data"} {
		if err := os.MkdirAll(filepath.Join(small, name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(small, name), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	l := labAt(t, dir)
	l.write("first.jsonl", log("first", "/srv/a", "the zeppelin", "flies"))
	l.sync()
	filler := strings.Repeat("=", 150_000) // takes room and holds no words
	for i := range 16 {
		l.write(fmt.Sprintf("%02d.jsonl", i), log(fmt.Sprint("s", i), "/srv/a", "the kayak", filler))
	}
	for range 2 {
		_, err := Sync(t.Context(), l.db, l.opts)
		if err == nil || !strings.Contains(err.Error(), "disk") {
			t.Errorf("error %v, want one that names the disk", err)
		}
		l.wantHits("zeppelin", "pi:first@0:e2")
	}
	items, err := os.ReadDir(l.opts.User)
	if err != nil {
		t.Fatal(err)
	}
	for _, item := range items {
		if info, err := item.Info(); err != nil || info.Size() == 0 && filepath.Ext(item.Name()) == ".json" || strings.HasSuffix(item.Name(), ".tmp") {
			t.Errorf("left behind: %s, %v", item.Name(), err)
		}
	}
	l.records(l.user()) // every record is whole
	// Room is made.
	if err := syscall.Mount("", small, "", syscall.MS_REMOUNT, "size=200m"); err != nil {
		t.Fatal(err)
	}
	if rep := l.sync(); len(rep.Warnings) > 0 {
		t.Errorf("warnings %v", rep.Warnings)
	}
	if n := len(l.hits(lookback.Everything(), "kayak")); n != 16 {
		t.Errorf("%d sessions found", n)
	}
	if n := len(l.records(l.user())); n != 17 {
		t.Errorf("%d records", n)
	}
}
