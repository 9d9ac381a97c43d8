package tool_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lookback"
	"lookback/internal/testkit"
	"lookback/internal/tool"
)

// TestFixtures holds every conversation tool on every Pi fixture and every tip to
// the rules, computed here anew from the log.
func TestFixtures(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testkit.Root(t), "testdata", "pi", "*.jsonl"))
	if err != nil || len(files) < 20 {
		t.Fatal(err, len(files))
	}
	w := newWorld(t)
	paths := map[string]string{}
	for _, f := range files {
		paths[f] = w.putFile(f)
	}
	w.sync()
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			w.t = t
			_, in := w.ids(paths[f])
			if in.None {
				w.bad(file(paths[f]), tool.Read, `{"mode":"tail"}`, "no session")
				return
			}
			for _, tip := range lookback.Tips(in.Log.Entries) {
				checkTip(t, w, paths[f], in.Log.Entries, tip)
			}
			checkTip(t, w, paths[f], in.Log.Entries, 0)
		})
	}
}

// checkTip compares tail, range, items and search at one tip with the log.
func checkTip(t *testing.T, w *world, path string, entries []lookback.Entry, tip int) {
	c := file(path)
	leaf := len(entries)
	if tip != 0 {
		leaf = tip
		c.Leaf = entries[tip-1].ID
		for _, e := range entries[tip:] {
			if e.ID == c.Leaf {
				return // an id used twice means the later entry
			}
		}
	}
	line := lookback.Path(entries, leaf)
	b := lookback.LastBoundary(entries, line)
	var all, before []int
	for _, seq := range line {
		if e := &entries[seq-1]; e.Spoken() || e.Cut != nil {
			all = append(all, seq)
		}
	}
	if b != nil {
		for _, seq := range all {
			if slices.Index(line, seq) < slices.Index(line, b.Entry) {
				before = append(before, seq)
			}
		}
	}
	var tail tool.ReadResult
	w.good(c, tool.Read, `{"mode":"tail","count":20}`, &tail)
	if got := entryList(tail.Entries); !slices.Equal(got, before) {
		t.Errorf("tail at %d: %v, want %v", leaf, got, before)
	}
	if (b == nil) != strings.Contains(tail.Note, "no boundary") {
		t.Errorf("note %q, boundary %v", tail.Note, b)
	}
	var got []int
	args := map[string]any{"mode": "range", "from": line[0], "limit": 3}
	for range len(all) + 2 {
		var page tool.ReadResult
		w.good(c, tool.Read, args, &page)
		got = append(got, entryList(page.Entries)...)
		if page.Next == "" {
			break
		}
		args = map[string]any{"mode": "range", "limit": 3, "cursor": page.Next}
	}
	if !slices.Equal(got, all) {
		t.Errorf("range at %d: %v, want %v", leaf, got, all)
	}
	for i, seq := range all {
		var r tool.ReadResult
		w.good(c, tool.Read, map[string]any{"mode": "items", "entries": []int{seq}, "around": 1}, &r)
		if want := all[max(0, i-1):min(len(all), i+2)]; !slices.Equal(entryList(r.Entries), want) {
			t.Errorf("around %d: %v, want %v", seq, entryList(r.Entries), want)
		}
	}
	checkSearchAt(t, w, c, entries, line, before)
}

// checkSearchAt looks up a word of every entry before the boundary.
func checkSearchAt(t *testing.T, w *world, c tool.Caller, entries []lookback.Entry, line, before []int) {
	for _, seq := range line {
		e := &entries[seq-1]
		fields := strings.Fields(e.Words())
		if !e.Spoken() || len(fields) == 0 {
			continue
		}
		var found tool.SearchResult
		w.good(c, tool.Search, map[string]any{"query": fields[0], "limit": 20}, &found)
		for _, h := range slices.Concat(found.Hits, found.Related) {
			if !slices.Contains(before, h.Entry) {
				t.Errorf("search for %q gives entry %d, which is not before the boundary", fields[0], h.Entry)
			}
		}
		if slices.Contains(before, seq) && !found.More && len(found.Hits) == 0 && strings.Trim(fields[0], "[]{}(),.") == fields[0] {
			t.Errorf("search for %q does not find entry %d: %+v", fields[0], seq, found)
		}
	}
}

