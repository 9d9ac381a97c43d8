package tool_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"lookback/internal/tool"
)

// units counts as JavaScript does.
func units(s string) int { return len(utf16.Encode([]rune(s))) }

// TestPagesOfText reads a text with pairs in pages of every small size and puts it
// together again.
func TestPagesOfText(t *testing.T) {
	w := newWorld(t)
	w.put("s", "/srv/x", session("00000000-0000-4000-8000-00000000ee01", "/srv/x",
		said{id: "u1", role: "user", text: "a🚀b🚀🚀评"}, said{id: "a1", role: "assistant", text: "🚀"}))
	c := tool.Caller{Workspace: "/srv/x"}
	read := func(offset, limit int) tool.Node {
		var o tool.Opened
		w.good(c, tool.Pbot, map[string]any{"action": "read", "id": "pi:00000000-0000-4000-8000-00000000ee01@0:a1", "offset": offset, "limit": limit}, &o)
		return o.Node
	}
	whole := read(0, 24000)
	if whole.Text != "user:\na🚀b🚀🚀评\n\nassistant:\n🚀" || whole.NextOffset != nil || whole.TotalLength != units(whole.Text) {
		t.Fatalf("%+v", whole)
	}
	for limit := 1; limit < 9; limit++ {
		got, at := "", 0
		for {
			n := read(at, limit)
			got += n.Text
			if n.NextOffset == nil {
				break
			}
			if *n.NextOffset <= at || *n.NextOffset-at > max(limit, 2) {
				t.Fatalf("limit %d: from %d to %d", limit, at, *n.NextOffset)
			}
			at = *n.NextOffset
		}
		if got != whole.Text {
			t.Errorf("limit %d gives %q", limit, got)
		}
	}
	// "user:\na" is seven units, then a pair begins: 8 lies inside of it.
	for _, x := range []struct {
		offset, limit int
		text          string
		next          int
	}{{8, 2, "🚀", 9}, {7, 1, "🚀", 9}, {6, 2, "a", 7}, {6, 3, "a🚀", 9}, {8, 1, "🚀", 9}, {8, 3, "🚀b", 10}} {
		if n := read(x.offset, x.limit); n.Text != x.text || n.NextOffset == nil || *n.NextOffset != x.next {
			t.Errorf("offset %d limit %d: %q %v, want %q %d", x.offset, x.limit, n.Text, n.NextOffset, x.text, x.next)
		}
	}
	if n := read(whole.TotalLength, 5); n.Text != "" || n.NextOffset != nil {
		t.Errorf("at the end: %+v", n)
	}
	w.bad(c, tool.Pbot, map[string]any{"action": "read", "id": "pi:00000000-0000-4000-8000-00000000ee01@0:a1", "offset": whole.TotalLength + 1}, `"offset"`, "past the end")
}

