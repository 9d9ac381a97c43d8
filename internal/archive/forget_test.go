package archive

import (
	"bytes"
	"errors"
	"path/filepath"
	"testing"

	"lookback/internal/testkit"
)

func TestForget(t *testing.T) {
	a, other := newArchive(t), newArchive(t)
	gone, stays := record("gone", 5), record("stays", 5)
	save(t, a, gone, gone.rename("second"), stays)
	save(t, other, gone, record("elsewhere", 2))
	file := testkit.ReadFile(t, filepath.Join(a.Dir(), gone.ID+ext))

	if n, err := a.Forget(bg, gone.Session); n != 2 || err != nil {
		t.Fatalf("forget: %d, %v", n, err)
	}
	if n, err := a.Forget(bg, gone.Session); n != 0 || err != nil {
		t.Errorf("forget again: %d, %v", n, err)
	}
	if n, err := a.Forget(bg, session("third")); n != 0 || err != nil {
		t.Errorf("forget another: %d, %v", n, err)
	}
	for _, view := range []*Archive{a, Open(a.Dir())} {
		if !view.Forgotten(gone.Session) || !view.Forgotten(session("third")) || view.Forgotten(stays.Session) {
			t.Error("the list is wrong")
		}
	}
	if b := testkit.ReadFile(t, filepath.Join(a.Dir(), tombstones)); bytes.Contains(b, []byte("gone")) || bytes.Count(b, []byte("\n")) != 2 {
		t.Errorf("tombstones: %s", b)
	}
	if _, err := a.Save(bg, record("gone", 6)); !errors.Is(err, ErrForgotten) {
		t.Errorf("save: %v", err)
	}
	if rep, err := Copy(bg, a, other); rep.Added != 1 || rep.Skipped != 1 || err != nil {
		t.Errorf("copy: %+v, %v", rep, err)
	}
	// Another program writes it again: nobody sees it.
	testkit.WriteFile(t, filepath.Join(a.Dir(), gone.ID+ext), string(file))
	if _, err := a.Load(gone.ID); !errors.Is(err, ErrForgotten) {
		t.Errorf("load: %v", err)
	}
	for r := range a.All() {
		if r.Session == gone.Session {
			t.Error("All shows it")
		}
	}
}

func TestForgetKeepsAListItCannotRead(t *testing.T) {
	top := t.TempDir()
	a := Open(filepath.Join(top, "archive"))
	if _, err := a.Forget(bg, session("x")); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(a.Dir(), tombstones)
	testkit.WriteFile(t, path, "not JSON\n"+string(testkit.ReadFile(t, path))+"no line end")
	if _, err := a.Forget(bg, session("y")); err != nil {
		t.Fatal(err)
	}
	if !a.Forgotten(session("x")) || !a.Forgotten(session("y")) || !bytes.Contains(testkit.ReadFile(t, path), []byte("no line end\n{")) {
		t.Errorf("list: %s", testkit.ReadFile(t, path))
	}
}
