package archive

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lookback"
	"lookback/internal/testkit"
)

func TestReadingNeedsNothingAndMakesNothing(t *testing.T) {
	root := t.TempDir()
	a := InWorkspace(root)
	if list, warnings, err := a.List(); len(list)+len(warnings) > 0 || err != nil || a.Exists() || !a.Changed().IsZero() {
		t.Errorf("an archive that is not there: %v %v %v", list, warnings, err)
	}
	if _, err := a.Load("x"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("load: %v", err)
	}
	if items, _ := os.ReadDir(root); len(items) > 0 {
		t.Error("reading made something")
	}
}

// The folder of procedure D10: good records, one with a file field, one broken.
func TestOlderArchive(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "history")
	for _, path := range fixtures(t) {
		testkit.CopyTo(t, path, filepath.Join(dir, filepath.Base(path)))
	}
	testkit.WriteFile(t, filepath.Join(dir, "broken.json"), `{"id":"broken","nodes":[{`)
	testkit.WriteFile(t, filepath.Join(dir, "a b.json"), `{}`)
	testkit.WriteFile(t, filepath.Join(dir, "README.txt"), `words`)
	testkit.WriteFile(t, filepath.Join(dir, ".tmp-1.json"), `half`)
	before := testkit.Snapshot(t, dir)
	a := Open(dir)
	var records, untidy int
	var named []string
	for r, w := range a.All() {
		if w != nil {
			named = append(named, filepath.Base(w.File)+" "+string(w.Kind))
		}
		if r != nil {
			records++
			if r.Untidy() {
				untidy++
			}
		}
	}
	before.Same(t)
	slices.Sort(named)
	if records != 6 || untidy != 3 || !slices.Equal(named, []string{"a b.json bad_archive", "broken.json bad_archive"}) {
		t.Errorf("%d records, %d untidy, warnings %q", records, untidy, named)
	}

	heads := 0
	for h, w := range a.Heads() {
		if h != nil {
			heads++
			if r := load(t, a, h.ID); w != nil || len(h.Nodes) > 0 || h.Session != r.Session || h.Name != r.Name {
				t.Errorf("head %+v, %v", h, w)
			}
		}
	}
	if heads != 6 {
		t.Errorf("%d heads", heads)
	}
	before.Same(t)

	for r := range a.All() {
		if r != nil && r.Untidy() {
			save(t, a, r)
		}
	}
	for _, path := range fixtures(t) {
		id := strings.TrimSuffix(filepath.Base(path), ext)
		want, err := decode(id, bytes.NewReader(testkit.ReadFile(t, path)), false)
		if err != nil {
			t.Fatal(err)
		}
		if got := load(t, a, id); got.Untidy() || !same(got, want) {
			t.Errorf("%s: not clean or changed", id)
		}
	}
}

func TestSave(t *testing.T) {
	a := newArchive(t)
	r := record("s", 9)
	save(t, a, r)
	got := load(t, a, r.ID)
	if !same(r, got) {
		t.Errorf("read back: %+v", got)
	}
	snap := testkit.Snapshot(t, a.Dir())
	time.Sleep(10 * time.Millisecond)
	for _, again := range []*Record{r, got, record("s", 9)} {
		if changed, err := save1(a, again); changed || err != nil {
			t.Errorf("unchanged: %v, %v", changed, err)
		}
	}
	snap.Same(t)
}

func TestSaveTakesOverNewerSummaries(t *testing.T) {
	a := newArchive(t)
	save(t, a, record("s", 9))
	mine, theirs := load(t, a, NewID(session("s"))), load(t, a, NewID(session("s")))
	write(theirs, "theirs", 0)
	write(mine, "mine", 1)
	save(t, a, theirs)
	save(t, a, mine)
	if got := load(t, a, mine.ID); ready(got) != 2 {
		t.Errorf("%d summaries left of 2", ready(got))
	}
}

