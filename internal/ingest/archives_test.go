package ingest

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lookback"
	"lookback/internal/archive"
	"lookback/internal/testkit"
)

// sample copies an archive of testdata into the workspace.
func (l *lab) sample(root, name string) *archive.Archive {
	l.t.Helper()
	a := archive.InWorkspace(root)
	testkit.CopyTo(l.t, filepath.Join(testkit.Root(l.t), "testdata", "archive", name), a.Dir())
	return a
}

// D10: records of the older program are read, with a broken one among them.
func TestSamplesAreFoundWithoutAnyLog(t *testing.T) {
	for _, name := range []string{"plain", "pending", "file-field"} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			root := l.workspace("w")
			a := l.sample(root, name)
			before := l.records(a)
			testkit.WriteFile(t, filepath.Join(a.Dir(), "broken.json"), `{"id":"broken","sess`)
			l.opts.Workspaces = []string{root}
			rep := l.sync()
			if len(rep.Warnings) != 1 || filepath.Base(rep.Warnings[0].File) != "broken.json" || rep.Warnings[0].Kind != lookback.BadArchive {
				t.Errorf("warnings %v", rep.Warnings)
			}
			if got := testkit.ReadFile(t, filepath.Join(a.Dir(), "broken.json")); string(got) != `{"id":"broken","sess` {
				t.Errorf("the broken record became %q", got)
			}
			os.Remove(filepath.Join(a.Dir(), "broken.json"))
			for native, r := range before {
				s := l.session(native)
				if s == nil || s.Record != r.ID || s.Source != "" {
					t.Fatalf("session %+v", s)
				}
				for _, n := range r.Nodes {
					if n.Kind == lookback.KindSession || !n.Ready {
						continue
					}
					ref := lookback.NodeRef(s.ID, n.ID).String()
					if got := l.hits(lookback.InWorkspace(root), firstWords(n.Text)); !slices.Contains(got, ref) {
						t.Errorf("%s not found by %q: %v", ref, firstWords(n.Text), got)
					}
				}
				l.wantIn(lookback.InWorkspace(root+"x"), firstWords(r.Nodes[0].Text))
			}
			for native, r := range l.records(a) {
				if !slices.Equal(nodeIDs(r.Nodes), nodeIDs(before[native].Nodes)) || r.Untidy() {
					t.Errorf("%s: nodes %v, were %v", native, nodeIDs(r.Nodes), nodeIDs(before[native].Nodes))
				}
				for i, n := range r.Nodes {
					if n.Text != before[native].Nodes[i].Text {
						t.Errorf("%s: text %q, was %q", n.ID, n.Text, before[native].Nodes[i].Text)
					}
				}
				if data := testkit.ReadFile(t, filepath.Join(a.Dir(), r.ID+".json")); bytes.Contains(data, []byte(`"file"`)) {
					t.Errorf("%s still holds a file field", r.ID)
				}
			}
		})
	}
}

// firstWords gives the first words of a node's text without labels.
func firstWords(text string) string {
	text = strings.NewReplacer(lookback.UserLabel, "", lookback.AssistantLabel, "", lookback.ImageToken, "").Replace(text)
	words := strings.Fields(text)
	return strings.Join(words[:min(len(words), 6)], " ")
}

