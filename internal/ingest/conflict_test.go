package ingest

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"lookback"
	"lookback/internal/index"
	"lookback/internal/testkit"
)

// wantDuplicate wants exactly one warning, about the loser.
func (l *lab) wantDuplicate(rep Report, loser string) {
	l.t.Helper()
	if len(rep.Warnings) != 1 || rep.Warnings[0].Kind != lookback.DuplicateSession || rep.Warnings[0].File != l.native(loser) {
		l.t.Errorf("warnings %v, want one about %s", rep.Warnings, loser)
	}
}

func TestTwoFilesWithOneSession(t *testing.T) {
	long, short := talk("zeppelin", 3), talk("zeppelin", 2)
	for _, c := range []struct{ name, a, b, winner string }{
		{"contains", log("s", "/srv/a", long...), log("s", "/srv/a", short...), "a.jsonl"},
		{"is contained", log("s", "/srv/a", short...), log("s", "/srv/a", long...), "b.jsonl"},
		{"more records", log("s", "/srv/a", short...), log("s", "/srv/a") + turnsAs("f", 1, long...), "b.jsonl"},
		{"the same", log("s", "/srv/a", short...), log("s", "/srv/a", short...), "a.jsonl"},
	} {
		for _, order := range []string{"ab", "ba", "a then b", "b then a"} {
			t.Run(c.name+", "+order, func(t *testing.T) {
				l := newLab(t)
				text := map[string]string{"a": c.a, "b": c.b}
				first, second := order[:1], order[len(order)-1:]
				l.write(first+".jsonl", text[first])
				if strings.Contains(order, "then") {
					l.sync()
				}
				// The one written last is read last.
				l.write(second+".jsonl", text[second])
				rep := l.sync()
				loser := map[string]string{"a.jsonl": "b.jsonl", "b.jsonl": "a.jsonl"}[c.winner]
				l.wantDuplicate(rep, loser)
				l.wantDuplicate(l.sync(), loser)
				if s := l.session("s"); s.Source != l.native(c.winner) || s.Gone {
					t.Errorf("session %+v", s)
				}
				l.opts.Rescan = true
				l.wantDuplicate(l.sync(), loser)
				if n := len(l.hits(lookback.Everything(), "zeppelin")); n != l.session("s").Exchanges {
					t.Errorf("%d hits", n)
				}
			})
		}
	}
}

func TestLoserGrowsBeyondTheWinner(t *testing.T) {
	for _, both := range []bool{false, true} {
		t.Run(fmt.Sprint("winner grows too: ", both), func(t *testing.T) {
			l := newLab(t)
			l.write("a.jsonl", log("s", "/srv/a", talk("zeppelin", 2)...))
			l.write("b.jsonl", log("s", "/srv/a", talk("zeppelin", 1)...))
			l.sync()
			if both {
				l.append("a.jsonl", turns(5, "the kayak", "swims"))
			}
			l.append("b.jsonl", turns(3, append(talk("zeppelin", 2)[2:], "the kayak", "swims", "the marlinspike", "bites")...))
			l.wantDuplicate(l.sync(), "a.jsonl")
			if s := l.session("s"); s.Source != l.native("b.jsonl") || s.Entries != 8 {
				t.Errorf("session %+v", s)
			}
			l.wantHits("marlinspike", "pi:s@0:e8")
			l.wantHits("kayak", "pi:s@0:e6")
		})
	}
}

func TestWinnerVanishes(t *testing.T) {
	l := newLab(t)
	path := l.write("a.jsonl", log("s", "/srv/a", talk("zeppelin", 3)...))
	l.write("b.jsonl", log("s", "/srv/a", talk("zeppelin", 2)...))
	l.sync()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	l.sync()
	if n := len(l.hits(lookback.Everything(), "zeppelin")); n != 3 {
		t.Errorf("%d hits: the copy has taken away what the vanished file held", n)
	}
	if s := l.session("s"); !s.Gone {
		t.Errorf("session %+v", s)
	}
	l.src.took()
	l.sync()
	if got := l.src.took(); len(got) > 0 {
		t.Errorf("read for good: %v", got)
	}
	// The copy goes on.
	l.append("b.jsonl", turns(5, append(talk("zeppelin", 3)[4:], "the kayak", "swims")...))
	l.sync()
	if s := l.session("s"); s.Gone || s.Source != l.native("b.jsonl") || s.Entries != 8 {
		t.Errorf("session %+v", s)
	}
}

func TestAnEqualCopyTakesOver(t *testing.T) {
	l := newLab(t)
	path := l.write("a.jsonl", log("s", "/srv/a", talk("zeppelin", 2)...))
	l.write("b.jsonl", log("s", "/srv/a", talk("zeppelin", 2)...))
	l.sync()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	rep := l.sync()
	if s := l.session("s"); s.Gone || s.Source != l.native("b.jsonl") || len(rep.Warnings) > 0 {
		t.Errorf("session %+v, warnings %v", s, rep.Warnings)
	}
}

