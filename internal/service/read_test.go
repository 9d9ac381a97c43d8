package service

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lookback"
	"lookback/internal/archive"
	"lookback/internal/ingest"
	"lookback/internal/testkit"
)

// tree is a session with two branches and tool calls:
//
//	1 user ─ 2 answer ─ 3 user ─ 4 step, calls ─ 5 result ─ 6 result ─ 7 answer
//	                  └ 8 user ─ 9 answer
func tree() string {
	return header("s", "/srv/a") +
		entry(1, 0, user("the zeppelin")) + entry(2, 1, answer("flies")) + entry(3, 2, user("list the files")) +
		entry(4, 3, answer("I look", "good", "bad", "lost")) + entry(5, 4, result("good", false)) + entry(6, 5, result("bad", true)) +
		entry(7, 6, answer("there are two")) + entry(8, 2, user("the kayak")) + entry(9, 8, answer("swims"))
}

func TestReadByEveryKindOfRef(t *testing.T) {
	l := newLab(t)
	l.write("s.jsonl", tree())
	l.sync()
	for _, c := range []struct {
		r    ReadRequest
		want []string
	}{
		{ReadRequest{}, []string{"user 1 the zeppelin", "assistant 2 flies", "user 8 the kayak", "assistant 9 swims"}},
		{ReadRequest{Tail: 1}, []string{"assistant 9 swims"}},
		{ReadRequest{Tail: 3}, []string{"assistant 2 flies", "user 8 the kayak", "assistant 9 swims"}},
		{ReadRequest{Limit: 2}, []string{"user 1 the zeppelin", "assistant 2 flies"}},
		{ReadRequest{After: 2}, []string{"user 8 the kayak", "assistant 9 swims"}},
		{ReadRequest{Ref: lookback.Ref{Seq: 3}}, []string{"user 3 list the files"}},
		{ReadRequest{Ref: lookback.Ref{Seq: 4}, Around: 1}, []string{"user 3 list the files", "assistant 4 I look", "assistant 7 there are two"}},
		{ReadRequest{Ref: lookback.Ref{Seq: 8}, Around: 9}, []string{"user 1 the zeppelin", "assistant 2 flies", "user 8 the kayak", "assistant 9 swims"}},
		{ReadRequest{Ref: lookback.Ref{Key: "e7"}}, []string{"user 3 list the files", "assistant 4 I look", "assistant 7 there are two"}},
		{ReadRequest{Ref: lookback.Ref{Key: "e9"}}, []string{"user 8 the kayak", "assistant 9 swims"}},
	} {
		c.r.Ref.Session = lookback.SessionID{Agent: "pi", Native: "s"}
		got := l.wantRead(c.r, c.want...)
		if got.Origin != FromLog || got.More != (c.r.Limit > 0) {
			t.Errorf("%s: origin %s, more %v", c.r.Ref, got.Origin, got.More)
		}
	}
	_, got := l.read(ReadRequest{Ref: ref(t, "pi:s@0:e7")})
	if want := map[string]string{"good": "ok", "bad": "error", "lost": "pending"}; !maps.Equal(got.Statuses, want) {
		t.Errorf("statuses %v, want %v", got.Statuses, want)
	}
	for _, bad := range []string{"pi:s#10", "pi:s@0:e8", "pi:s@1:e7", "pi:t", "claude:s"} {
		if _, err := l.Read(t.Context(), lookback.Everything(), ReadRequest{Ref: ref(t, bad)}); !errors.Is(err, ErrNotFound) {
			t.Errorf("read %s: %v", bad, err)
		}
	}
}

func TestReadASummary(t *testing.T) {
	l := newLab(t)
	l.write("s.jsonl", log("s", "/srv/a", talk("zeppelin", 4)...))
	l.sync()
	l.summarize(archive.Open(l.c.Archive), "dirigible")
	l.sync()
	got := l.wantRead(ReadRequest{Ref: ref(t, "pi:s@1:e8")})
	if got.Text != "dirigible of level 1" {
		t.Errorf("text %q", got.Text)
	}
}

// What was appended since the last sync is read, though not found yet.
func TestReadWhatTheIndexLacks(t *testing.T) {
	l := newLab(t)
	l.write("s.jsonl", log("s", "/srv/a", "the zeppelin", "flies"))
	l.sync()
	l.append("s.jsonl", turns(3, "the kayak", "swims"))
	l.wantRead(ReadRequest{Ref: ref(t, "pi:s"), Tail: 2}, "user 3 the kayak", "assistant 4 swims")
	l.wantRead(ReadRequest{Ref: ref(t, "pi:s#4"), Around: 1}, "user 3 the kayak", "assistant 4 swims")
	l.wantRead(ReadRequest{Ref: ref(t, "pi:s@0:e2")}, "user 1 the zeppelin", "assistant 2 flies")
}

