// Package testkit holds what tests of several packages share: where the module
// and the shared material lie, copies of trees, and proof that a tree of native
// logs was not touched. Only tests and bench import it; rules_test.go sees to it.
package testkit

import (
	"os"
	"path/filepath"
	"testing"
)

// SharedEnv names the folder with fixtures, cases and evaluation sets. test.sh
// sets it when the folder lies beside the checkout.
const SharedEnv = "LOOKBACK_SHARED"

// Root returns the module's root: the nearest folder above the test's own with a
// go.mod. It ends the test when there is none.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatal("no go.mod above the test's folder")
		}
		dir = up
	}
}

// Shared returns the folder named by LOOKBACK_SHARED, else the folder "shared"
// beside the checkout. Without one the test is skipped, since a plain clone of
// the repository does not come with it; where CI is set it fails, so that a
// green run there always covered these tests.
func Shared(t testing.TB) string {
	t.Helper()
	dir := os.Getenv(SharedEnv)
	if dir == "" {
		dir = filepath.Join(filepath.Dir(Root(t)), "shared")
	}
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return dir
	}
	const msg = "no shared material: set " + SharedEnv + " to its folder or lay it beside the checkout as ../shared"
	if os.Getenv("CI") != "" {
		t.Fatal(msg)
	}
	t.Skip(msg)
	return ""
}

// SharedFile returns the path of one file or folder below Shared, named with
// slashes. It ends the test when the name does not exist there, so that a
// renamed fixture is noticed instead of testing nothing.
func SharedFile(t testing.TB, name string) string {
	t.Helper()
	path := filepath.Join(Shared(t), filepath.FromSlash(name))
	if _, err := os.Lstat(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// Glob returns the files below Shared that match a slash-separated pattern, and
// ends the test when none does.
func Glob(t testing.TB, pattern string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(Shared(t), filepath.FromSlash(pattern)))
	if err != nil {
		t.Fatal(err)
	}
	if len(found) == 0 {
		t.Fatalf("nothing in the shared material matches %s", pattern)
	}
	return found
}

// ReadFile returns a file's bytes or ends the test.
func ReadFile(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// WriteFile writes a file and the folders above it, or ends the test.
func WriteFile(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