// TestAgreesWithPi holds the end of the tail to what Pi says a compaction put out
// of context.
func TestAgreesWithPi(t *testing.T) {
	w := newWorld(t)
	files, err := filepath.Glob(filepath.Join(testkit.Root(t), "testdata", "pi", "*.truth.json"))
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, f := range files {
		var truth struct {
			Tips []struct {
				Tip              string
				LatestCompaction *struct{ Entry string }
				OutOfContext     []string
			}
		}
		if err := json.Unmarshal(testkit.ReadFile(t, f), &truth); err != nil {
			t.Fatal(err)
		}
		path := w.putFile(strings.TrimSuffix(f, ".truth.json") + ".jsonl")
		seqs, in := w.ids(path)
		for _, tip := range truth.Tips {
			last := 0
			for _, id := range tip.OutOfContext {
				if seq := seqs[id]; seq != 0 && in.Log.Entries[seq-1].Spoken() {
					last = seq
				}
			}
			if tip.LatestCompaction == nil || last == 0 {
				continue
			}
			checked++
			var r tool.ReadResult
			w.good(tool.Caller{File: path, Leaf: tip.Tip}, tool.Read, `{"mode":"tail","count":1}`, &r)
			if len(r.Entries) == 0 || r.Entries[0].Entry != last {
				t.Errorf("%s at %s: the tail is %+v, Pi says %d left the context last", filepath.Base(f), tip.Tip, r.Entries, last)
			}
		}
	}
	if checked < 4 {
		t.Errorf("only %d tips with a compaction", checked)
	}
}

func TestRowsAndStatuses(t *testing.T) {
	w := newWorld(t)
	call := func(id, name string) string {
		return `{"type":"toolCall","id":"` + id + `","name":"` + name + `","arguments":{"secret":"ARGUMENT"}}`
	}
	result := func(id, parent, callID string, failed bool) said {
		return said{id: id, parent: parent, role: "raw", text: fmt.Sprintf(`"type":"message","message":{"role":"toolResult","toolCallId":%q,"toolName":"x","isError":%t,"content":[{"type":"text","text":"RESULT of mcp__lookback__history_search"}]}`, callID, failed)}
	}
	path := w.put("s", "/srv/x", session("00000000-0000-4000-8000-00000000aa01", "/srv/x",
		said{id: "u1", role: "user", text: "go"},
		said{id: "a1", role: "assistant", extra: `,"stopReason":"toolUse","content":[{"type":"thinking","thinking":"SECRETTHOUGHT"},{"type":"text","text":"I look"},` + call("c1", "read") + "," + call("c2", "mcp__lookback__history_search") + `]`},
		result("r1", "", "c1", false), result("r2", "", "c2", true),
		said{id: "a2", role: "assistant", extra: `,"stopReason":"toolUse","content":[` + call("c3", "bash") + `]`},
		said{id: "u2", role: "user", text: "stop that"},
		said{id: "a3", role: "assistant", extra: `,"stopReason":"aborted","content":[` + call("c4", "bash") + `]`},
		said{id: "u3", role: "user", text: "once more"},
		said{id: "a4", role: "assistant", extra: `,"stopReason":"toolUse","content":[{"type":"text","text":"Now"},` + call("c5", "edit") + `]`},
	))
	var r tool.ReadResult
	res := w.good(file(path), tool.Read, `{"mode":"range","from":1}`, &r)
	var got []string
	for _, row := range r.Entries {
		s := fmt.Sprintf("%d %s %q", row.Entry, row.Role, row.Text)
		if row.Tool != nil {
			s = fmt.Sprintf("%d %s: %s", row.Entry, row.Tool.Name, row.Tool.Status)
		}
		got = append(got, s)
	}
	want := []string{`1 user "go"`, `2 assistant "[thinking]\nI look"`, "2 read: ok", "2 mcp__lookback__history_search: error", "5 bash: aborted",
		`6 user "stop that"`, "7 bash: aborted", `8 user "once more"`, `9 assistant "Now"`, "9 edit: pending"}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	all, _ := json.Marshal(res)
	for _, secret := range []string{"ARGUMENT", "RESULT", "SECRETTHOUGHT"} {
		if strings.Contains(string(all), secret) {
			t.Errorf("%s is shown", secret)
		}
	}
	if r.Entries[1].Entry != 2 {
		t.Error("the rows of an entry do not share its number")
	}
	w.bad(file(path), tool.Read, `{"mode":"items","entries":[3]}`, "no words")
	w.good(file(path), tool.Read, `{"mode":"items","entries":[1,3,77]}`, &r)
	if !slices.Equal(r.Missing, []int{3, 77}) {
		t.Errorf("missing %v", r.Missing)
	}
}