// Records of the older user-level directory come into their own workspace only.
func TestOlderDirectoryIsImportedForItsWorkspace(t *testing.T) {
	l := newLab(t)
	root, other := l.workspace("w"), l.workspace("other")
	old := filepath.Join(l.dir, "home", ".pi", "agent", "pbot", "history")
	for i, from := range []string{"609e2523-27c0-4930-9f06-0ff2e407ec52", "c3806a8d-4a82-4dad-abc5-e9f66c0da398"} {
		var record map[string]any
		name := from + ".json"
		data := testkit.ReadFile(t, filepath.Join(testkit.Root(t), "testdata", "archive", "user-level", name))
		if err := json.Unmarshal(data, &record); err != nil {
			t.Fatal(err)
		}
		record["workspace"] = []string{root, filepath.Join(root, "below")}[i]
		data, _ = json.Marshal(record)
		testkit.WriteFile(t, filepath.Join(old, name), string(data))
	}
	snap := testkit.Snapshot(t, old)
	l.opts.Legacy, l.opts.Workspaces = []string{old}, []string{root, other}
	l.sync()
	snap.Same(t)
	records := l.records(archive.InWorkspace(root))
	if len(records) != 1 || len(l.records(archive.InWorkspace(other))) != 0 || len(l.records(l.user())) != 0 {
		t.Fatalf("records %v", records)
	}
	for native, r := range records {
		if r.ID != "609e2523-27c0-4930-9f06-0ff2e407ec52" {
			t.Errorf("record %s", r.ID)
		}
		if data := testkit.ReadFile(t, filepath.Join(archive.InWorkspace(root).Dir(), r.ID+".json")); bytes.Contains(data, []byte(`"workspace"`)) {
			t.Error("the workspace field came along")
		}
		if s := l.session(native); s == nil || s.Cwd != root {
			t.Errorf("session %+v", s)
		}
	}
}

// The log is there too: the older record's id and summaries are gone on with.
func TestOlderDirectoryComesBeforeTheLog(t *testing.T) {
	l := newLab(t)
	root := l.workspace("w")
	l.write("s.jsonl", log("s", root, talk("zeppelin", 4)...))
	l.sync()
	l.summarize(archive.InWorkspace(root), "s", "dirigible")
	r := l.records(archive.InWorkspace(root))["s"]
	data := testkit.ReadFile(t, filepath.Join(archive.InWorkspace(root).Dir(), r.ID+".json"))
	data = bytes.ReplaceAll(data, []byte(r.ID), []byte("an-older-id"))
	data = bytes.Replace(data, []byte(`"sessionId"`), []byte(`"workspace":`+mustJSON(root)+`,"sessionId"`), 1)
	old := filepath.Join(l.dir, "old")
	testkit.WriteFile(t, filepath.Join(old, "an-older-id.json"), string(data))
	if err := os.RemoveAll(root); err != nil {
		t.Fatal(err)
	}
	l.workspace("w")
	l.dropIndex()
	l.opts.Legacy = []string{old} // the workspace is known from the log alone
	l.sync()
	l.wantIn(lookback.InWorkspace(root), "dirigible", "pi:s@1:e8")
	if got := l.records(archive.InWorkspace(root))["s"]; got.ID != "an-older-id" {
		t.Errorf("record %s", got.ID)
	}
}

func mustJSON(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(data)
}

func TestWorkspaceMovesToAnotherMachine(t *testing.T) {
	first := newLab(t)
	root := first.workspace("w")
	text := log("s", root, talk("zeppelin", 9)...)
	first.write("s.jsonl", text)
	first.sync()
	first.summarize(archive.InWorkspace(root), "s", "dirigible")
	first.sync()
	first.wantIn(lookback.InWorkspace(root), "dirigible", "pi:s@1:e16", "pi:s@1:e8")

	l := newLab(t)
	moved := filepath.Join(l.dir, "other name")
	testkit.CopyTo(t, root, moved)
	if err := os.RemoveAll(first.dir); err != nil {
		t.Fatal(err)
	}
	l.opts.Workspaces = []string{moved}
	l.sync()
	scope := lookback.InWorkspace(moved)
	l.wantIn(scope, "dirigible", "pi:s@1:e16", "pi:s@1:e8")
	if n := len(l.hits(scope, "zeppelin")); n != 9 {
		t.Errorf("%d hits", n)
	}
	before := l.records(archive.InWorkspace(moved))["s"]
	// The log comes back, with the old directory in it and one turn more.
	l.write("s.jsonl", text+turns(19, "the kayak", "swims"))
	l.sync()
	l.wantIn(scope, "dirigible", "pi:s@1:e16", "pi:s@1:e8")
	l.wantIn(scope, "kayak", "pi:s@0:e20")
	after := l.records(archive.InWorkspace(moved))["s"]
	if after.ID != before.ID || len(after.Nodes) != len(before.Nodes)+1 {
		t.Errorf("record %s with %d nodes, was %s with %d", after.ID, len(after.Nodes), before.ID, len(before.Nodes))
	}
	state := l.state()
	l.dropIndex()
	l.opts.Workspaces = []string{moved}
	l.sync()
	if got := l.state(); got != state {
		t.Errorf("after deleting the index:\n%s", difference(state, got))
	}
}