func TestBatchIsVisibleAtFlush(t *testing.T) {
	a := newArchive(t)
	w, err := a.Lock(bg)
	if err != nil {
		t.Fatal(err)
	}
	first, second := record("s", 1), record("s", 2)
	for _, r := range []*Record{first, second, record("t", 1)} {
		if changed, err := w.Save(r); !changed || err != nil {
			t.Fatal(changed, err)
		}
	}
	if got := load(t, a, first.ID); len(got.Nodes) != 2 {
		t.Errorf("the first of two is not in place: %d nodes", len(got.Nodes))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got := load(t, a, first.ID); len(got.Nodes) != 3 {
		t.Errorf("the second is not in place: %d nodes", len(got.Nodes))
	}
	if got := len(files(t, a)); got != 3 {
		t.Errorf("files: %q", files(t, a))
	}
}

func TestBrokenRecordIsNeverReplaced(t *testing.T) {
	a := newArchive(t)
	r := record("s", 2)
	for name, text := range map[string]string{
		"half":    `{"id":"` + r.ID,
		"empty":   ``,
		"foreign": `{"id":"` + r.ID + `","sessionId":"other","nodes":[]}`,
		"newer":   `{"format":9,"id":"` + r.ID + `","sessionId":"s","nodes":[]}`,
	} {
		path := filepath.Join(a.Dir(), r.ID+ext)
		testkit.WriteFile(t, path, text)
		if _, err := save1(a, r); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
		if got := string(testkit.ReadFile(t, path)); got != text {
			t.Errorf("%s: replaced by %q", name, got)
		}
	}
}

func TestSaveRefusesWhatItCouldNotRead(t *testing.T) {
	a := newArchive(t)
	for _, id := range []string{"../x", "a/b", "", strings.Repeat("x", 300), "CON", ".x"} {
		if _, err := save1(a, record("s", 1).rename(id)); !errors.Is(err, ErrDamaged) {
			t.Errorf("%q: %v", id, err)
		}
		if _, err := a.Load(id); !errors.Is(err, ErrDamaged) {
			t.Errorf("load %q: %v", id, err)
		}
	}
	path := record("/home/x/y.jsonl", 1)
	if _, err := save1(a, path); !errors.Is(err, ErrDamaged) {
		t.Errorf("a path as session id: %v", err)
	}
}

func TestLinksAreRefused(t *testing.T) {
	root, away := t.TempDir(), t.TempDir()
	for _, at := range []string{".pi", ".pi/pbot", ".pi/pbot/history"} {
		link := filepath.Join(root, at)
		if err := os.MkdirAll(filepath.Dir(link), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(away, link); err != nil {
			t.Skip(err)
		}
		if _, err := save1(InWorkspace(root), record("s", 1)); !errors.Is(err, ErrLink) {
			t.Errorf("%s: %v", at, err)
		}
		if items, _ := os.ReadDir(away); len(items) > 0 {
			t.Fatalf("%s: written through the link", at)
		}
		os.Remove(link)
	}
	a := InWorkspace(root)
	r := record("s", 1)
	save(t, a, record("t", 1))
	target := filepath.Join(away, "target")
	testkit.WriteFile(t, target, "mine")
	for _, name := range []string{r.ID + ext, lockName} {
		link := filepath.Join(a.Dir(), name)
		os.Remove(link)
		if err := os.Symlink(target, link); err != nil {
			t.Fatal(err)
		}
		_, err := save1(a, r)
		if err == nil || string(testkit.ReadFile(t, target)) != "mine" {
			t.Errorf("%s: written through, %v", name, err)
		}
		if _, err := a.Load(r.ID); name == r.ID+ext && !errors.Is(err, ErrDamaged) {
			t.Errorf("read through: %v", err)
		}
		os.Remove(link)
	}
}

func TestModes(t *testing.T) {
	for _, mask := range []int{0, 0o022, 0o277} {
		root := t.TempDir()
		a := InWorkspace(root)
		testkit.WithUmask(t, mask, func() {
			save(t, a, record("s", 5))
			if _, err := a.Forget(bg, session("gone")); err != nil {
				t.Fatal(err)
			}
			w, err := a.Lock(bg)
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			w.Save(record("u", 1)) // its temporary file stands while we look
			filepath.WalkDir(root, func(path string, d fs.DirEntry, _ error) error {
				info, err := d.Info()
				if err != nil || path == root {
					return err
				}
				want := fs.FileMode(0o600)
				if d.IsDir() {
					want = 0o700
				}
				if info.Mode().Perm() != want && !(mask == 0o277 && d.Name() == lockName) {
					t.Errorf("umask %03o: %s has %04o", mask, path, info.Mode().Perm())
				}
				return nil
			})
		})
	}
}

// A directory that was there keeps its mode, however others may read it.
func TestModeOfExistingDirectory(t *testing.T) {
	for _, a := range []*Archive{InWorkspace(t.TempDir()), Open(filepath.Join(t.TempDir(), "shared"))} {
		if err := os.MkdirAll(a.Dir(), 0o700); err != nil {
			t.Fatal(err)
		}
		os.Chmod(a.Dir(), 0o755)
		r := record("s", 5)
		save(t, a, r)
		if info, err := os.Stat(a.Dir()); err != nil || hasModes && info.Mode().Perm() != 0o755 {
			t.Errorf("the directory has %v, %v", info.Mode(), err)
		}
		if info, err := os.Stat(a.path(r.ID + ext)); err != nil || hasModes && info.Mode().Perm() != 0o600 {
			t.Errorf("the record has %v, %v", info.Mode(), err)
		}
		if problems, err := a.Verify(); err != nil || hasModes && len(problems) != 1 {
			t.Errorf("verify: %v, %v", problems, err)
		}
	}
}

func TestReadOnlyArchive(t *testing.T) {
	top := t.TempDir()
	a := Open(filepath.Join(top, "archive"))
	r := record("s", 5)
	save(t, a, r)
	testkit.Unprivileged(t, top, func() {
		os.Chmod(a.Dir(), 0o500)
		defer os.Chmod(a.Dir(), 0o700)
		if got, err := a.Load(r.ID); err != nil || !same(got, r) {
			t.Errorf("load: %v", err)
		}
		write(r, "x", 0)
		if _, err := save1(a, r); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("save: %v", err)
		}
	})
	if got := load(t, a, r.ID); ready(got) != 0 || len(files(t, a)) != 2 {
		t.Errorf("changed: %q", files(t, a))
	}
}

func TestLockWaitsAndGivesUp(t *testing.T) {
	a := newArchive(t)
	w, err := a.Lock(bg)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(bg, 40*time.Millisecond)
	defer cancel()
	if _, err := Open(a.Dir()).Lock(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a second writer: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	save(t, a, record("s", 1))
}

func TestSweep(t *testing.T) {
	a := newArchive(t)
	save(t, a, record("s", 1))
	testkit.WriteFile(t, filepath.Join(a.Dir(), temp+"AB"), "half")
	testkit.WriteFile(t, filepath.Join(a.Dir(), ".other.tmp"), "not ours")
	save(t, a)
	if got := files(t, a); len(got) != 3 || !slices.Contains(got, ".other.tmp") {
		t.Errorf("left: %q", got)
	}
}

func TestDuplicateSessions(t *testing.T) {
	a := newArchive(t)
	one, two := record("s", 9), record("s", 9).rename("another")
	write(one, "text", 0)
	save(t, a, one, two)
	var kinds []lookback.WarningKind
	n := 0
	for r, w := range a.All() {
		if r != nil {
			n++
		}
		if w != nil {
			kinds = append(kinds, w.Kind)
		}
	}
	if n != 2 || !slices.Equal(kinds, []lookback.WarningKind{lookback.DuplicateSession}) {
		t.Errorf("%d records, %v", n, kinds)
	}
	if Prefer(one, two) != one || Prefer(two, one) != one || Prefer(nil, one) != one || Prefer(one, nil) != one {
		t.Error("the record with more summaries is not preferred")
	}
}
