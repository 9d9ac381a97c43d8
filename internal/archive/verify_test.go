package archive

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lookback/internal/testkit"
)

func TestVerifyFindsNothing(t *testing.T) {
	a := newArchive(t)
	for _, path := range fixtures(t) {
		if strings.Contains(path, "plain") || strings.Contains(path, "pending") {
			testkit.CopyTo(t, path, filepath.Join(a.Dir(), filepath.Base(path)))
			os.Chmod(filepath.Join(a.Dir(), filepath.Base(path)), 0o600)
		}
	}
	save(t, a, record("s", 70))
	if problems, err := a.Verify(); len(problems) > 0 || err != nil {
		t.Errorf("%v, %v", problems, err)
	}
}

func TestVerifyFinds(t *testing.T) {
	for want, spoil := range map[string]func(r *Record){
		"is no child of its parent":             func(r *Record) { r.Nodes[0].Parents = append(r.Nodes[0].Parents, r.ID) },
		"is no parent of its child":             func(r *Record) { r.Nodes[0].Parents = nil },
		"hangs under nothing":                   func(r *Record) { r.Nodes[0].Parents = nil },
		"is not there":                          func(r *Record) { r.Nodes[0].Parents = []string{r.ID + ":1:none"} },
		"wrong level":                           func(r *Record) { r.Nodes[len(r.Nodes)-2].Children[0] = r.Nodes[0].ID },
		"although its child":                    func(r *Record) { write(r, "text", 4) },
		"has ready = true":                      func(r *Record) { r.Nodes[0].Text = "" },
		"has ready = false":                     func(r *Record) { r.Nodes[0].Ready = false },
		"covers the wrong number of entries, 0": func(r *Record) { r.Nodes[0].EntryIDs = nil },
		"covers 3 nodes":                        func(r *Record) { r.Nodes[16].Children = r.Nodes[16].Children[:3] },
		"unlike its children":                   func(r *Record) { r.Nodes[0].Completed = false },
		"has a path for an entry id":            func(r *Record) { r.Nodes[0].EntryIDs[0] = "/home/x" },
		"has no session node":                   func(r *Record) { r.Nodes = r.Nodes[:len(r.Nodes)-1] },
	} {
		a := newArchive(t)
		r := record("s", 16)
		spoil(r)
		save(t, a, r)
		finds(t, a, want)
	}
}

func TestVerifyFindsInTheDirectory(t *testing.T) {
	a := newArchive(t)
	save(t, a, record("s", 1), record("s", 1).rename("second"))
	testkit.WriteFile(t, filepath.Join(a.Dir(), temp+"1"), "")
	testkit.WriteFile(t, filepath.Join(a.Dir(), "bad.json"), "{")
	testkit.WriteFile(t, filepath.Join(a.Dir(), "old.json"), `{"id":"old","sessionId":"old","nodes":[],"file":"/x"}`)
	want := []string{"left behind", "holds the same session", "unexpected EOF", "holds a file field"}
	if hasModes {
		os.Chmod(a.Dir(), 0o755)
		os.Chmod(filepath.Join(a.Dir(), "second.json"), 0o644)
		want = append(want, "mode is 0755", "mode is 0644")
	}
	for _, w := range want {
		finds(t, a, w)
	}
}

func finds(t *testing.T, a *Archive, want string) {
	t.Helper()
	problems, err := a.Verify()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		if strings.Contains(p.Detail, want) {
			return
		}
	}
	t.Errorf("%q not found in %v", want, problems)
}