// The workspace's directory gets another name while the same index goes on.
func TestWorkspaceIsRenamed(t *testing.T) {
	for _, logs := range []bool{true, false} {
		l := newLab(t)
		root := l.workspace("w")
		path := l.write("s.jsonl", log("s", root, talk("zeppelin", 2)...))
		l.sync()
		if !logs {
			os.Remove(path)
			l.sync()
		}
		moved := filepath.Join(l.dir, "a-new-name") // sorts before the old one
		if err := os.Rename(root, moved); err != nil {
			t.Fatal(err)
		}
		l.opts.Workspaces = []string{moved}
		l.sync()
		l.sync()
		if n := len(l.hits(lookback.InWorkspace(moved), "zeppelin")); n != 2 {
			t.Errorf("with logs %v: %d hits", logs, n)
		}
		if s := l.session("s"); s == nil || s.Archive != archive.InWorkspace(moved).Dir() && !logs {
			t.Errorf("with logs %v: session %+v", logs, s)
		}
	}
}

// A copy of a workspace beside the original: both hold the session.
func TestCopiedWorkspaceHoldsTheSessionToo(t *testing.T) {
	for _, logs := range []bool{true, false} {
		l := newLab(t)
		root := l.workspace("w")
		path := l.write("s.jsonl", log("s", root, talk("zeppelin", 4)...))
		l.sync()
		if !logs {
			os.Remove(path)
			l.sync()
		}
		two, three := filepath.Join(l.dir, "copy"), filepath.Join(l.dir, "third")
		testkit.CopyTo(t, root, two)
		testkit.CopyTo(t, root, three)
		l.opts.Workspaces = []string{two, three}
		l.sync()
		for _, dir := range []string{root, two, three} {
			if n := len(l.hits(lookback.InWorkspace(dir), "zeppelin")); n != 4 {
				t.Errorf("with logs %v: %d hits in %s", logs, n, filepath.Base(dir))
			}
		}
		// A summary written in one of them is found in all.
		l.summarize(archive.InWorkspace(three), "s", "dirigible")
		l.sync()
		l.wantIn(lookback.InWorkspace(two), "dirigible", "pi:s@1:e8")
		// One copy is removed.
		if err := os.RemoveAll(three); err != nil {
			t.Fatal(err)
		}
		l.opts.Workspaces = nil
		l.sync()
		l.wantIn(lookback.InWorkspace(three), "zeppelin")
		if n := len(l.hits(lookback.InWorkspace(two), "zeppelin")); n != 4 {
			t.Errorf("with logs %v: %d hits left", logs, n)
		}
		state := l.state()
		l.sync()
		if got := l.state(); got != state {
			t.Errorf("with logs %v: not settled:\n%s", logs, difference(state, got))
		}
	}
}

// One sync after the index was deleted finds what stands in a workspace's archive
// only, although nobody names the workspace but another session's log.
func TestDeletedIndexFindsArchivesByItself(t *testing.T) {
	l := newLab(t)
	root := l.workspace("w")
	path := l.write("a.jsonl", log("a", root, talk("zeppelin", 2)...))
	l.write("b.jsonl", log("b", filepath.Join(root, "below"), "the kayak", "swims"))
	l.sync()
	os.Remove(path)
	l.sync()
	l.dropIndex()
	l.sync()
	if n := len(l.hits(lookback.InWorkspace(root), "zeppelin")); n != 2 {
		t.Errorf("%d hits", n)
	}
	l.src.took()
	state := l.state()
	l.sync()
	if got := l.state(); got != state || len(l.src.took()) > 0 {
		t.Errorf("not settled:\n%s", difference(state, got))
	}
}

