package pi

import (
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"lookback"
	"lookback/internal/testkit"
)

// FuzzRead reads any bytes, whole and in two steps.
func FuzzRead(f *testing.F) {
	for _, dir := range []string{"pi", "cases/files"} {
		for _, path := range sessions(f, repoFile(f, dir)) {
			data := testkit.ReadFile(f, path)
			f.Add(data, uint16(len(data)/2))
		}
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte, cut uint16) {
		r := reader{t: t, s: testSource(), path: filepath.Join(dir, "s.jsonl")}
		_ = os.Remove(r.path)
		at := min(int(cut), len(data))
		r.grow(data[:at])
		r.read()
		sound(t, r.entries)
		r.grow(data[at:])
		r.read()
		sound(t, r.entries)
		if err := r.sameAsFresh(); err != nil {
			t.Error(err)
		}
		f := lookback.Exchanges(r.entries)
		lookback.BuildTree("A", "", r.entries, &f)
	})
}

// sound checks what every caller builds on.
func sound(t *testing.T, entries []lookback.Entry) {
	t.Helper()
	for i := range entries {
		e := &entries[i]
		if e.Seq != i+1 || e.ID == "" || e.Parent < 0 || e.Parent > len(entries) || e.Parent == e.Seq {
			t.Fatalf("entry %d: %+v", i+1, *e)
		}
		if !utf8.ValidString(e.ID) || !utf8.ValidString(e.Words()) {
			t.Fatalf("entry %d is not UTF-8", i+1)
		}
	}
	if order := lookback.Order(entries); len(order) != len(entries) {
		t.Fatalf("%d of %d entries hang on a root", len(order), len(entries))
	}
}
