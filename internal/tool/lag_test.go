package tool_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lookback/internal/index"
	"lookback/internal/testkit"
	"lookback/internal/tool"
)

// TestLag asks while another process writes the index.
func TestLag(t *testing.T) {
	home := t.TempDir()
	w := openWorld(t, home, tool.Options{CatchUp: 50 * time.Millisecond})
	path := w.put("s", "/srv/x", session("00000000-0000-4000-8000-00000000fa01", "/srv/x", append(chat(3, "lamp"), compaction("k", "k"))...))
	w.sync()
	db, err := index.Open(t.Context(), filepath.Join(home, "cache", "index.db"), index.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	writer, err := db.Writer(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	f := writable(t, path)
	f.WriteString(`{"type":"message","id":"u9","parentId":"k","timestamp":"2026-03-10T10:00:00.000Z","message":{"role":"user","content":"a newer lamp"}}` + "\n" +
		`{"type":"compaction","id":"k9","parentId":"u9","timestamp":"2026-03-10T10:00:01.000Z","summary":"x","firstKeptEntryId":"k9","tokensBefore":1}` + "\n")
	f.Close()
	c := tool.Caller{File: path, Workspace: "/srv/x"}
	var found tool.SearchResult
	began := time.Now()
	r := w.good(c, tool.Search, `{"query":"lamp"}`, &found)
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("the call waited %s", took)
	}
	if len(found.Hits) != 6 || found.Through == nil || *found.Through != 7 || !strings.Contains(found.Note, "lags") || !strings.Contains(r.Text, "lags") {
		t.Errorf("%+v", found)
	}
	// What lies before the bound is all there: nothing lags that matters.
	w.good(c, tool.Search, `{"query":"lamp","before":3}`, &found)
	if len(found.Hits) != 2 || found.Through != nil || found.Note != "" {
		t.Errorf("%+v", found)
	}
	var list tool.Found
	w.good(c, tool.Pbot, `{"action":"search","query":"lamp"}`, &list)
	if list.Total != 3 || len(list.Warnings) != 1 {
		t.Errorf("%+v", list)
	}
	var read tool.ReadResult
	w.good(c, tool.Read, `{"mode":"tail","count":1}`, &read)
	if len(read.Entries) != 1 || read.Entries[0].Text != "a newer lamp" { // from the log, never from the index
		t.Errorf("%+v", read)
	}
	writer.Close()
	for range 100 {
		if w.good(c, tool.Search, `{"query":"lamp"}`, &found); found.Through == nil {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if len(found.Hits) != 7 {
		t.Errorf("%+v", found)
	}
}

// TestArchiveOnly searches a workspace whose sessions exist in its archive only,
// with summaries that are written.
func TestArchiveOnly(t *testing.T) {
	for _, name := range []string{"plain", "pending"} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			dir := t.TempDir()
			from := filepath.Join(testkit.Root(t), "testdata", "archive", name)
			if list, _ := filepath.Glob(filepath.Join(from, "*.json")); len(list) > 0 {
				testkit.CopyTo(t, from, filepath.Join(dir, ".pi", "pbot", "history"))
			} else {
				testkit.CopyTo(t, from, dir)
			}
			c := tool.Caller{Workspace: dir}
			var list tool.Found
			w.good(c, tool.Pbot, `{"action":"search"}`, &list)
			if list.Total == 0 {
				t.Fatalf("no sessions: %+v", list)
			}
			kinds := map[string]int{}
			var walk func(id string, depth int)
			walk = func(id string, depth int) {
				var o tool.Opened
				w.good(c, tool.Pbot, map[string]any{"action": "read", "id": id}, &o)
				kinds[o.Node.Kind]++
				if o.Node.Kind == "summary" && o.Node.Ready {
					checkSummary(t, w, c, o.Node)
				}
				for _, child := range o.Node.Children {
					walk(child.ID, depth+1)
				}
			}
			for _, m := range list.Matches {
				walk(m.ID, 0)
			}
			t.Log(kinds)
		})
	}
}

// checkSummary finds a summary by its own words and reads it by its ref.
func checkSummary(t *testing.T, w *world, c tool.Caller, n tool.Node) {
	t.Helper()
	words := []rune(n.Text)
	var f tool.Found
	w.good(c, tool.Pbot, map[string]any{"action": "search", "query": strings.TrimSpace(string(words[:min(len(words), 30)]))}, &f)
	for _, m := range f.Matches {
		if m.ID != n.ID {
			continue
		}
		var o tool.Opened
		w.good(c, tool.Pbot, map[string]any{"action": "read", "id": m.Ref}, &o)
		if o.Node.ID != n.ID || m.Kind != "summary" {
			t.Errorf("%+v", o.Node)
		}
		return
	}
	t.Errorf("the summary %s is not found by %q: %+v", n.ID, string(words[:min(len(words), 30)]), f)
}
