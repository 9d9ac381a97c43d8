package archive

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"lookback"
	"lookback/internal/testkit"
)

func TestUpdate(t *testing.T) {
	entries := talk(17, "words")
	f := lookback.Exchanges(entries)
	old, changed := Update(nil, session("s"), "name", entries, &f)
	if !changed || old.ID != NewID(session("s")) || len(old.Nodes) != 17+4+1+1 {
		t.Fatalf("first: %v, %d nodes", changed, len(old.Nodes))
	}
	old = old.rename("kept-id")
	write(old, "text", 0, 1, 2, 3, 4)
	if r, changed := Update(old, session("s"), "name", entries, &f); changed || !same(r, old) {
		t.Error("the same log changes the record")
	}
	more := talk(18, "words")
	g := lookback.Exchanges(more)
	r, changed := Update(old, session("s"), "new name", more, &g)
	if !changed || r.ID != "kept-id" || ready(r) != 5 || r.Name != "new name" {
		t.Errorf("a longer log: %v %s, %d ready", changed, r.ID, ready(r))
	}
	less := talk(5, "other words")
	h := lookback.Exchanges(less)
	if r, changed := Update(old, session("s"), "name", less, &h); !changed || ready(r) != 0 || len(r.Nodes) != 7 {
		t.Errorf("a rewritten log: %v, %d ready, %d nodes", changed, ready(r), len(r.Nodes))
	}
	if r, changed := Update(old, session("s"), "name", nil, &lookback.Forest{}); changed || r != old {
		t.Error("an empty log changes the record")
	}
}

func TestUpdateUsesKeys(t *testing.T) {
	entries := talk(1, "words")
	entries[1].Key = "v1-2"
	f := lookback.Exchanges(entries)
	r, _ := Update(nil, session("s"), "name", entries, &f)
	if want := r.ID + ":0:v1-2"; r.Nodes[0].ID != want {
		t.Errorf("%s, not %s", r.Nodes[0].ID, want)
	}
}

func TestEdit(t *testing.T) {
	a := newArchive(t)
	save(t, a, record("s", 9))
	id := NewID(session("s"))
	for i := range 2 {
		err := Open(a.Dir()).Edit(bg, id, func(r *Record) error { write(r, "text", i); return nil })
		if err != nil {
			t.Fatal(err)
		}
	}
	if got := load(t, a, id); ready(got) != 2 {
		t.Errorf("%d of 2", ready(got))
	}
	err := a.Edit(bg, id, func(r *Record) error { write(r, "other", 0); return os.ErrClosed })
	if !errors.Is(err, os.ErrClosed) || load(t, a, id).Nodes[9].Text != "text 0" {
		t.Errorf("an edit that failed: %v", err)
	}
}

func TestCopy(t *testing.T) {
	done := func(r *Record, numbers ...int) *Record { write(r, "text", numbers...); return r }
	for _, c := range []struct {
		name      string
		dst, src  *Record
		want      Report
		exchanges int
		ready     int
	}{
		{"new", nil, done(record("s", 9), 0), Report{Written: 1}, 9, 1},
		{"same", done(record("s", 9), 0), done(record("s", 9), 0), Report{Same: 1}, 9, 1},
		{"more there", done(record("s", 9), 0, 1), done(record("s", 9), 0), Report{Same: 1}, 9, 2},
		{"summaries of both", done(record("s", 9), 0), done(record("s", 9), 1), Report{Written: 1}, 9, 2},
		{"longer source", done(record("s", 8), 0, 1), record("s", 12), Report{Written: 1}, 12, 2},
		{"longer here", record("s", 12), done(record("s", 8), 0, 1), Report{Written: 1}, 12, 2},
		{"other id", record("s", 9).rename("mine"), done(record("s", 9), 1), Report{Written: 1}, 9, 1},
		{"other id here kept", done(record("s", 9), 0).rename("mine"), record("s", 4), Report{Same: 1}, 9, 1},
	} {
		src, dst := newArchive(t), newArchive(t)
		save(t, src, c.src)
		id := c.src.ID
		if c.dst != nil {
			save(t, dst, c.dst)
			id = c.dst.ID
		}
		before := testkit.Snapshot(t, src.Dir())
		rep, err := Copy(bg, dst, src)
		if err != nil || rep.Written != c.want.Written || rep.Same != c.want.Same || len(rep.Warnings) > 0 {
			t.Errorf("%s: %+v, %v", c.name, rep, err)
		}
		before.Same(t)
		r := load(t, dst, id)
		exchanges := 0
		for i := range r.Nodes {
			if r.Nodes[i].Kind == lookback.KindExchange {
				exchanges++
			}
		}
		if exchanges != c.exchanges || ready(r) != c.ready {
			t.Errorf("%s: %d exchanges, %d ready", c.name, exchanges, ready(r))
		}
		if problems, _ := dst.Verify(); len(problems) > 0 || len(files(t, dst)) != 2 {
			t.Errorf("%s: %v %q", c.name, problems, files(t, dst))
		}
	}
}