// The numbers stay when the log goes, and so do words that belong to no answer.
func TestReadWhenTheLogIsGone(t *testing.T) {
	for name, spoil := range map[string]func(path string) error{
		"removed":   os.Remove,
		"emptied":   func(path string) error { return os.WriteFile(path, nil, 0o600) },
		"another's": func(path string) error { return os.WriteFile(path, []byte(log("other", "/srv/a", "x", "y")), 0o600) },
	} {
		for _, synced := range []bool{false, true} {
			l := newLab(t)
			path := l.write("s.jsonl", tree())
			l.sync()
			if err := spoil(path); err != nil {
				t.Fatal(err)
			}
			if synced {
				l.sync()
			}
			got := l.wantRead(ReadRequest{Ref: ref(t, "pi:s")}, "user 1 the zeppelin", "assistant 2 flies", "user 8 the kayak", "assistant 9 swims")
			if got.Origin != FromArchive {
				t.Errorf("%s: origin %s", name, got.Origin)
			}
			l.wantRead(ReadRequest{Ref: ref(t, "pi:s#7")}, "assistant 7 there are two")
			l.wantRead(ReadRequest{Ref: ref(t, "pi:s@0:e9")}, "user 8 the kayak", "assistant 9 swims")
			if _, got := l.read(ReadRequest{Ref: ref(t, "pi:s@0:e7")}); len(got.Statuses) > 0 {
				t.Errorf("%s: statuses %v", name, got.Statuses)
			}
		}
	}
}

// A log that is rewritten between two looks is read as it is now.
func TestReadARewrittenLog(t *testing.T) {
	l := newLab(t)
	l.write("s.jsonl", log("s", "/srv/a", "the zeppelin", "flies"))
	l.sync()
	l.write("s.jsonl", log("s", "/srv/a", "another", "question, longer than before"))
	l.wantRead(ReadRequest{Ref: ref(t, "pi:s")}, "user 1 another", "assistant 2 question, longer than before")
}

func TestSamplesAreReadWithoutAnyLog(t *testing.T) {
	for _, name := range []string{"plain", "pending", "file-field"} {
		l := newLab(t)
		root := l.sample(name)
		l.sync(root)
		list, err := l.Sessions(t.Context(), ListRequest{Scope: lookback.InWorkspace(root)})
		if err != nil || len(list.Sessions) == 0 {
			t.Fatalf("%s: %v, %v", name, list, err)
		}
		for _, s := range list.Sessions {
			for _, n := range l.walk(s.ID) {
				if n.Kind == lookback.KindSession || !n.Ready {
					continue
				}
				words, got := l.read(ReadRequest{Ref: lookback.NodeRef(s.ID, n.ID)})
				if n.Kind == lookback.KindSummary && got.Text != n.Text {
					t.Errorf("%s: %s reads %q", name, n.ID, got.Text)
				}
				if n.Kind == lookback.KindExchange && (len(words) != len(n.EntryIDs) || got.Origin != FromArchive) {
					t.Errorf("%s: %s reads %q from %s", name, n.ID, words, got.Origin)
				}
			}
		}
	}
}

// walk goes down from the session's node by refs alone, and wants to come back up
// from every node it reaches.
func (l *lab) walk(id lookback.SessionID) map[string]lookback.Node {
	l.t.Helper()
	seen := map[string]lookback.Node{}
	up := map[string][]lookback.Node{}
	todo := []lookback.Ref{lookback.SessionRef(id)}
	for len(todo) > 0 {
		r := todo[0]
		todo = todo[1:]
		for offset := 0; ; offset += 3 {
			v, err := l.Browse(l.t.Context(), lookback.Everything(), BrowseRequest{Ref: r, Offset: offset, Limit: 3})
			if err != nil {
				l.t.Fatalf("browse %s: %v", r, err)
			}
			if v.Offset != offset || len(v.Children) != min(3, max(0, v.Total-offset)) {
				l.t.Errorf("%s: %d children from %d on of %d", r, len(v.Children), offset, v.Total)
			}
			seen[v.Node.ID], up[v.Node.ID] = v.Node, v.Parents
			for _, n := range v.Children {
				if _, known := seen[n.ID]; !known {
					todo = append(todo, lookback.NodeRef(id, n.ID))
				}
			}
			if offset+3 >= v.Total {
				break
			}
		}
	}
	for node, parents := range up {
		if seen[node].Kind != lookback.KindSession && len(parents) == 0 {
			l.t.Errorf("no way up from %s", node)
		}
		for _, p := range parents {
			if _, ok := seen[p.ID]; !ok || !slices.Contains(seen[p.ID].Children, node) {
				l.t.Errorf("%s has parent %s, which does not have it as a child", node, p.ID)
			}
		}
	}
	return seen
}