func TestSeveralBoundaries(t *testing.T) {
	w := newWorld(t)
	list := append(chat(3, "mast lamp"), compaction("k1", "u3"), said{id: "u4", role: "user", text: "Question 4 about the keel"}, said{id: "a4", role: "assistant", text: "Answer 4"},
		compaction("k2", "k2", `,"details":{"kind":"handoff"}`), said{id: "u5", role: "user", text: "Question 5"}, said{id: "a5", role: "assistant", text: "Answer 5"})
	path := w.put("s", "/srv/x", session("00000000-0000-4000-8000-00000000aa02", "/srv/x", list...))
	var r tool.ReadResult
	res := w.good(file(path), tool.Read, `{"mode":"tail","count":3}`, &r)
	if got := entryList(r.Entries); !slices.Equal(got, []int{6, 7, 8, 9}) { // the compaction is shown and not counted
		t.Errorf("tail %v", got)
	}
	if r.Entries[1].Role != "compaction" || r.Entries[1].Text != "" || strings.Contains(res.Text, "Recap text") {
		t.Errorf("the compaction: %+v\n%s", r.Entries[1], res.Text)
	}
	w.good(file(path), tool.Read, `{"mode":"items","entries":[10]}`, &r)
	if r.Entries[0].Role != "handoff" || r.Entries[0].Text != "Recap text" {
		t.Errorf("the handoff: %+v", r.Entries[0])
	}
	var found tool.SearchResult
	w.good(file(path), tool.Search, `{"query":"recap"}`, &found)
	if len(found.Hits) != 0 {
		t.Errorf("the text of a boundary is found: %+v", found.Hits)
	}
	w.good(file(path), tool.Search, `{"query":"question","before":4}`, &found)
	if len(found.Hits) != 2 {
		t.Errorf("before 4: %+v", found.Hits)
	}
	w.good(file(path), tool.Search, `{"query":"question","limit":1}`, &found)
	if len(found.Hits) != 1 || !found.More {
		t.Errorf("limit 1: %+v", found)
	}
	// At an entry between the two boundaries the first one counts.
	w.good(tool.Caller{File: path, Leaf: "a4"}, tool.Read, `{"mode":"tail","count":20}`, &r)
	if got := entryList(r.Entries); !slices.Equal(got, []int{1, 2, 3, 4}) {
		t.Errorf("tail at a4: %v", got)
	}
}

func TestSessionStillBeingWritten(t *testing.T) {
	w := newWorld(t)
	list := append(chat(2, "mast lamp"), compaction("k1", "k1"))
	content := session("00000000-0000-4000-8000-00000000aa03", "/srv/x", list...)
	path := w.put("s", "/srv/x", content)
	var found tool.SearchResult
	w.good(file(path), tool.Search, `{"query":"lamp"}`, &found) // nothing was synced before
	if len(found.Hits) != 4 {
		t.Errorf("%+v", found)
	}
	f := writable(t, path)
	f.WriteString(`{"type":"message","id":"u9","parentId":"k1","timestamp":"2026-03-10T10:00:00.000Z","message":{"role":"user","content":"about the rudder"}}` + "\n")
	f.WriteString(`{"type":"compaction","id":"k9","parentId":"u9","timestamp":"2026-03-10T10:00:01.000Z","summary":"x","firstKeptEntryId":"k9","tokensBefore":1}` + "\n")
	f.WriteString(`{"type":"message","id":"u10","parentId":"k9","timestamp":"2026-03-10T10:00`) // cut off
	f.Close()
	w.good(file(path), tool.Search, `{"query":"rudder"}`, &found)
	if len(found.Hits) != 1 || found.Hits[0].Entry != 6 || found.Through != nil {
		t.Errorf("%+v", found)
	}
	// Gone: a refusal, not the words of somebody else.
	os.Remove(path)
	w.bad(file(path), tool.Search, `{"query":"rudder"}`, "does not exist")
	w.bad(tool.Caller{Session: "00000000-0000-4000-8000-00000000aa03"}, tool.Read, `{"mode":"tail"}`, "does not exist")
	w.bad(tool.Caller{}, tool.Read, `{"mode":"tail"}`, "--session")
}
