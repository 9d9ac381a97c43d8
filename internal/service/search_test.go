package service

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lookback"
	"lookback/internal/archive"
	"lookback/internal/ingest"
	"lookback/internal/testkit"
)

// R01: pages stay whole while the index grows.
func TestPagingWhileTheIndexGrows(t *testing.T) {
	l := newLab(t)
	l.write("s.jsonl", log("s", "/srv/a", talk("zeppelin", 60)...))
	l.sync()
	for _, newest := range []bool{false, true} {
		seen := map[string]int{}
		r := Request{Scope: lookback.Everything(), Query: lookback.ParseTerms("zeppelin"), Limit: 20, Newest: newest}
		for page := range 3 {
			res, err := l.Search(t.Context(), r)
			if err != nil || len(res.Hits) != 20 {
				t.Fatalf("page %d: %d hits, %v", page, len(res.Hits), err)
			}
			for _, h := range res.Hits {
				seen[h.Ref.String()]++
			}
			if r.Cursor = res.Next; page == 0 {
				name := fmt.Sprint("more", newest)
				l.write(name+".jsonl", log(name, "/srv/a", talk("zeppelin zeppelin", 30)...))
				l.sync()
			}
		}
		for n := range 60 {
			key := fmt.Sprintf("pi:s@0:e%d", 2*n+2)
			if seen[key] != 1 && !newest {
				t.Errorf("%s came %d times", key, seen[key])
			}
		}
		if len(seen) != 60 {
			t.Errorf("newest %v: %d different hits on three pages", newest, len(seen))
		}
	}
}

// R02: the scope bounds before rank and limit.
func TestBoundsComeBeforeRank(t *testing.T) {
	l := newLab(t)
	for i := range 10 {
		l.write(fmt.Sprintf("b%d.jsonl", i), log(fmt.Sprint("b", i), "/srv/b", talk("zeppelin zeppelin zeppelin", 100)...))
	}
	l.write("a.jsonl", log("a", "/srv/a", "long words before the zeppelin "+strings.Repeat("and much after it ", 50), "flies",
		"again words before the zeppelin "+strings.Repeat("and much after it ", 50), "so"))
	l.sync()
	res, err := l.Search(t.Context(), Request{Scope: lookback.InWorkspace("/srv/a"), Query: lookback.ParseTerms("zeppelin"), Limit: 5})
	if err != nil || len(res.Hits) != 2 || res.Total != 2 || res.AtLeast || res.Next != "" {
		t.Errorf("results %+v, %v", res, err)
	}
}

// R05: what another process is about to write is told of, and found afterwards.
func TestStaleIndexIsAnnounced(t *testing.T) {
	l := newLab(t)
	l.write("s.jsonl", log("s", "/srv/a", "the zeppelin", "flies"))
	l.sync()
	before, err := l.Check(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	w, err := l.db.Writer(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	l.append("s.jsonl", turns(3, "the kayak", "swims"))
	notes, _, err := l.Refresh(t.Context(), SyncOptions{})
	if err != nil || len(notes) != 1 || !strings.Contains(notes[0], "newer entries") {
		t.Errorf("notes %q, %v", notes, err)
	}
	l.wantHits(lookback.Everything(), "kayak")
	w.Close()
	h, err := l.Check(t.Context(), false)
	if err != nil || !h.Synced.Equal(before.Synced) || h.Agents[0].Stale != 1 {
		t.Errorf("health %+v, %v", h, err)
	}
	// A sync of one file makes nobody believe that all is up to date.
	if err := l.syncNear(t.Context(), ingest.Near{File: l.native("s.jsonl")}); err != nil {
		t.Fatal(err)
	}
	if h, err = l.Check(t.Context(), false); err != nil || !h.Synced.Equal(before.Synced) {
		t.Errorf("synced %v, was %v, %v", h.Synced, before.Synced, err)
	}
	l.wantHits(lookback.Everything(), "kayak", "pi:s@0:e4")
	if notes, _, err := l.Refresh(t.Context(), SyncOptions{}); err != nil || len(notes) > 0 {
		t.Errorf("notes %q, %v", notes, err)
	}
}

// D03: a damaged index is built again from sessions and archive.
func TestDamagedIndexIsBuiltAgain(t *testing.T) {
	for name, use := range map[string]func(*lab) error{
		"search": func(l *lab) error {
			_, err := l.Search(l.t.Context(), Request{Scope: lookback.Everything(), Query: lookback.ParseTerms("zeppelin"), Limit: 1000})
			return err
		},
		"sync": func(l *lab) error {
			_, err := l.Sync(l.t.Context(), SyncOptions{Rescan: true, Wait: true})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			for i := range 12 {
				l.write(fmt.Sprintf("%d.jsonl", i), log(fmt.Sprint("s", i), "/srv/a", talk(fmt.Sprint("zeppelin ", i), 8)...))
			}
			l.sync()
			l.summarize(archive.Open(l.c.Archive), "dirigible")
			l.sync()
			l.Close()
			snap := testkit.Snapshot(t, l.c.Archive)
			info, err := os.Stat(l.c.Index)
			if err != nil {
				t.Fatal(err)
			}
			f, err := os.OpenFile(l.c.Index, os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			for at := int64(8192); at+12000 < info.Size(); at += 20000 {
				if _, err := f.WriteAt([]byte(strings.Repeat("\xa5", 12000)), at); err != nil {
					t.Fatal(err)
				}
			}
			f.Close()
			l.open()
			if err := use(l); err != nil {
				t.Fatal(err)
			}
			l.sync() // it may have been found damaged as early as it was opened
			if !strings.Contains(l.Notice(), "damaged") {
				t.Errorf("notice %q", l.Notice())
			}
			snap.Same(t)
			if n := l.find(lookback.Everything(), "zeppelin").Total; n != 96 {
				t.Errorf("%d hits", n)
			}
			if n := l.find(lookback.Everything(), "dirigible").Total; n != 24 {
				t.Errorf("%d summaries", n)
			}
			if h, err := l.Check(t.Context(), true); err != nil || h.Pending != 0 || len(h.Problems) > 0 {
				t.Errorf("health %+v, %v", h, err)
			}
		})
	}
}

func TestCancelledIsNoNote(t *testing.T) {
	l := newLab(t)
	l.write("s.jsonl", log("s", "/srv/a", "q", "a"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := l.Refresh(ctx, SyncOptions{}); !errors.Is(err, ctx.Err()) {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(filepath.Join(l.dir, "data")); err == nil {
		t.Error("something was written")
	}
}
