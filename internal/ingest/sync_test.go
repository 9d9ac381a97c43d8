package ingest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lookback"
	"lookback/internal/index"
	"lookback/internal/testkit"
)

func TestNothingChangedReadsNothing(t *testing.T) {
	l := newLab(t)
	for i := range 5 {
		l.write(fmt.Sprintf("%d.jsonl", i), log(fmt.Sprint("s", i), "/srv/a", "how", "so"))
	}
	l.write("cut.jsonl", log("cut", "/srv/a", "how", "so")+`{"type":"message","id":"e3"`)
	ws := l.workspace("w")
	l.write("w.jsonl", log("w", ws, "where", "here"))
	l.sync()
	l.sync() // the archives that were just made are looked at once more
	l.src.took()

	w, err := l.db.Writer(t.Context(), false) // holds the lock
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	l.opts.Wait = false
	rep := l.sync()
	if got := l.src.took(); len(got) > 0 || rep.Places != 7 || rep.Read != 0 {
		t.Errorf("read %v, report %+v", got, rep)
	}
}

func TestOnlyWhatChangedIsRead(t *testing.T) {
	l := newLab(t)
	for _, name := range []string{"a", "b", "c"} {
		l.write(name+".jsonl", log(name, "/srv/a", "how "+name, "so"))
	}
	l.sync()
	l.src.took()
	l.append("b.jsonl", turns(3, "the marlinspike", "is found"))
	l.write("d.jsonl", log("d", "/srv/a", "new", "one"))
	rep := l.sync()
	if got := l.src.took(); !slices.Equal(got, []string{"b.jsonl", "d.jsonl"}) {
		t.Errorf("read %v", got)
	}
	if rep.Entries != 4 || rep.Sessions != 2 {
		t.Errorf("report %+v", rep)
	}
	l.wantHits("marlinspike", "pi:b@0:e4")
	if s := l.session("b"); s.Entries != 4 || s.Exchanges != 2 || !s.Last.Equal(began.Add(4*time.Minute)) {
		t.Errorf("session %+v", s)
	}
}

func TestVanishedSourcesKeepEverything(t *testing.T) {
	l := newLab(t)
	path := l.write("a.jsonl", log("a", "/srv/a", talk("zeppelin", 5)...))
	l.write("b.jsonl", log("b", "/srv/a", "how", "so"))
	l.sync()
	l.summarize(l.user(), "a", "dirigible")
	l.sync()
	before := l.hits(lookback.Everything(), "zeppelin")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if rep := l.sync(); rep.Gone != 1 {
		t.Errorf("report %+v", rep)
	}
	if rep := l.sync(); rep.Gone != 0 {
		t.Errorf("told again: %+v", rep)
	}
	check := func() {
		t.Helper()
		if got := l.hits(lookback.Everything(), "zeppelin"); !slices.Equal(got, before) {
			t.Errorf("hits %v, want %v", got, before)
		}
		l.wantHits("dirigible", "pi:a@1:e8")
	}
	check()
	if !l.session("a").Gone || l.session("b").Gone {
		t.Error("the wrong sessions are marked")
	}
	l.dropIndex()
	l.sync()
	check()
	// It comes back with one line more.
	l.write("a.jsonl", log("a", "/srv/a", append(talk("zeppelin", 5), "and", "yes")...))
	l.sync()
	check()
	if s := l.session("a"); s.Gone || s.Source != path || s.Entries != 12 {
		t.Errorf("session %+v", s)
	}
}

func TestAppearsAgainAsItWas(t *testing.T) {
	l := newLab(t)
	path := l.write("a.jsonl", log("a", "/srv/a", talk("zeppelin", 2)...))
	l.sync()
	away := filepath.Join(l.dir, "away")
	if err := os.Rename(path, away); err != nil {
		t.Fatal(err)
	}
	l.sync()
	if !l.session("a").Gone {
		t.Error("not marked")
	}
	if err := os.Rename(away, path); err != nil {
		t.Fatal(err)
	}
	l.sync()
	if s := l.session("a"); s.Gone || s.Entries != 4 {
		t.Errorf("session %+v", s)
	}
}