// TestTree walks from the session down to exchanges and back, over pages of
// children, through summaries that are not written yet.
func TestTree(t *testing.T) {
	w := newWorld(t)
	list := chat(90, "lamp")
	list = append(list, said{id: "x1", parent: "a8", role: "user", text: "another way"}, said{id: "x2", role: "assistant", text: "taken"})
	w.put("s", "/srv/x", session("00000000-0000-4000-8000-00000000ee02", "/srv/x", list...))
	c := tool.Caller{Workspace: "/srv/x"}
	var found tool.Found
	w.good(c, tool.Pbot, `{"action":"search"}`, &found)
	if len(found.Matches) != 1 || found.Matches[0].Kind != "session" || found.Total != 1 || found.NextOffset != nil || found.NextCursor != nil || !found.Matches[0].Completed {
		t.Fatalf("%+v", found)
	}
	seen, pending := map[string]bool{}, 0
	var walk func(id string)
	walk = func(id string) {
		for offset := 0; ; {
			var o tool.Opened
			w.good(c, tool.Pbot, map[string]any{"action": "read", "id": id, "childrenOffset": offset}, &o)
			n := o.Node
			if n.Kind == "exchange" {
				seen[n.ID] = true
				if n.Text == "" || n.Preview == "" || n.Source.SessionID != "00000000-0000-4000-8000-00000000ee02" || len(n.Source.EntryIDs) != 2 || len(n.Children) != 0 {
					t.Errorf("%+v", n)
				}
				return
			}
			if n.Kind == "summary" {
				pending++
				if n.Ready || n.Text != "" || len(n.Warnings) == 0 || n.TotalLength != 0 || n.ParentsTotal == 0 {
					t.Errorf("%+v", n)
				}
			}
			for _, child := range n.Children {
				walk(child.ID)
			}
			if n.NextChildrenOffset == nil {
				return
			}
			offset = *n.NextChildrenOffset
		}
	}
	walk(found.Matches[0].ID)
	if len(seen) != 91 || pending == 0 {
		t.Errorf("%d exchanges, %d pending summaries", len(seen), pending)
	}
	var o tool.Opened
	w.good(c, tool.Pbot, map[string]any{"action": "read", "id": found.Matches[0].ID, "childrenOffset": 1000}, &o)
	if len(o.Node.Children) != 0 || o.Node.NextChildrenOffset != nil || o.Node.Text != found.Matches[0].Name {
		t.Errorf("%+v", o.Node)
	}
	// The beginning that two branches share has summaries of both above it.
	w.good(c, tool.Pbot, map[string]any{"action": "read", "id": "pi:00000000-0000-4000-8000-00000000ee02#1"}, &o)
	if o.Node.ParentsTotal < 1 || o.Node.Parents[0].Kind == "" {
		t.Errorf("%+v", o.Node)
	}
}

// TestStablePages follows nextCursor while newer matches come in.
func TestStablePages(t *testing.T) {
	w := newWorld(t)
	w.put("s", "/srv/x", session("00000000-0000-4000-8000-00000000ee03", "/srv/x", chat(25, "lamp")...))
	c := tool.Caller{Workspace: "/srv/x"}
	for _, match := range []string{"text", "terms"} {
		args := map[string]any{"action": "search", "query": "lamp", "match": match, "limit": 10}
		ids := []string{}
		total := 0
		for n := 0; ; n++ {
			var f tool.Found
			w.good(c, tool.Pbot, args, &f)
			if n == 0 {
				total = f.Total
			}
			for _, m := range f.Matches {
				ids = append(ids, m.ID)
			}
			if f.NextCursor == nil {
				break
			}
			if *f.NextOffset != len(ids) {
				t.Errorf("%s: nextOffset %d after %d", match, *f.NextOffset, len(ids))
			}
			w.put(fmt.Sprintf("new-%s-%d", match, n), "/srv/x", session(fmt.Sprintf("00000000-0000-4000-8000-0000000%s%04d", map[string]string{"text": "1", "terms": "2"}[match], n)+"e", "/srv/x", said{id: "n1", role: "user", text: "newer lamp"}, said{id: "n2", role: "assistant", text: "lamp"}))
			args["cursor"] = *f.NextCursor
		}
		unique := slices.Compact(slices.Sorted(slices.Values(ids)))
		if len(ids) != total || len(unique) != total {
			t.Errorf("%s: %d matches, %d of them different, total said %d", match, len(ids), len(unique), total)
		}
		w.bad(c, tool.Pbot, map[string]any{"action": "search", "query": "other", "match": match, "cursor": args["cursor"]}, `"cursor"`)
	}
	var f tool.Found
	w.good(c, tool.Pbot, `{"action":"search","query":"lamp","offset":1000}`, &f)
	if len(f.Matches) != 0 || f.NextOffset != nil || f.NextCursor != nil {
		t.Errorf("past the end: %+v", f)
	}
}

