package service

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lookback"
	"lookback/internal/archive"
	"lookback/internal/testkit"
)

// A session without a workspace archive is kept in the user's; "archive here" then
// takes record and summaries along.
func TestArchiveHereTakesSummariesAlong(t *testing.T) {
	l := newLab(t)
	root := filepath.Join(l.dir, "w")
	if err := os.MkdirAll(root, 0o755); err != nil {
		t.Fatal(err)
	}
	l.write("s.jsonl", log("s", filepath.Join(root, "below"), talk("zeppelin", 4)...))
	l.write("t.jsonl", log("t", "/srv/a", talk("kayak", 4)...))
	l.sync()
	user, here := archive.Open(l.c.Archive), archive.InWorkspace(root)
	if here.Exists() || count(user) != 2 {
		t.Fatalf("%d records in the user's archive", count(user))
	}
	l.summarize(user, "dirigible")
	rep, err := l.ArchiveHere(t.Context(), root)
	if err != nil || rep.Written != 1 || rep.Dir != here.Dir() {
		t.Fatalf("report %+v, %v", rep, err)
	}
	l.wantHits(lookback.InWorkspace(root), "dirigible", "pi:s@1:e8")
	var held []*archive.Record
	for r := range here.All() {
		held = append(held, r)
	}
	if len(held) != 1 || held[0].Session.Native != "s" {
		t.Fatalf("records %+v", held)
	}
	if _, ready := held[0].Summaries(); ready != 1 {
		t.Error("the summary stayed behind")
	}
	if rep, err = l.ArchiveHere(t.Context(), root); err != nil || rep.Written != 0 || rep.Same != 1 {
		t.Errorf("once more: %+v, %v", rep, err)
	}
	// From now on the workspace's archive is kept.
	l.append("s.jsonl", turns(9, "the barge", "floats"))
	l.sync()
	for r := range here.All() {
		if len(r.Nodes) != 7 {
			t.Errorf("%d nodes", len(r.Nodes))
		}
	}
	infos, err := l.ArchiveList(t.Context(), true)
	if err != nil || len(infos) != 2 {
		t.Fatalf("list %+v, %v", infos, err)
	}
	i := slices.IndexFunc(infos, func(i ArchiveInfo) bool { return i.Workspace == root })
	if i < 0 || infos[i].Records != 1 || infos[i].Sessions[0].Summaries != 1 || infos[i].Sessions[0].Alone || infos[i].Sessions[0].Exchanges != 5 {
		t.Errorf("list %+v", infos)
	}
	reports, err := l.ArchiveVerify(t.Context(), "")
	if err != nil || len(reports) != 2 || len(reports[0].Problems)+len(reports[1].Problems) > 0 {
		t.Errorf("verify %+v, %v", reports, err)
	}
}