func TestSummaryOfAnotherProgramIsFound(t *testing.T) {
	for _, logs := range []bool{true, false} {
		l := newLab(t)
		path := l.write("s.jsonl", log("s", "/srv/a", talk("zeppelin", 4)...))
		l.sync()
		if !logs {
			os.Remove(path)
			l.sync()
		}
		l.wantHits("dirigible")
		l.summarize(l.user(), "s", "dirigible")
		l.sync()
		l.wantHits("dirigible", "pi:s@1:e8")
		if s := l.session("s"); s.Pending != 0 || s.Gone == logs {
			t.Errorf("with logs %v: session %+v", logs, s)
		}
	}
}

// The log is gone here, and the record went on elsewhere.
func TestRecordWentOnElsewhere(t *testing.T) {
	l := newLab(t)
	path := l.write("s.jsonl", log("s", "/srv/a", talk("zeppelin", 4)...))
	l.sync()
	os.Remove(path)
	l.sync()
	other := newLab(t)
	other.write("s.jsonl", log("s", "/srv/a", append(talk("zeppelin", 4), "the kayak", "swims")...))
	other.sync()
	testkit.CopyTo(t, other.opts.User, l.opts.User)
	l.sync()
	l.wantHits("kayak", "pi:s@0:e10")
	if r := l.records(l.user())["s"]; len(r.Nodes) != 7 {
		t.Errorf("the record lost nodes: %d", len(r.Nodes))
	}
	l.write("s.jsonl", log("s", "/srv/a", append(talk("zeppelin", 4), "the kayak", "swims")...))
	l.sync()
	if s := l.session("s"); s.Gone || s.Source != path || s.Entries != 10 {
		t.Errorf("session %+v", s)
	}
}