// TestMatchText finds runs of characters that no word rule finds.
func TestMatchText(t *testing.T) {
	w := newWorld(t)
	w.put("s", "/srv/x", session("00000000-0000-4000-8000-00000000ee04", "/srv/x",
		said{id: "u1", role: "user", text: "Where is TX.Draft( set?"}, said{id: "a1", role: "assistant", text: strings.Repeat("padding 🚀 ", 300) + "in next/diff.ts" + strings.Repeat(" more", 300)}))
	c := tool.Caller{Workspace: "/srv/x"}
	var f tool.Found
	for _, q := range []string{"x.draft(", "  tx.d  ", "DIFF.TS", "ext/dif", "🚀 p"} {
		w.good(c, tool.Pbot, map[string]any{"action": "search", "query": q}, &f)
		if f.Total != 1 || len(f.Matches) != 1 || units(f.Matches[0].Snippet) > 400 || units(f.Matches[0].Preview) > 100 ||
			!strings.Contains(strings.ToLower(f.Matches[0].Snippet), strings.ToLower(strings.TrimSpace(q))) {
			t.Errorf("%q: %+v", q, f)
			continue
		}
		if m := f.Matches[0]; m.Kind != "exchange" || m.SessionID == "" || m.From == nil || !strings.HasPrefix(m.Preview, "user: Where") || m.Ref != "pi:00000000-0000-4000-8000-00000000ee04@0:a1" {
			t.Errorf("%+v", m)
		}
	}
	w.good(c, tool.Pbot, `{"action":"search","query":"draft set","match":"text"}`, &f)
	if f.Total != 0 || len(f.Related) != 0 {
		t.Errorf("%+v", f)
	}
	w.good(c, tool.Pbot, `{"action":"search","query":"draft rudder","match":"terms"}`, &f)
	if len(f.Matches) != 0 || len(f.Related) != 1 || !slices.Equal(f.Related[0].Lacks, []string{"rudder"}) {
		t.Errorf("%+v", f)
	}
}

// TestGoneBetween deletes a session, then the index, between search and read.
func TestGoneBetween(t *testing.T) {
	w := newWorld(t)
	path := w.put("s", "/srv/x", session("00000000-0000-4000-8000-00000000ee05", "/srv/x", chat(3, "lamp")...))
	c := tool.Caller{Workspace: "/srv/x"}
	var f tool.Found
	w.good(c, tool.Pbot, `{"action":"search","query":"lamp"}`, &f)
	os.Remove(path)
	var o tool.Opened
	w.good(c, tool.Pbot, map[string]any{"action": "read", "id": f.Matches[0].ID}, &o)
	if !strings.Contains(o.Node.Text, "lamp") {
		t.Errorf("the archive does not serve: %+v", o)
	}
}

// TestIndexFaults answers where the index is missing, damaged or cannot be written.
func TestIndexFaults(t *testing.T) {
	content := session("00000000-0000-4000-8000-00000000ee06", "/srv/x", append(chat(3, "lamp"), compaction("k", "k"))...)
	for name, harm := range map[string]func(t *testing.T, index string){
		"missing": func(t *testing.T, index string) {},
		"no database": func(t *testing.T, index string) {
			os.MkdirAll(filepath.Dir(index), 0o700)
			os.WriteFile(index, []byte(strings.Repeat("this is no database ", 500)), 0o600)
		},
		"a directory in the way": func(t *testing.T, index string) {
			os.MkdirAll(filepath.Dir(filepath.Dir(index)), 0o700)
			os.WriteFile(filepath.Dir(index), []byte("a file"), 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			harm(t, filepath.Join(home, "cache", "index.db"))
			w := openWorld(t, home, tool.Options{CatchUp: 20e9})
			path := w.put("s", "/srv/x", content)
			c := tool.Caller{File: path, Workspace: "/srv/x"}
			var r tool.ReadResult
			w.good(c, tool.Read, `{"mode":"tail"}`, &r)
			var found tool.SearchResult
			w.good(c, tool.Search, `{"query":"lamp"}`, &found)
			var f tool.Found
			w.good(c, tool.Pbot, `{"action":"search","query":"lamp"}`, &f)
			if len(r.Entries) != 6 || len(found.Hits) != 6 || f.Total != 3 {
				t.Errorf("%d rows, %d hits, %d matches", len(r.Entries), len(found.Hits), f.Total)
			}
		})
	}
}