func TestBrowseReachesEverything(t *testing.T) {
	l := newLab(t)
	text := log("s", "/srv/a", talk("zeppelin", 21)...)
	for i := range 6 { // a branch from the middle, of its own four exchanges and more
		text += entry(100+2*i, map[bool]int{true: 10, false: 99 + 2*i}[i == 0], user(fmt.Sprint("branch ", i))) + entry(101+2*i, 100+2*i, answer("so"))
	}
	l.write("s.jsonl", text)
	path := l.write("fix.jsonl", string(testkit.ReadFile(t, filepath.Join(testkit.Root(t), "testdata", "pi", "tree-branches.jsonl"))))
	snap := testkit.Snapshot(t, filepath.Join(l.dir, "home"))
	l.sync()
	if n := len(l.walk(lookback.SessionID{Agent: "pi", Native: "s"})); n < 27+6 {
		t.Errorf("%d nodes", n)
	}
	in, err := Inspect(t.Context(), l.c.Sources, path, "")
	if err != nil {
		t.Fatal(err)
	}
	if n := len(l.walk(in.Log.Session.ID)); n != len(in.Nodes) {
		t.Errorf("%d nodes, inspect says %d", n, len(in.Nodes))
	}
	snap.Same(t)
}

func TestBrowseFromAnEntry(t *testing.T) {
	l := newLab(t)
	l.write("s.jsonl", tree())
	l.sync()
	for seq, want := range map[int]string{1: "0:e2", 2: "0:e2", 3: "0:e7", 4: "0:e7", 7: "0:e7", 9: "0:e9"} {
		v, err := l.Browse(t.Context(), lookback.Everything(), BrowseRequest{Ref: lookback.EntryRef(lookback.SessionID{Agent: "pi", Native: "s"}, seq)})
		if err != nil || !strings.HasSuffix(v.Node.ID, want) {
			t.Errorf("entry %d: %s, %v", seq, v.Node.ID, err)
		}
	}
	for _, seq := range []int{5, 10} {
		_, err := l.Browse(t.Context(), lookback.Everything(), BrowseRequest{Ref: lookback.EntryRef(lookback.SessionID{Agent: "pi", Native: "s"}, seq)})
		if !errors.Is(err, ErrNotFound) {
			t.Errorf("entry %d: %v", seq, err)
		}
	}
}

// What lies outside of the scope answers as what does not exist.
func TestOutsideOfTheScopeIsUnknown(t *testing.T) {
	l := newLab(t)
	l.write("a.jsonl", log("a", "/srv/a", talk("zeppelin", 4)...))
	l.write("b.jsonl", log("b", "/srv/b", talk("kayak", 4)...))
	l.sync()
	inA := lookback.InWorkspace("/srv/a")
	for _, scope := range []lookback.Scope{inA, {}, lookback.InConversation(lookback.SessionID{Agent: "pi", Native: "a"}, 4, 5)} {
		for _, tail := range []string{"", "#1", "#99", "@0:e2", "@1:e8", "@0:nothing"} {
			outside, unknown := ref(t, "pi:b"+tail), ref(t, "pi:nope"+tail)
			_, err1 := l.Read(t.Context(), scope, ReadRequest{Ref: outside})
			_, err2 := l.Read(t.Context(), scope, ReadRequest{Ref: unknown})
			_, err3 := l.Browse(t.Context(), scope, BrowseRequest{Ref: outside})
			_, err4 := l.NodeNamed(t.Context(), scope, outside.String())
			for _, err := range []error{err1, err3, err4} {
				if !errors.Is(err, ErrNotFound) {
					t.Errorf("%s in %s: %v", outside, scope, err)
				}
			}
			if err1 == nil || err2 == nil || strings.ReplaceAll(err1.Error(), "pi:b", "pi:nope") != err2.Error() {
				t.Errorf("%s in %s: %q and %q differ", outside, scope, err1, err2)
			}
		}
		l.wantHits(scope, "kayak")
	}
}

func TestWorkspaceIsTheDeepestKnown(t *testing.T) {
	l := newLab(t)
	root := filepath.Join(l.dir, "w")
	if err := os.MkdirAll(archive.InWorkspace(root).Dir(), 0o700); err != nil {
		t.Fatal(err)
	}
	deep := filepath.Join(root, "deep", "er")
	l.write("s.jsonl", log("s", filepath.Join(root, "deep"), "q", "a"))
	l.sync()
	for dir, want := range map[string]string{root: root, filepath.Join(root, "x"): root, deep: filepath.Join(root, "deep"), "/nowhere/at/all": "/nowhere/at/all"} {
		if got, err := l.Workspace(t.Context(), dir); err != nil || got != want {
			t.Errorf("%s: %s, %v", dir, got, err)
		}
	}
	if !ingest.HasArchive(root) || ingest.HasArchive(deep) {
		t.Error("the wrong directory has an archive")
	}
}