// Of two records with one session the one with more summaries is gone on with.
func TestTwoRecordsOfOneSession(t *testing.T) {
	for _, logs := range []bool{true, false} {
		for _, name := range []string{"0-copy", "z-copy"} {
			l := newLab(t)
			path := l.write("s.jsonl", log("s", "/srv/a", talk("zeppelin", 8)...))
			l.sync()
			r := l.records(l.user())["s"]
			if !logs {
				os.Remove(path)
				l.sync()
			}
			data := testkit.ReadFile(t, filepath.Join(l.opts.User, r.ID+".json"))
			copied := filepath.Join(l.opts.User, name+".json")
			testkit.WriteFile(t, copied, strings.ReplaceAll(string(data), r.ID, name))
			err := l.user().Edit(t.Context(), name, func(r *archive.Record) error {
				for i := range r.Nodes {
					if n := &r.Nodes[i]; n.Kind == lookback.KindSummary {
						n.Text, n.Ready = "dirigible", true
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			for range 2 {
				rep := l.sync()
				if len(rep.Warnings) != 1 || rep.Warnings[0].Kind != lookback.DuplicateSession || rep.Warnings[0].File != filepath.Join(l.opts.User, r.ID+".json") {
					t.Errorf("%s, logs %v: warnings %v", name, logs, rep.Warnings)
				}
				if s := l.session("s"); s.Record != name || s.Pending != 0 {
					t.Errorf("%s, logs %v: session %+v", name, logs, s)
				}
				l.wantHits("dirigible", "pi:s@1:e16", "pi:s@1:e8")
			}
			// The other one goes: so does the warning.
			os.Remove(filepath.Join(l.opts.User, r.ID+".json"))
			if rep := l.sync(); len(rep.Warnings) > 0 {
				t.Errorf("%s, logs %v: warnings %v", name, logs, rep.Warnings)
			}
			l.wantHits("dirigible", "pi:s@1:e16", "pi:s@1:e8")
		}
	}
}

// A record that breaks is told of until it is mended or removed, and what it held
// stays found.
func TestRecordBreaks(t *testing.T) {
	for _, end := range []string{"mended", "removed"} {
		l := newLab(t)
		path := l.write("s.jsonl", log("s", "/srv/a", talk("zeppelin", 2)...))
		l.sync()
		os.Remove(path)
		l.sync()
		file := filepath.Join(l.opts.User, l.session("s").Record+".json")
		data := testkit.ReadFile(t, file)
		rewrite := func(b []byte) { // as another program does, so that the folder shows it
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
			testkit.WriteFile(t, file, string(b))
		}
		rewrite(data[:len(data)/2])
		for range 2 {
			rep := l.sync()
			if len(rep.Warnings) != 1 || rep.Warnings[0].Kind != lookback.BadArchive || rep.Warnings[0].File != file {
				t.Errorf("warnings %v", rep.Warnings)
			}
			if n := len(l.hits(lookback.Everything(), "zeppelin")); n != 2 {
				t.Errorf("%d hits", n)
			}
		}
		if got := testkit.ReadFile(t, file); !bytes.Equal(got, data[:len(data)/2]) {
			t.Error("the broken record was changed")
		}
		want := 2
		if end == "mended" {
			rewrite(data)
		} else {
			os.Remove(file)
			want = 0
		}
		if rep := l.sync(); len(rep.Warnings) > 0 {
			t.Errorf("%s: warnings %v", end, rep.Warnings)
		}
		if n := len(l.hits(lookback.Everything(), "zeppelin")); n != want {
			t.Errorf("%s: %d hits", end, n)
		}
	}
}

func TestRecordIsDeleted(t *testing.T) {
	l := newLab(t)
	path := l.write("s.jsonl", log("s", "/srv/a", talk("zeppelin", 4)...))
	l.sync()
	file := filepath.Join(l.opts.User, l.session("s").Record+".json")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	l.sync()
	if _, err := os.Stat(file); err != nil {
		t.Errorf("the record was not written again: %v", err)
	}
	os.Remove(path)
	l.sync()
	os.Remove(file)
	l.sync()
	l.wantHits("zeppelin")
	if s := l.session("s"); s != nil {
		t.Errorf("session %+v", s)
	}
	// Both at once.
	l.write("s.jsonl", log("s", "/srv/a", talk("zeppelin", 4)...))
	l.sync()
	os.Remove(path)
	os.Remove(file)
	l.sync()
	l.wantHits("zeppelin")
}

func TestSessionsOfAWorkspaceReachedThroughALink(t *testing.T) {
	l := newLab(t)
	root, link := l.workspace("w"), filepath.Join(l.dir, "link")
	if err := os.Symlink(root, link); err != nil {
		t.Skipf("no links here: %v", err)
	}
	l.write("a.jsonl", log("a", root, "the zeppelin", "flies"))
	l.write("b.jsonl", log("b", link, "the kayak", "swims"))
	l.sync() // would wait for itself if it locked one archive by two names
	if n := len(l.records(archive.InWorkspace(root))); n != 2 {
		t.Errorf("%d records", n)
	}
	l.wantIn(lookback.InWorkspace(root), "zeppelin", "pi:a@0:e2")
	l.wantIn(lookback.InWorkspace(root), "kayak", "pi:b@0:e2")
	l.wantIn(lookback.InWorkspace(link), "kayak", "pi:b@0:e2")
}

// Nothing is written through a link: such a workspace keeps no archive.
func TestLinkedArchiveIsNotWritten(t *testing.T) {
	for _, name := range []string{".pi", ".pi/pbot", ".pi/pbot/history"} {
		l := newLab(t)
		root, away := filepath.Join(l.dir, "w"), filepath.Join(l.dir, "away")
		if err := os.MkdirAll(filepath.Join(away, "pbot", "history", "history"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(away, filepath.Join(root, name)); err != nil {
			t.Skipf("no links here: %v", err)
		}
		snap := testkit.Snapshot(t, away)
		l.write("s.jsonl", log("s", root, "the zeppelin", "flies"))
		if rep := l.sync(); len(rep.Warnings) > 0 {
			t.Errorf("%s: warnings %v", name, rep.Warnings)
		}
		snap.Same(t)
		if n := len(l.records(l.user())); n != 1 {
			t.Errorf("%s: %d records in the user's archive", name, n)
		}
	}
}

func TestReadOnlyArchiveIsAWarning(t *testing.T) {
	dir := t.TempDir()
	l := labAt(t, dir)
	root := l.workspace("w")
	home := archive.InWorkspace(root).Dir()
	l.write("a.jsonl", log("a", root, talk("zeppelin", 4)...))
	l.write("b.jsonl", log("b", root, "the kayak", "swims"))
	l.write("c.jsonl", log("c", "/srv/a", "the barge", "floats"))
	if err := os.Chmod(home, 0o500); err != nil {
		t.Fatal(err)
	}
	l.db.Close()
	testkit.Unprivileged(t, dir, func() {
		l.openIndex()
		for range 2 {
			rep := l.sync()
			if len(rep.Warnings) != 1 || rep.Warnings[0].File != home || rep.Warnings[0].Kind != lookback.BadArchive {
				t.Errorf("warnings %v", rep.Warnings)
			}
			l.wantHits("kayak", "pi:b@0:e2")
			l.wantHits("barge", "pi:c@0:e2")
			if n := len(l.records(l.user())); n != 1 {
				t.Errorf("%d records in the user's archive", n)
			}
		}
		os.Remove(l.native("b.jsonl")) // nothing may be lost while it cannot be written
		l.sync()
		l.sync()
		l.wantHits("kayak", "pi:b@0:e2")
		if err := os.Chmod(home, 0o700); err != nil {
			t.Fatal(err)
		}
		if rep := l.sync(); len(rep.Warnings) > 0 {
			t.Errorf("warnings %v", rep.Warnings)
		}
		if n := len(l.records(archive.InWorkspace(root))); n != 2 {
			t.Errorf("%d records once it can be written", n)
		}
		l.db.Close()
	})
	l.openIndex()
}

// Managed sub-sessions belong to the workspace that their record names.
func TestSubsessionBelongsToItsWorkspace(t *testing.T) {
	l := newLab(t)
	root := l.workspace("w")
	file := filepath.Join(l.dir, "sub", "s.jsonl")
	testkit.WriteFile(t, file, log("s", "/srv/elsewhere", talk("zeppelin", 4)...))
	sub := filepath.Join(l.dir, "home", ".pi", "agent", "pbot", "subagents", "one")
	ref, _ := json.Marshal(map[string]any{"file": file})
	testkit.WriteFile(t, filepath.Join(sub, "session-ref.json"), string(ref))
	l.sync()
	l.wantIn(lookback.InWorkspace(root), "zeppelin")
	claim, _ := json.Marshal(map[string]any{"workspace": root})
	testkit.WriteFile(t, filepath.Join(sub, "record.json"), string(claim))
	check := func(when string) {
		t.Helper()
		if n := len(l.hits(lookback.InWorkspace(root), "zeppelin")); n != 4 {
			t.Errorf("%s: %d hits", when, n)
		}
		if l.records(archive.InWorkspace(root))["s"] == nil {
			t.Errorf("%s: no record in the workspace", when)
		}
	}
	l.sync()
	check("claimed")
	l.summarize(archive.InWorkspace(root), "s", "dirigible")
	l.sync()
	check("summarised")
	l.wantIn(lookback.InWorkspace(root), "dirigible", "pi:s@1:e8")
	l.opts.Near = &Near{File: file}
	l.sync()
	check("synced alone")
	l.opts.Near = &Near{Root: root}
	l.sync()
	l.opts.Near = nil
	l.src.took()
	l.sync()
	if got := l.src.took(); len(got) > 0 {
		t.Errorf("read again: %v", got)
	}
	l.dropIndex()
	l.sync()
	check("index deleted")
}

// P57: two projects whose folder names collide share one session folder.
func TestProjectsThatShareAFolder(t *testing.T) {
	l := newLab(t)
	cases := filepath.Join(testkit.Root(t), "testdata", "cases", "files")
	for _, name := range []string{"p57-one.jsonl", "p57-two.jsonl"} {
		l.write(name, string(testkit.ReadFile(t, filepath.Join(cases, name))))
	}
	l.sync()
	a, b := l.hits(lookback.InWorkspace("/srv/demo/a-b/c"), "cutwater"), l.hits(lookback.InWorkspace("/srv/demo/a/b-c"), "forefoot")
	if len(a) != 1 || len(b) != 1 || a[0] == b[0] {
		t.Errorf("found %v and %v", a, b)
	}
	l.wantIn(lookback.InWorkspace("/srv/demo/a-b/c"), "forefoot")
	l.wantIn(lookback.InWorkspace("/srv/demo/a/b-c"), "cutwater")
	l.wantIn(lookback.InWorkspace("/srv/demo/a"), "cutwater")
}

func TestLimitedSyncLeavesOthersForTheFullOne(t *testing.T) {
	l := newLab(t)
	root := l.workspace("w")
	l.write("a.jsonl", log("a", root, talk("zeppelin", 4)...))
	l.write("b.jsonl", log("b", "/srv/a", talk("kayak", 4)...))
	l.sync()
	l.sync()
	l.summarize(l.user(), "b", "dirigible")
	l.append("b.jsonl", turns(9, "the barge", "floats"))
	l.opts.Near = &Near{File: l.native("b.jsonl")}
	l.sync()
	l.wantHits("barge", "pi:b@0:e10")
	l.summarize(l.user(), "b", "dirigible")
	l.append("a.jsonl", turns(9, "the raft", "drifts"))
	l.opts.Near = &Near{Root: root}
	l.src.took()
	l.sync()
	if got := l.src.took(); !slices.Equal(got, []string{"a.jsonl"}) {
		t.Errorf("read %v", got)
	}
	l.wantHits("raft", "pi:a@0:e10")
	l.opts.Near = nil
	l.sync()
	l.wantHits("dirigible", "pi:b@1:e8")
}

// Records that a person copies in are found by the next full sync, also when a
// limited one has written to the same archive in between.
func TestLimitedSyncLeavesCopiedRecords(t *testing.T) {
	other := newLab(t)
	other.write("c.jsonl", log("c", "/srv/a", talk("kayak", 2)...))
	other.sync()
	id := other.records(other.user())["c"].ID + ".json"
	copied := string(testkit.ReadFile(t, filepath.Join(other.opts.User, id)))
	for _, name := range []string{"a.jsonl", "w.jsonl"} {
		l := newLab(t)
		root := l.workspace("w")
		l.write("a.jsonl", log("a", "/srv/a", talk("zeppelin", 2)...))
		l.write("w.jsonl", log("w", root, talk("zeppelin", 2)...))
		l.sync()
		l.sync()
		home := map[string]*archive.Archive{"a.jsonl": l.user(), "w.jsonl": archive.InWorkspace(root)}[name]
		testkit.WriteFile(t, filepath.Join(home.Dir(), id), copied)
		l.append(name, turns(5, "the barge", "floats"))
		l.opts.Near = &Near{File: l.native(name)}
		for range 2 {
			l.sync()
			l.append(name, turns(7, "the barge", "sinks"))
		}
		if n := len(l.records(home)); n != 2 {
			t.Fatalf("%s: %d records", name, n)
		}
		l.opts.Near = nil
		l.sync()
		if n := len(l.hits(lookback.Everything(), "kayak")); n != 2 {
			t.Errorf("%s: %d hits of the copied record", name, n)
		}
	}
}

// A record that is copied in while a sync holds the archive is found by the next.
func TestRecordIsCopiedInDuringASync(t *testing.T) {
	other := newLab(t)
	other.write("c.jsonl", log("c", "/srv/a", talk("kayak", 2)...))
	other.sync()
	id := other.records(other.user())["c"].ID + ".json"
	copied := string(testkit.ReadFile(t, filepath.Join(other.opts.User, id)))
	l := newLab(t)
	names := []string{"a.jsonl", "b.jsonl", "d.jsonl", "e.jsonl"}
	for _, name := range names {
		l.write(name, log(name[:1], "/srv/a", talk("zeppelin", 2)...))
	}
	l.sync()
	for _, name := range names {
		l.append(name, turns(5, "the barge", "floats"))
	}
	l.src.reads.Store(0)
	l.src.after = func(n int64) {
		if n == 4 { // by then the first is put
			testkit.WriteFile(t, filepath.Join(l.opts.User, id), copied)
		}
	}
	l.sync()
	l.src.after = nil
	l.sync()
	l.wantHits("kayak", "pi:c@0:e2", "pi:c@0:e4")
	l.src.took()
	l.sync()
	if got := l.src.took(); len(got) > 0 {
		t.Errorf("read again: %v", got)
	}
}