// F03.
func TestRenamedFileIsTheSameSession(t *testing.T) {
	l := newLab(t)
	path := l.write("a.jsonl", log("a", "/srv/a", talk("zeppelin", 4)...))
	l.sync()
	l.summarize(l.user(), "a", "dirigible")
	l.sync()
	before, nodes := l.hits(lookback.Everything(), "zeppelin"), l.records(l.user())["a"]
	if err := os.Rename(path, l.native("renamed.jsonl")); err != nil {
		t.Fatal(err)
	}
	rep := l.sync()
	if got := l.hits(lookback.Everything(), "zeppelin"); !slices.Equal(got, before) {
		t.Errorf("hits %v, want %v", got, before)
	}
	l.wantHits("dirigible", "pi:a@1:e8")
	if s := l.session("a"); s.Gone || s.Source != l.native("renamed.jsonl") || s.Pending != 0 {
		t.Errorf("session %+v", s)
	}
	if after := l.records(l.user())["a"]; after.ID != nodes.ID || len(rep.Warnings) > 0 {
		t.Errorf("record %s, was %s; warnings %v", after.ID, nodes.ID, rep.Warnings)
	}
}

// F02.
func TestFilesRemovedDuringTheScan(t *testing.T) {
	l := newLab(t)
	l.write("000.jsonl", log("s000", "/srv/a", "the zeppelin", "flies"))
	l.sync()
	l.append("000.jsonl", turns(3, "and", "so"))
	past := time.Now().Add(-time.Hour)
	for i := 1; i < 200; i++ {
		path := l.write(fmt.Sprintf("%03d.jsonl", i), log(fmt.Sprintf("s%03d", i), "/srv/a", fmt.Sprint("kayak ", i), "yes"))
		if err := os.Chtimes(path, past, past.Add(time.Duration(i)*time.Second)); err != nil {
			t.Fatal(err)
		}
	}
	l.src.after = func(n int64) {
		if n != 20 {
			return
		}
		for i := 180; i < 200; i++ {
			os.Remove(l.native(fmt.Sprintf("%03d.jsonl", i)))
		}
		os.Remove(l.native("000.jsonl")) // newest, so read last
	}
	rep := l.sync()
	if len(rep.Warnings) > 0 || rep.Gone != 1 {
		t.Errorf("report %+v", rep)
	}
	if got := len(l.hits(lookback.Everything(), "kayak")); got != 179 {
		t.Errorf("%d sessions found", got)
	}
	l.wantHits("zeppelin", "pi:s000@0:e2")
	if !l.session("s000").Gone {
		t.Error("not marked as missing")
	}
}

// F01.
func TestUnreadableFileAmongGoodOnes(t *testing.T) {
	dir := t.TempDir()
	l := labAt(t, dir)
	l.write("a.jsonl", log("a", "/srv/a", "the zeppelin", "flies"))
	l.write("b.jsonl", log("b", "/srv/a", "the kayak", "swims"))
	bad := l.write("c.jsonl", log("c", "/srv/a", "the secret", "word"))
	if err := os.Chmod(bad, 0); err != nil {
		t.Fatal(err)
	}
	l.db.Close()
	testkit.Unprivileged(t, dir, func() {
		l.openIndex()
		for range 2 { // it is told each time
			rep := l.sync()
			if len(rep.Warnings) != 1 || rep.Warnings[0].File != bad || rep.Warnings[0].Kind != lookback.Unreadable ||
				!strings.Contains(rep.Warnings[0].Detail, "permission") || !rep.Unreadable() {
				t.Errorf("warnings %v", rep.Warnings)
			}
		}
		l.wantHits("zeppelin", "pi:a@0:e2")
		l.wantHits("kayak", "pi:b@0:e2")
		l.wantHits("secret")
		if kept, err := l.db.Warnings(t.Context()); err != nil || len(kept) != 1 {
			t.Errorf("doctor would say %v, %v", kept, err)
		}
		l.db.Close()
	})
	if err := os.Chmod(bad, 0o644); err != nil {
		t.Fatal(err)
	}
	l.openIndex()
	if rep := l.sync(); len(rep.Warnings) > 0 {
		t.Errorf("warnings %v", rep.Warnings)
	}
	l.wantHits("secret", "pi:c@0:e2")
}

