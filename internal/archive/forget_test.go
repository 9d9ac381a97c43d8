package archive

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
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
	if _, err := save1(a, record("gone", 6)); !errors.Is(err, ErrForgotten) {
		t.Errorf("save: %v", err)
	}
	if rep, err := Copy(bg, a, other); rep.Written != 1 || rep.Same != 0 || err != nil {
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

func TestForgetNeitherNamesNorFollows(t *testing.T) {
	a := newArchive(t)
	if _, err := a.Forget(bg, session("secret-name")); err != nil {
		t.Fatal(err)
	}
	for _, name := range files(t, a) {
		if strings.Contains(name, "secret") {
			t.Errorf("%s names the session", name)
		}
	}
	target := filepath.Join(t.TempDir(), "target")
	if err := os.Symlink(target, a.path(grave+NewID(session("x")))); err != nil {
		t.Skip(err)
	}
	if _, err := a.Forget(bg, session("x")); err != nil || !a.Forgotten(session("x")) {
		t.Errorf("forget: %v", err)
	}
	if _, err := os.Stat(target); err == nil {
		t.Error("written through a link")
	}
}
