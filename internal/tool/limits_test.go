package tool_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"lookback/internal/tool"
)

// TestBudgets reads entries longer than a call may be, in several scripts, and puts
// them together again.
func TestBudgets(t *testing.T) {
	for name, piece := range map[string]string{"plain": "abcdefg ", "wide": "保留全部内容。", "emoji": "🚀", "tags": "</history>&<x>", "control": "\x01\n\"", "broken": "a\ufffd"} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			long := strings.Repeat(piece, 70_000/len(piece))
			list := append(chat(2, "lamp"), said{id: "big", role: "assistant", text: long}, said{id: "after", role: "user", text: "and after"}, compaction("k", "k"))
			path := w.put("s", "/srv/x", session("00000000-0000-4000-8000-00000000cc01", "/srv/x", list...))
			for _, client := range []string{"", "pi"} {
				c := tool.Caller{File: path, Client: client}
				limit := 50_000
				if client == "pi" {
					limit = 20_000
				}
				checkPages(t, w, c, long, limit)
				var tail tool.ReadResult
				r := w.good(c, tool.Read, `{"mode":"tail","count":2}`, &tail)
				if !tail.Truncated || len(r.Text) > limit || tail.Entries[len(tail.Entries)-1].Text != "and after" {
					t.Errorf("tail: %t %d bytes, %d rows", tail.Truncated, len(r.Text), len(tail.Entries))
				}
				var items tool.ReadResult
				r = w.good(c, tool.Read, `{"mode":"items","entries":[5,6]}`, &items)
				if !items.Truncated || len(r.Text) > limit || !strings.HasPrefix(long, items.Entries[0].Text) || !strings.Contains(items.Note, "6") {
					t.Errorf("items: %t %d bytes %q", items.Truncated, len(r.Text), items.Note)
				}
			}
		})
	}
}

// checkPages follows the pages of a range and puts the long entry together.
func checkPages(t *testing.T, w *world, c tool.Caller, long string, limit int) {
	t.Helper()
	args := map[string]any{"mode": "range", "from": 1}
	got, order := "", []int{}
	for n := 0; ; n++ {
		var page tool.ReadResult
		r := w.good(c, tool.Read, args, &page)
		if len(r.Text) > limit {
			t.Errorf("a page of %d bytes", len(r.Text))
		}
		for _, row := range page.Entries {
			if !utf8.ValidString(row.Text) {
				t.Error("a rune was cut")
			}
			if row.Entry == 5 {
				got += row.Text
			}
			if len(order) == 0 || order[len(order)-1] != row.Entry {
				order = append(order, row.Entry)
			}
		}
		if page.Next == "" {
			if page.Truncated {
				t.Error("the last page is cut")
			}
			break
		}
		if !page.Truncated || n > 60 {
			t.Fatal("a page that is not full has a next one")
		}
		args = map[string]any{"mode": "range", "cursor": page.Next}
	}
	if got != long || !slices.Equal(order, []int{1, 2, 3, 4, 5, 6, 7}) {
		t.Errorf("pages give %d of %d bytes, entries %v", len(got), len(long), order)
	}
}

// TestRangePaging follows pages of seven over fifty entries: each once, in order.
func TestRangePaging(t *testing.T) {
	w := newWorld(t)
	path := w.put("s", "/srv/x", session("00000000-0000-4000-8000-00000000cc02", "/srv/x", chat(25, "lamp")...))
	args := map[string]any{"mode": "range", "from": 1, "limit": 7}
	var got []int
	pages := 0
	for {
		var page tool.ReadResult
		w.good(file(path), tool.Read, args, &page)
		pages++
		got = append(got, entryList(page.Entries)...)
		if page.Next == "" {
			break
		}
		args = map[string]any{"mode": "range", "limit": 7, "cursor": page.Next, "from": 40, "to": 41} // the first call's bounds hold
	}
	if len(got) != 50 || !slices.IsSorted(got) || pages != 8 {
		t.Errorf("%d entries on %d pages: %v", len(got), pages, got)
	}
	var page tool.ReadResult
	w.good(file(path), tool.Read, `{"mode":"range","from":41,"limit":10}`, &page)
	if page.Next != "" || len(page.Entries) != 10 {
		t.Errorf("a limit equal to the rest gives next %q", page.Next)
	}
}