func TestExportAndImport(t *testing.T) {
	l := newLab(t)
	l.write("s.jsonl", log("s", "/srv/a", talk("zeppelin", 4)...))
	l.write("t.jsonl", log("t", "/srv/b", talk("kayak", 4)...))
	l.sync()
	l.summarize(archive.Open(l.c.Archive), "dirigible")
	l.sync()
	out := filepath.Join(l.dir, "out")
	rep, err := l.ArchiveExport(t.Context(), lookback.InWorkspace("/srv/a"), out)
	if err != nil || rep.Written != 1 || count(archive.Open(out)) != 1 {
		t.Fatalf("export %+v, %v", rep, err)
	}
	other := newLab(t)
	root := filepath.Join(other.dir, "w")
	here := archive.InWorkspace(root)
	if err := os.Mkdir(root, 0o755); err != nil {
		t.Fatal(err)
	}
	// A workspace without an archive gets none.
	if rep, err := other.ArchiveImport(t.Context(), out, root); err != nil || rep.Dir != other.c.Archive || here.Exists() {
		t.Errorf("report %+v, %v", rep, err)
	}
	if err := os.MkdirAll(here.Dir(), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{root, filepath.Join(root, "below")} {
		if rep, err = other.ArchiveImport(t.Context(), out, dir); err != nil || rep.Dir != here.Dir() {
			t.Fatalf("report %+v, %v", rep, err)
		}
		other.wantHits(lookback.InWorkspace(root), "dirigible", "pi:s@1:e8")
	}
	third := newLab(t)
	if _, err := third.ArchiveImport(t.Context(), root, ""); err != nil { // a workspace stands for its archive
		t.Fatal(err)
	}
	third.wantHits(lookback.Everything(), "dirigible", "pi:s@1:e8")
	third.wantHits(lookback.InWorkspace(root), "dirigible")
	for _, bad := range []string{filepath.Join(l.dir, "nothing"), l.native("s.jsonl")} {
		if _, err := third.ArchiveImport(t.Context(), bad, ""); err == nil || !strings.Contains(err.Error(), "not an archive directory") {
			t.Errorf("import %s: %v", bad, err)
		}
	}
	third.c.Archive = ""
	third.Close()
	third.open()
	if _, err := third.ArchiveImport(t.Context(), out, ""); err == nil {
		t.Error("imported into no archive")
	}
}

func TestForgottenStaysForgotten(t *testing.T) {
	l := newLab(t)
	root := filepath.Join(l.dir, "w")
	if err := os.MkdirAll(archive.InWorkspace(root).Dir(), 0o700); err != nil {
		t.Fatal(err)
	}
	l.write("s.jsonl", log("s", root, talk("zeppelin", 4)...))
	l.write("s-copy.jsonl", log("s", root, talk("zeppelin", 3)...))
	l.write("u.jsonl", log("u", filepath.Join(l.dir, "later"), talk("barge", 4)...))
	l.write("t.jsonl", log("t", root, talk("kayak", 4)...))
	l.sync()
	saved := filepath.Join(l.dir, "saved")
	if _, err := l.ArchiveExport(t.Context(), lookback.Everything(), saved); err != nil {
		t.Fatal(err)
	}
	before := l.find(lookback.Everything(), "zeppelin").Total
	dry, err := l.Forget(t.Context(), ref(t, "pi:s"), true)
	if err != nil || dry.Done || dry.Exchanges != 4 || len(dry.Archives) != 1 || l.find(lookback.Everything(), "zeppelin").Total != before {
		t.Errorf("dry run %+v, %v", dry, err)
	}
	for _, s := range []string{"pi:s", "pi:u"} {
		if done, err := l.Forget(t.Context(), ref(t, s), false); err != nil || !done.Done {
			t.Fatalf("forget %+v, %v", done, err)
		}
	}
	gone := func(when string) {
		t.Helper()
		for _, word := range []string{"zeppelin", "barge"} {
			if n := l.find(lookback.Everything(), word).Total; n > 0 {
				t.Errorf("%s: %d hits for %s", when, n, word)
			}
		}
		for _, s := range []string{"pi:s", "pi:u"} {
			if _, err := l.Read(t.Context(), lookback.Everything(), ReadRequest{Ref: ref(t, s)}); !errors.Is(err, ErrNotFound) {
				t.Errorf("%s: read %s: %v", when, s, err)
			}
		}
		l.wantHits(lookback.Everything(), "question 0 kayak", "pi:t@0:e2")
	}
	gone("at once")
	l.sync()
	gone("after a sync")
	if _, err := l.Sync(t.Context(), SyncOptions{Rescan: true, Wait: true}); err != nil {
		t.Fatal(err)
	}
	gone("after a rescan")
	l.dropIndex()
	l.sync()
	gone("without the index")
	l.append("s.jsonl", turns(9, "the zeppelin", "flies again"))
	l.sync()
	gone("after it grew")
	if _, err := l.ArchiveImport(t.Context(), saved, root); err != nil {
		t.Fatal(err)
	}
	if _, err := l.ArchiveImport(t.Context(), saved, ""); err != nil {
		t.Fatal(err)
	}
	gone("after an import")
	// Archives that were made later, or copied in from another machine.
	later := filepath.Join(l.dir, "later")
	if err := os.Mkdir(later, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := l.ArchiveHere(t.Context(), later); err != nil {
		t.Fatal(err)
	}
	gone("after archive here")
	testkit.CopyTo(t, saved, archive.InWorkspace(later).Dir())
	l.sync(later)
	gone("after a copy")
	if err := os.RemoveAll(root); err != nil {
		t.Fatal(err)
	}
	l.sync()
	gone("without the workspace")
	if _, err := l.Forget(t.Context(), ref(t, "pi:s"), false); !errors.Is(err, ErrNotFound) {
		t.Errorf("forgotten twice: %v", err)
	}
}

// Agents log the name of a directory that they were started in, which may lead
// through a link.
func TestArchiveHereThroughALink(t *testing.T) {
	l := newLab(t)
	root, link := filepath.Join(l.dir, "w"), filepath.Join(l.dir, "lnk")
	if err := errors.Join(os.Mkdir(root, 0o755), os.Symlink(root, link)); err != nil {
		t.Skip(err)
	}
	l.write("s.jsonl", log("s", root, talk("zeppelin", 4)...))
	l.write("t.jsonl", log("t", link, talk("kayak", 4)...))
	l.sync()
	if rep, err := l.ArchiveHere(t.Context(), link); err != nil || rep.Written != 2 || count(archive.InWorkspace(root)) != 2 {
		t.Errorf("report %+v, %v", rep, err)
	}
}

// The words of a forgotten session are in no file of the index, also when its log
// is seen again.
func TestForgetLeavesNoWords(t *testing.T) {
	l := newLab(t)
	l.write("s.jsonl", log("s", "/srv/a", talk("Xylograph", 8)...))
	l.write("t.jsonl", log("t", "/srv/a", talk("kayak", 4)...))
	l.sync()
	l.append("s.jsonl", turns(9, "the quokkabarn", "stands"))
	l.sync()
	if _, err := l.Forget(t.Context(), ref(t, "pi:s"), false); err != nil {
		t.Fatal(err)
	}
	clean := func(when string) {
		t.Helper()
		l.Close()
		for _, suffix := range []string{"", "-wal"} {
			raw, _ := os.ReadFile(l.c.Index + suffix)
			for _, word := range []string{"xylograph", "quokkabarn"} {
				if strings.Contains(strings.ToLower(string(raw)), word) {
					t.Errorf("%s: index.db%s holds %s", when, suffix, word)
				}
			}
		}
		l.open()
	}
	clean("at once")
	l.sync()
	clean("after a sync")
	l.append("s.jsonl", turns(20, "the quokkabarn", "stands still"))
	l.sync()
	clean("after it grew")
	l.wantHits(lookback.Everything(), "question 0 kayak", "pi:t@0:e2")
}

func TestForgetLeavesNativeFilesAlone(t *testing.T) {
	l := newLab(t)
	l.write("s.jsonl", log("s", "/srv/a", talk("zeppelin", 4)...))
	l.write("t.jsonl", log("t", "/srv/a", talk("kayak", 4)...))
	l.sync()
	home := testkit.Snapshot(t, filepath.Join(l.dir, "home"))
	if _, err := l.Forget(t.Context(), ref(t, "pi:s"), false); err != nil {
		t.Fatal(err)
	}
	l.sync()
	home.Same(t)
}

func TestHealth(t *testing.T) {
	l := newLab(t)
	path := l.write("s.jsonl", log("s", "/srv/a", talk("zeppelin", 4)...))
	l.write("t.jsonl", log("t", "/srv/a", talk("kayak", 4)...)+"not json\n")
	l.write("cut.jsonl", log("cut", "/srv/a", "q", "a")+`{"type":`)
	l.sync()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	l.sync()
	l.append("t.jsonl", turns(9, "more", "of it"))
	snap := testkit.Snapshot(t, l.dir)
	h, err := l.Check(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	snap.Same(t)
	if h.Sessions != 3 || h.ArchiveOnly != 1 || h.Pending != 2 || h.Kinds["bad_line"] != 1 || len(h.Problems) > 0 {
		t.Errorf("health %+v", h)
	}
	if a := h.Agents[0]; a.Places != 2 || a.Stale != 1 || a.Sessions != 3 {
		t.Errorf("agent %+v", a)
	}
}

// D02: doctor tells of a log that somebody keeps from being cut.
func TestHealthTellsOfALongLog(t *testing.T) {
	l := newLab(t)
	l.write("s.jsonl", log("s", "/srv/a", "q", "a"))
	l.sync()
	if h, err := l.Check(t.Context(), false); err != nil || len(h.Problems) > 0 {
		t.Errorf("health %+v, %v", h, err)
	}
	f, err := os.OpenFile(l.c.Index+"-wal", os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		err = f.Truncate(longLog + 1)
		f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	if h, err := l.Check(t.Context(), false); err != nil || len(h.Problems) != 1 {
		t.Errorf("health %+v, %v", h, err)
	}
}
