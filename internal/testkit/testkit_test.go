package testkit

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestSnapshotSeesEveryChange(t *testing.T) {
	old := time.Now().Add(-time.Hour).Truncate(time.Second)
	for name, change := range map[string]func(dir string) error{
		"is gone":        func(dir string) error { return os.Remove(filepath.Join(dir, "a", "one")) },
		"bytes changed":  func(dir string) error { return os.WriteFile(filepath.Join(dir, "a", "one"), []byte("2"), 0o600) },
		"time of change": func(dir string) error { return os.Chtimes(filepath.Join(dir, "a", "one"), old, old.Add(1)) },
		"is new":         func(dir string) error { return os.WriteFile(filepath.Join(dir, "two"), nil, 0o600) },
		"":               func(dir string) error { _, err := os.ReadFile(filepath.Join(dir, "a", "one")); return err },
	} {
		dir := t.TempDir()
		WriteFile(t, filepath.Join(dir, "a", "one"), "1")
		snap := Snapshot(t, dir)
		if err := change(dir); err != nil {
			t.Fatal(err)
		}
		got := strings.Join(snap.diff(Snapshot(t, dir)), "\n")
		if name == "" && got != "" || !strings.Contains(got, name) {
			t.Errorf("want a difference %q, got %q", name, got)
		}
	}
}

func TestSnapshotSeesAFileThatCameAndWent(t *testing.T) {
	dir := t.TempDir()
	past := time.Now().Add(-time.Hour)
	if err := os.Chtimes(dir, past, past); err != nil {
		t.Fatal(err)
	}
	snap := Snapshot(t, dir)
	WriteFile(t, filepath.Join(dir, "tmp"), "x")
	if err := os.Remove(filepath.Join(dir, "tmp")); err != nil {
		t.Fatal(err)
	}
	if len(snap.diff(Snapshot(t, dir))) == 0 {
		t.Error("a temporary file left no trace in the snapshot")
	}
}

func TestCopyTreeKeepsTimesAndLinks(t *testing.T) {
	from := filepath.Join(t.TempDir(), "from")
	WriteFile(t, filepath.Join(from, "a", "one"), "1")
	if err := os.Symlink("one", filepath.Join(from, "a", "link")); err != nil {
		t.Skipf("no links here: %v", err)
	}
	past := time.Now().Add(-time.Hour).Truncate(time.Second)
	for _, p := range []string{"a/one", "a", "."} {
		if err := os.Chtimes(filepath.Join(from, p), past, past); err != nil {
			t.Fatal(err)
		}
	}
	to := CopyTree(t, from)
	for _, p := range []string{"a/one", "a", "."} {
		info, err := os.Stat(filepath.Join(to, p))
		if err != nil {
			t.Fatal(err)
		}
		if !info.ModTime().Equal(past) {
			t.Errorf("%s: time %v, want %v", p, info.ModTime(), past)
		}
	}
	if target, err := os.Readlink(filepath.Join(to, "a", "link")); err != nil || target != "one" {
		t.Errorf("link points to %q, %v", target, err)
	}
}

func TestUnprivilegedIsBoundByModes(t *testing.T) {
	dir := t.TempDir()
	secret := filepath.Join(dir, "secret")
	WriteFile(t, secret, "x")
	if err := os.Chmod(secret, 0); err != nil {
		t.Fatal(err)
	}
	Unprivileged(t, dir, func() {
		if _, err := os.ReadFile(secret); !os.IsPermission(err) {
			t.Errorf("reading a file without rights: %v", err)
		}
		if err := os.WriteFile(filepath.Join(dir, "mine"), nil, 0o600); err != nil {
			t.Errorf("writing into the given folder: %v", err)
		}
	})
	if _, err := os.Stat(filepath.Join(dir, "mine")); err != nil {
		t.Error(err)
	}
}

func TestWithUmaskPutsItBack(t *testing.T) {
	dir := t.TempDir()
	WithUmask(t, 0o777, func() { WriteFile(t, filepath.Join(dir, "none"), "") })
	WriteFile(t, filepath.Join(dir, "some"), "")
	for name, want := range map[string]os.FileMode{"none": 0, "some": 0o600} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %v, want %v", name, got, want)
		}
	}
}

func TestSharedIsFound(t *testing.T) {
	if _, err := os.Stat(Shared(t)); err != nil {
		t.Error(err)
	}
}
