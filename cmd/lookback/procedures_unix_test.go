//go:build unix

package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"lookback/internal/testkit"
)

// D09: what we write is for its owner alone, whatever the umask.
func TestModesWhateverTheUmask(t *testing.T) {
	for _, mask := range []int{0, 0o022, 0o077} {
		l := newLab(t)
		l.some("zeppelin", 3)
		root := filepath.Join(l.home, "w")
		if err := os.Mkdir(root, 0o755); err != nil {
			t.Fatal(err)
		}
		l.session("w.jsonl", piSession("w", root, "the kayak", "swims"))
		testkit.WithUmask(t, mask, func() {
			for _, args := range [][]string{
				{"sync"}, {"archive", "export", filepath.Join(l.home, "data", "out")}, {"search", "--all", "zeppelin"}, {"forget", "pi:zeppelin-0", "--yes"},
			} {
				if _, errs, code := l.process(args...); code != 0 {
					t.Errorf("umask %03o: %v: %s", mask, args, errs)
				}
			}
		})
		cmd := l.command("archive", "here")
		cmd.Dir = root
		testkit.WithUmask(t, mask, func() {
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("umask %03o: %v, %s", mask, err, out)
			}
		})
		for _, dir := range []string{"cache", "data", "w/.pi"} {
			err := filepath.WalkDir(filepath.Join(l.home, dir), func(path string, d fs.DirEntry, err error) error {
				if err != nil {
					return err
				}
				info, err := d.Info()
				want := fs.FileMode(0o600)
				if d.IsDir() {
					want = 0o700
				}
				if err == nil && info.Mode().Perm() != want {
					name, _ := filepath.Rel(l.home, path)
					t.Errorf("umask %03o: %s has mode %v, want %v", mask, name, info.Mode().Perm(), want)
				}
				return err
			})
			if err != nil {
				t.Errorf("umask %03o: %v", mask, err)
			}
		}
	}
}