// Both files changed at once: what the index had of one must not be taken for the
// beginning of the other.
func TestBothFilesOfASessionGrow(t *testing.T) {
	for _, first := range []string{"a.jsonl", "b.jsonl"} {
		l := newLab(t)
		l.write("a.jsonl", log("s", "/srv/a", talk("zeppelin", 2)...))
		l.write("b.jsonl", log("s", "/srv/a")+turnsAs("f", 1, talk("kayak", 1)...))
		l.sync()
		second := map[string]string{"a.jsonl": "b.jsonl", "b.jsonl": "a.jsonl"}[first]
		grow := map[string]string{"a.jsonl": turns(5, "more", "of it"), "b.jsonl": turnsAs("f", 3, talk("kayak", 5)...)}
		l.append(first, grow[first])
		l.append(second, grow[second])
		l.wantDuplicate(l.sync(), "a.jsonl")
		if n := len(l.hits(lookback.Everything(), "kayak")); n != 6 || l.session("s").Entries != 12 {
			t.Errorf("%s first: %d hits, session %+v", first, n, l.session("s"))
		}
		l.wantHits("zeppelin")
	}
}

// Pi rewrites a file of version 1 as version 3 with random ids. What was read as
// version 1 keeps its ids.
func TestVersion1IsRewritten(t *testing.T) {
	texts := talk("zeppelin", 5)
	for _, dropIndex := range []bool{false, true} {
		for _, renamed := range []bool{false, true} {
			t.Run(fmt.Sprint("index deleted ", dropIndex, ", renamed ", renamed), func(t *testing.T) {
				l := newLab(t)
				path := l.write("a.jsonl", logV1("s", "/srv/a", texts...))
				l.sync()
				l.summarize(l.user(), "s", "dirigible")
				l.sync()
				before := l.records(l.user())["s"]
				if dropIndex {
					l.dropIndex()
				}
				name := "a.jsonl"
				if renamed {
					name = "b.jsonl"
					if err := os.Remove(path); err != nil {
						t.Fatal(err)
					}
				}
				l.write(name, log("s", "/srv/a")+turnsAs("random", 1, texts...))
				l.sync()
				l.wantHits("dirigible", "pi:s@1:v1-8")
				after := l.records(l.user())["s"]
				if a, b := nodeIDs(before.Nodes), nodeIDs(after.Nodes); !slices.Equal(a, b) {
					t.Errorf("nodes were %v\nare %v", a, b)
				}
				if s := l.session("s"); s.Pending != 0 || s.Aged != 10 {
					t.Errorf("session %+v", s)
				}
				if dropIndex { // once more, between the rewriting and more
					l.dropIndex()
				}
				l.append(name, turnsAs("random", 11, "the kayak", "swims"))
				l.sync()
				l.wantHits("dirigible", "pi:s@1:v1-8")
				l.wantHits("kayak", "pi:s@0:random12")
				if s := l.session("s"); s.Pending != 0 || s.Aged != 10 {
					t.Errorf("session %+v", s)
				}
			})
		}
	}
}

func nodeIDs(nodes []lookback.Node) []string {
	var out []string
	for _, n := range nodes {
		out = append(out, fmt.Sprint(n.ID, " ", n.Ready))
	}
	return out
}

// P39: a fork repeats its parent's entries with the same ids.
func TestForkSharesWhatItCopied(t *testing.T) {
	l := newLab(t)
	cases := testkit.Root(t) + "/testdata/cases/files/"
	l.write("p39-parent.jsonl", string(testkit.ReadFile(t, cases+"p39-parent.jsonl")))
	l.write("p39-fork.jsonl", string(testkit.ReadFile(t, cases+"p39-fork.jsonl")))
	if rep := l.sync(); len(rep.Warnings) > 0 {
		t.Errorf("warnings %v", rep.Warnings)
	}
	for words, want := range map[string]struct {
		ref  string
		also int
	}{"relay 2": {"@0:a2", 1}, "foresail": {"@0:a4", 0}} {
		res, err := l.db.Search(t.Context(), index.Request{Scope: lookback.Everything(), Query: lookback.ParseTerms(words), Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Hits) != 1 || res.Total != 1 || !strings.HasSuffix(res.Hits[0].Ref.String(), want.ref) || len(res.Hits[0].AlsoIn) != want.also {
			t.Errorf("%s: %+v", words, res)
		}
	}
	fork := l.session("00000000-0000-4000-8000-000000003901")
	parent, err := l.db.ParentOf(t.Context(), fork.Session)
	if err != nil || parent == nil || parent.ID.Native != "00000000-0000-4000-8000-000000000039" {
		t.Errorf("parent %+v, %v", parent, err)
	}
}

// The beginning that a fork shares is summarised once.
func TestForkTakesSummariesOver(t *testing.T) {
	l := newLab(t)
	path := l.write("a.jsonl", log("a", "/srv/a", talk("zeppelin", 4)...))
	l.sync()
	l.summarize(l.user(), "a", "dirigible")
	l.sync()
	fork := strings.Replace(log("b", "/srv/a", append(talk("zeppelin", 4), "the kayak", "swims")...), `"cwd":`,
		fmt.Sprintf(`"parentSession":%q,"cwd":`, path), 1)
	l.write("b.jsonl", fork)
	l.sync()
	if s := l.session("b"); s.Pending != 0 || s.Parent != path {
		t.Errorf("session %+v", s)
	}
	if got := l.hits(lookback.Everything(), "dirigible"); len(got) != 1 {
		t.Errorf("hits %v", got)
	}
}