func TestCopyKeepsWordsOfBoth(t *testing.T) {
	entries := talk(6, "words")
	for i := 8; i < len(entries); i++ {
		entries[i].ID = "z" + entries[i].ID
	}
	f := lookback.Exchanges(entries)
	fork, _ := Update(nil, session("s"), "name", entries, &f)
	src, dst := newArchive(t), newArchive(t)
	save(t, src, fork)
	save(t, dst, record("s", 7))
	for range 2 { // the second time finds all there
		if rep, err := Copy(bg, dst, src); err != nil || len(rep.Warnings) > 0 {
			t.Fatalf("%+v, %v", rep, err)
		}
	}
	n := 0
	for r := range dst.All() {
		n += len(r.Nodes)
	}
	if n != (7+1+1)+(6+1+1) || len(files(t, dst)) != 3 {
		t.Errorf("%d nodes in %q", n, files(t, dst))
	}
}

func TestImport(t *testing.T) {
	old := Open(testkit.CopyTree(t, filepath.Join(testkit.Root(t), "testdata", "archive", "user-level")))
	before := testkit.Snapshot(t, old.Dir())
	const root = "/home/dev/project-a"
	work := t.TempDir()
	a := InWorkspace(work)
	for _, other := range []string{"/home/dev/project-a/", "/home/dev", "", "."} {
		if rep, err := a.Import(bg, old, other); rep.Written+rep.Same > 0 || err != nil || a.Exists() {
			t.Errorf("for %q: %+v, %v", other, rep, err)
		}
	}
	// One of the two sessions is here already, under another id and with less in it.
	const here = "01a22e3d-598f-75a6-aeb1-143e9418e6da"
	save(t, a, record(here, 1))
	rep, err := a.Import(bg, old, root)
	if err != nil || rep.Written != 1 || rep.Same != 1 || len(rep.Warnings) > 0 {
		t.Fatalf("%+v, %v", rep, err)
	}
	got := load(t, a, "c3806a8d-4a82-4dad-abc5-e9f66c0da398")
	want, _ := old.Load(got.ID)
	if got.Untidy() || !same(got, want) || len(load(t, a, NewID(session(here))).Nodes) != 2 {
		t.Errorf("imported: %+v", got)
	}
	if rep, err := a.Import(bg, old, root); err != nil || rep.Written != 0 || rep.Same != 2 {
		t.Errorf("again: %+v, %v", rep, err)
	}
	before.Same(t)
}

func TestImportDoesNotReplaceAName(t *testing.T) {
	old := Open(testkit.CopyTree(t, filepath.Join(testkit.Root(t), "testdata", "archive", "user-level")))
	a := newArchive(t)
	const id = "c3806a8d-4a82-4dad-abc5-e9f66c0da398"
	testkit.WriteFile(t, filepath.Join(a.Dir(), id+ext), "broken")
	rep, err := a.Import(bg, old, "/home/dev/project-a")
	if err != nil || rep.Written != 2 {
		t.Errorf("%+v, %v", rep, err)
	}
	if got := string(testkit.ReadFile(t, filepath.Join(a.Dir(), id+ext))); got != "broken" {
		t.Errorf("replaced by %q", got)
	}
	if rep, err := a.Import(bg, old, "/home/dev/project-a"); err != nil || rep.Same != 2 {
		t.Errorf("again: %+v, %v", rep, err)
	}
}