// An unreadable file loses nothing that was read of it, and goes on from there.
func TestFileBecomesUnreadable(t *testing.T) {
	dir := t.TempDir()
	l := labAt(t, dir)
	path := l.write("a.jsonl", log("a", "/srv/a", "the zeppelin", "flies"))
	l.sync()
	l.append("a.jsonl", turns(3, "the kayak", "swims"))
	if err := os.Chmod(path, 0); err != nil {
		t.Fatal(err)
	}
	l.db.Close()
	testkit.Unprivileged(t, dir, func() {
		l.openIndex()
		for range 2 {
			if rep := l.sync(); len(rep.Warnings) != 1 || rep.Warnings[0].Kind != lookback.Unreadable {
				t.Errorf("warnings %v", rep.Warnings)
			}
		}
		l.wantHits("zeppelin", "pi:a@0:e2")
		if err := os.Chmod(path, 0o600); err != nil {
			t.Fatal(err)
		}
		if rep := l.sync(); len(rep.Warnings) > 0 || rep.Entries != 2 {
			t.Errorf("report %+v", rep)
		}
		l.wantHits("kayak", "pi:a@0:e4")
		if err := os.Chmod(path, 0); err != nil {
			t.Fatal(err)
		}
		if rep := l.sync(); len(rep.Warnings) != 1 {
			t.Errorf("warnings %v", rep.Warnings)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if rep := l.sync(); len(rep.Warnings) > 0 || rep.Gone != 1 {
			t.Errorf("report %+v", rep)
		}
		l.wantHits("kayak", "pi:a@0:e4")
		l.db.Close()
	})
	l.openIndex()
}

// F04.
func TestLinkedFoldersAndLoops(t *testing.T) {
	l := newLab(t)
	other := filepath.Join(l.dir, "elsewhere")
	testkit.WriteFile(t, filepath.Join(other, "p.jsonl"), log("p", "/srv/a", "the zeppelin", "flies"))
	sessions := filepath.Dir(l.native(""))
	if err := os.MkdirAll(sessions, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{"linked": other, "loop": sessions, "again": other} {
		if err := os.Symlink(target, filepath.Join(sessions, name)); err != nil {
			t.Skipf("no links here: %v", err)
		}
	}
	rep := l.sync()
	if rep.Places != 1 || len(rep.Warnings) > 0 || l.src.reads.Load() != 1 {
		t.Errorf("report %+v, %d reads", rep, l.src.reads.Load())
	}
	l.wantHits("zeppelin", "pi:p@0:e2")
}

// F08: also of an unterminated last line, version 1, no bytes, odd names and a
// folder in the place of a file.
func TestNativeFilesStayAsTheyAre(t *testing.T) {
	l := newLab(t)
	l.write("cut.jsonl", log("cut", "/srv/a", "how", "so")+`{"type":"message","id":"e3"`)
	l.write("v1.jsonl", logV1("v1", "/srv/a", "the zeppelin", "flies"))
	l.write("open.jsonl", strings.TrimSuffix(log("open", "/srv/a", "the kayak", "swims"), "\n"))
	l.write("empty.jsonl", "")
	l.write("garbage.jsonl", "\x00\x01 not json\n")
	odd := l.write("new\nline\x1b[31m.jsonl", log("odd", "/srv/a", "the marlinspike", "bites")+"not json\n")
	if err := os.MkdirAll(l.native("folder.jsonl"), 0o700); err != nil {
		t.Fatal(err)
	}
	snap := testkit.Snapshot(t, filepath.Join(l.dir, "home"))
	rep := l.sync()
	l.opts.Rescan = true
	l.sync()
	snap.Same(t)
	l.wantHits("zeppelin", "pi:v1@0:v1-2")
	l.wantHits("kayak", "pi:open@0:e2")
	l.wantHits("marlinspike", "pi:odd@0:e2")
	var kinds []string
	for _, w := range rep.Warnings {
		kinds = append(kinds, filepath.Base(w.File)+" "+string(w.Kind))
	}
	slices.Sort(kinds)
	// The garbage is no session; what is cut may still be written.
	if want := []string{filepath.Base(odd) + " bad_line"}; !slices.Equal(slices.DeleteFunc(kinds, func(k string) bool {
		return strings.HasPrefix(k, "garbage.jsonl")
	}), want) {
		t.Errorf("warnings %q, want %q", kinds, want)
	}
}

func TestCutLineIsLookedAtAgain(t *testing.T) {
	l := newLab(t)
	path := l.write("cut.jsonl", log("cut", "/srv/a", "how", "so")+`{"type":"message","id":"e3"`)
	almost := time.Now().Add(-10*time.Minute + 2*time.Second)
	if err := os.Chtimes(path, almost, almost); err != nil {
		t.Fatal(err)
	}
	if rep := l.sync(); len(rep.Warnings) > 0 {
		t.Errorf("too early: %v", rep.Warnings)
	}
	l.src.took()
	l.sync()
	if got := l.src.took(); len(got) > 0 {
		t.Errorf("read again at once: %v", got)
	}
	time.Sleep(time.Until(almost.Add(10*time.Minute + time.Second)))
	rep := l.sync()
	if len(rep.Warnings) != 1 || rep.Warnings[0].Kind != lookback.TruncatedTail {
		t.Errorf("warnings %v", rep.Warnings)
	}
	l.src.took()
	if rep := l.sync(); len(l.src.took()) > 0 || len(rep.Warnings) != 1 {
		t.Errorf("read for good: %v", rep)
	}
	// Reading by position works while the stamp holds a time to look again.
	had, err := l.db.Stamp(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	place, err := l.src.Stat(path)
	if err != nil || !Unchanged(had, place.Stamp, time.Now()) {
		t.Errorf("stamps %q, %q, %v", had, place.Stamp, err)
	}
}

func TestStamps(t *testing.T) {
	at := time.Unix(1000, 0)
	p := lookback.Place{Stamp: "x.y"}
	claimed := lookback.Place{Stamp: "x.y", Workspace: "/srv/a b"}
	for _, c := range []struct {
		had, now string
		t        time.Time
		want     bool
	}{
		{keptStamp(p, time.Time{}), "x.y", at, true},
		{keptStamp(p, time.Time{}), "x.z", at, false},
		{keptStamp(p, at), "x.y", at.Add(-time.Second), true},
		{keptStamp(p, at), "x.y", at, false},
		{keptStamp(p, at), "x.y", time.Time{}, true},
		{keptStamp(claimed, at), "x.y", at.Add(-time.Second), true},
		{keptStamp(claimed, time.Time{}), "x.y", at, true},
		{"", "", at, false},
		{"", "x.y", at, false},
	} {
		if got := Unchanged(c.had, c.now, c.t); got != c.want {
			t.Errorf("Unchanged(%q, %q, %v) = %v", c.had, c.now, c.t.Unix(), got)
		}
	}
	if got := claimOf(keptStamp(claimed, at)); got != "/srv/a b" {
		t.Errorf("claim %q", got)
	}
}

// A file that holds something else now leaves its session as a vanished one does.
func TestFileThatHoldsAnotherSession(t *testing.T) {
	for name, text := range map[string]string{
		"another": log("b", "/srv/a", "the kayak", "swims"), "nothing": "", "garbage": "no\nsession\n",
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			l.write("x.jsonl", log("a", "/srv/a", "the zeppelin", "flies"))
			l.sync()
			l.write("x.jsonl", text)
			l.sync()
			l.wantHits("zeppelin", "pi:a@0:e2")
			if s := l.session("a"); s == nil || !s.Gone {
				t.Errorf("session %+v", s)
			}
			l.dropIndex()
			l.sync()
			l.wantHits("zeppelin", "pi:a@0:e2")
			l.write("x.jsonl", log("a", "/srv/a", "the zeppelin", "flies"))
			l.sync()
			if s := l.session("a"); s.Gone {
				t.Errorf("session %+v", s)
			}
		})
	}
}

// A source that was forgotten by another process between planning and reading is
// read from the start.
func TestUnknownRowIsReadFromTheStart(t *testing.T) {
	l := newLab(t)
	l.write("a.jsonl", log("a", "/srv/a", "the zeppelin", "flies"))
	l.sync()
	s := newSyncer(l.db, l.opts)
	l.append("a.jsonl", turns(3, "and", "so"))
	if err := s.makePlan(t.Context()); err != nil {
		t.Fatal(err)
	}
	w, err := l.db.Writer(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Remove(t.Context(), piID("a")); err != nil {
		t.Fatal(err)
	}
	if err := w.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r := s.read(t.Context(), s.plan.jobs[0]); r.err != nil || len(r.batch.Log.Entries) != 4 {
		t.Errorf("read %+v", r)
	}
	w.Close()
	l.sync()
	l.wantHits("zeppelin", "pi:a@0:e2")
}

func TestASecondSyncWaitsAndThenHasLittleToDo(t *testing.T) {
	l := newLab(t)
	for i := range 20 {
		l.write(fmt.Sprintf("%d.jsonl", i), log(fmt.Sprint("s", i), "/srv/a", "how", "so"))
	}
	other := *l
	other.src = &counting{Source: l.src.Source}
	other.opts.Sources = []Source{other.src}
	done := make(chan error, 1)
	var once bool
	l.src.after = func(int64) {
		if once {
			return
		}
		once = true
		go func() {
			_, err := Sync(context.Background(), other.db, other.opts)
			done <- err
		}()
	}
	l.sync()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if n := other.src.reads.Load(); n > 0 {
		t.Errorf("the second sync read %d files again", n)
	}
	l.opts.Wait = false
	w, err := l.db.Writer(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	l.append("1.jsonl", turns(3, "and", "so"))
	if _, err := Sync(t.Context(), l.db, l.opts); err != index.ErrBusy {
		t.Errorf("error %v, want busy", err)
	}
}

// What a reader panics on is one unreadable file, tried again by the next sync.
func TestReaderPanics(t *testing.T) {
	l := newLab(t)
	for _, name := range []string{"a", "b", "c"} {
		l.write(name+".jsonl", log(name, "/srv/a", talk("zeppelin", 2)...))
	}
	faulty := true
	l.src.batch = func(b *lookback.Batch) {
		if faulty && b.Log.Session.ID.Native == "b" {
			panic("a fault of our own")
		}
	}
	for range 2 {
		rep := l.sync()
		if len(rep.Warnings) != 1 || rep.Warnings[0].Kind != lookback.Unreadable || rep.Warnings[0].File != l.native("b.jsonl") {
			t.Errorf("warnings %v", rep.Warnings)
		}
		l.wantHits("zeppelin", "pi:a@0:e2", "pi:a@0:e4", "pi:c@0:e2", "pi:c@0:e4")
	}
	faulty = false
	if rep := l.sync(); len(rep.Warnings) > 0 || len(l.hits(lookback.Everything(), "zeppelin")) != 6 {
		t.Errorf("not mended: %v", rep.Warnings)
	}
}