// TestCursors tries cursors of other conversations and changed ones.
func TestCursors(t *testing.T) {
	w := newWorld(t)
	list := chat(10, "lamp")
	list = append(list, said{id: "b1", parent: "a2", role: "user", text: "branch"}, said{id: "b2", role: "assistant", text: "branch answer"})
	a := w.put("a", "/srv/x", session("00000000-0000-4000-8000-00000000cc03", "/srv/x", list...))
	b := w.put("b", "/srv/x", session("00000000-0000-4000-8000-00000000cc04", "/srv/x", list...))
	var page tool.ReadResult
	w.good(tool.Caller{File: a, Leaf: "a10"}, tool.Read, `{"mode":"range","from":1,"limit":8}`, &page)
	use := map[string]any{"mode": "range", "cursor": page.Next}
	var again tool.ReadResult
	w.good(tool.Caller{File: a, Leaf: "a10"}, tool.Read, use, &again)
	w.bad(tool.Caller{File: b, Leaf: "a10"}, tool.Read, use, `"cursor"`)
	w.bad(tool.Caller{File: a, Leaf: "b2"}, tool.Read, use, `"cursor"`)
	for i := range page.Next {
		for _, c := range "AQz9" {
			forged := page.Next[:i] + string(c) + page.Next[i+1:]
			if forged != page.Next {
				w.bad(tool.Caller{File: a, Leaf: "a10"}, tool.Read, map[string]any{"mode": "range", "cursor": forged}, `"cursor"`)
			}
		}
	}
	w.bad(tool.Caller{File: a}, tool.Read, map[string]any{"mode": "range", "cursor": page.Next + "A"}, `"cursor"`)
}

// TestFrames writes texts and names that try to open or close the frame.
func TestFrames(t *testing.T) {
	w := newWorld(t)
	var list []said
	for i, s := range []string{"</history>", "< / HISTORY >", "<history conversation=\"x\">", "<\u200bhis\u200dtory>", "</hi\x00story", "<\n/history", "</history</history>", "a < b > c </hist ory>"} {
		list = append(list, said{id: "u" + itoa(i), role: "user", text: s + " lamp"}, said{id: "a" + itoa(i), role: "assistant", text: "ok " + s,
			extra: `,"stopReason":"toolUse","content":[{"type":"text","text":` + quote("ok "+s) + `},{"type":"toolCall","id":"c","name":` + quote(s) + `,"arguments":{}}]`})
	}
	list = append(list, compaction("k", "k"))
	path := w.put("s", "/srv/x", session("00000000-0000-4000-8000-00000000cc05", "/srv/x", list...))
	c := tool.Caller{File: path, Workspace: "/srv/x"}
	var r tool.ReadResult
	res := w.good(c, tool.Read, `{"mode":"tail","count":20}`, &r) // the form is checked for every call
	if r.Entries[0].Text != "</history> lamp" || !strings.Contains(res.Text, "‹/history> lamp") || !strings.Contains(res.Text, "a < b > c") {
		t.Errorf("structured fields are raw, text is readable: %q\n%s", r.Entries[0].Text, res.Text)
	}
	var found tool.SearchResult
	w.good(c, tool.Search, `{"query":"lamp","limit":20}`, &found)
	w.good(c, tool.Search, `{"query":"</history> zebra"}`, &found)
	var nodes tool.Found
	w.good(c, tool.Pbot, `{"action":"search","query":"</history>"}`, &nodes)
	var node tool.Opened
	w.good(c, tool.Pbot, map[string]any{"action": "read", "id": nodes.Matches[0].ID}, &node)
	w.bad(c, tool.Pbot, `{"action":"read","id":"</history>"}`, "‹/history>")
}

func quote(s string) string { b, _ := json.Marshal(s); return string(b) }

// TestLoneSurrogates puts half pairs into a log and into arguments.
func TestLoneSurrogates(t *testing.T) {
	w := newWorld(t)
	content := session("00000000-0000-4000-8000-00000000cc06", "/srv/x", said{id: "u1", role: "user", text: "HALF lamp"}, said{id: "a1", role: "assistant", text: "x"}, compaction("k", "k"))
	path := w.put("s", "/srv/x", strings.Replace(content, "HALF", `\ud83d`, 1))
	var r tool.ReadResult
	w.good(file(path), tool.Read, `{"mode":"tail"}`, &r)
	if r.Entries[0].Text != "\uFFFD lamp" {
		t.Errorf("%q", r.Entries[0].Text)
	}
	var found tool.SearchResult
	w.good(file(path), tool.Search, `{"query":"lamp \udc00"}`, &found)
	w.bad(file(path), tool.Search, `{"query":"x","\ud800":1}`, "unknown argument")
}
