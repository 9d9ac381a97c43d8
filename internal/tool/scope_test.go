package tool_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"lookback/internal/tool"
)

// outsider is a text that ranks above every other for the words of the tests.
const outsider = "OUTSIDER lamp lamp lamp relay relay"

// TestScope lays a better-ranked outsider beside every way in: in another session,
// on another branch, after the bound, in a fork, in another workspace; and looks it
// up so that it would be a full match, and so that it would be a related one.
func TestScope(t *testing.T) {
	w := newWorld(t)
	inside := []said{{id: "u1", role: "user", text: "one lamp among many other words that make this text long and its rank low"},
		{id: "a1", role: "assistant", text: "the relay of the lamp is described here with many words that say nothing much"}}
	mine := w.put("mine", "/srv/x", session("00000000-0000-4000-8000-00000000dd01", "/srv/x", append(append([]said{}, inside...),
		said{id: "ob", parent: "a1", role: "user", text: outsider + " branch"}, said{id: "ob2", role: "assistant", text: outsider + " branch answer"},
		said{id: "k1", parent: "a1", role: "raw", text: `"type":"compaction","summary":"` + outsider + `","firstKeptEntryId":"k1","tokensBefore":1`},
		said{id: "oa", role: "user", text: outsider + " after the bound"}, said{id: "oa2", role: "assistant", text: outsider + " answer after it"})...))
	for i, cwd := range []string{"/srv/x", "/srv/x/below", "/srv/xy", "/srv/y", "/srv"} {
		id := fmt.Sprintf("00000000-0000-4000-8000-00000000dd1%d", i)
		w.put("other"+itoa(i), cwd, session(id, cwd, said{id: "o1", role: "user", text: outsider}, said{id: "o2", role: "assistant", text: outsider}))
	}
	// A fork: the same beginning under the same ids, then words of its own.
	w.put("fork", "/srv/x", strings.Replace(session("00000000-0000-4000-8000-00000000dd21", "/srv/x", append(append([]said{}, inside...),
		said{id: "f1", role: "user", text: outsider + " fork"}, said{id: "f2", role: "assistant", text: outsider + " fork"})...),
		`"cwd"`, `"parentSession":`+quote(mine)+`,"cwd"`, 1))
	w.sync()
	for _, leaf := range []string{"", "oa2", "k1"} {
		c := tool.Caller{File: mine, Leaf: leaf, Workspace: "/srv/x"}
		for _, q := range []string{"lamp", "relay lamp", "OUTSIDER", "lamp OUTSIDER", "lamp zebra", "OUTS*", `"lamp lamp"`, "outsidr"} {
			for _, limit := range []int{1, 20} {
				var found tool.SearchResult
				r := w.good(c, tool.Search, map[string]any{"query": q, "limit": limit}, &found)
				noOutsider(t, q, r)
				if strings.HasPrefix(q, "lamp") && len(found.Hits)+len(found.Related) == 0 {
					t.Errorf("%q finds nothing: %+v", q, found)
				}
			}
		}
		for _, args := range []string{`{"mode":"tail","count":20}`, `{"mode":"items","entries":[1],"around":1}`, `{"mode":"range","from":1,"to":2}`} {
			var r tool.ReadResult
			noOutsider(t, args, w.good(c, tool.Read, args, &r))
		}
		w.bad(c, tool.Read, `{"mode":"items","entries":[3,4]}`, "3, 4")
		w.bad(c, tool.Read, `{"mode":"range","from":3}`, `"from"`)
		w.bad(c, tool.Search, `{"query":"lamp","before":4}`, `"before"`)
	}
	// On the other branch there is no boundary.
	var found tool.SearchResult
	w.good(tool.Caller{File: mine, Leaf: "ob2"}, tool.Search, `{"query":"lamp"}`, &found)
	if len(found.Hits)+len(found.Related) != 0 || !strings.Contains(found.Note, "before") {
		t.Errorf("%+v", found)
	}
}

func noOutsider(t *testing.T, what string, r tool.Result) {
	t.Helper()
	b, _ := json.Marshal(r)
	text := string(b)
	if i := strings.Index(text, "Found nowhere"); i >= 0 { // names the caller's own terms
		text = text[:i]
	}
	if strings.Contains(text, "OUTSIDER lamp") {
		t.Errorf("%s shows an outsider: %s", what, r.Text)
	}
}

// TestWorkspaceScope looks for what lies in other workspaces by every argument.
func TestWorkspaceScope(t *testing.T) {
	w := newWorld(t)
	w.put("in", "/srv/x", session("00000000-0000-4000-8000-00000000de01", "/srv/x", said{id: "u1", role: "user", text: "one lamp among many other words"}, said{id: "a1", role: "assistant", text: "a relay"}))
	w.put("below", "/srv/x/below", session("00000000-0000-4000-8000-00000000de02", "/srv/x/below", said{id: "u1", role: "user", text: "a lamp below"}, said{id: "a1", role: "assistant", text: "yes"}))
	const foreign = "00000000-0000-4000-8000-00000000de99"
	for i, cwd := range []string{"/srv/y", "/srv/xy", "/srv"} {
		id := foreign
		if i > 0 {
			id = fmt.Sprintf("00000000-0000-4000-8000-00000000de1%d", i)
		}
		w.put("other"+itoa(i), cwd, session(id, cwd, said{id: "o1", role: "user", text: outsider}, said{id: "o2", role: "assistant", text: outsider}))
	}
	w.sync()
	var there tool.Found
	w.good(tool.Caller{Workspace: "/srv/y"}, tool.Pbot, `{"action":"search","query":"OUTSIDER"}`, &there)
	if len(there.Matches) != 1 {
		t.Fatalf("%+v", there)
	}
	c := tool.Caller{Workspace: "/srv/x"}
	for _, args := range []string{
		`{"action":"search"}`, `{"action":"search","query":"lamp"}`, `{"action":"search","query":"OUTSIDER"}`, `{"action":"search","query":"lamp","match":"terms"}`,
		`{"action":"search","query":"lamp zebra","match":"terms"}`, `{"action":"search","query":"OUTSIDER lamp","match":"terms"}`,
		`{"action":"search","query":"lamp","offset":100}`, `{"action":"search","query":"outsidr","match":"terms"}`,
		`{"action":"search","query":"lamp","limit":1}`, `{"action":"search","sessionId":"` + foreign + `"}`,
		`{"action":"search","query":"lamp","sessionId":"` + foreign + `"}`, `{"action":"search","sessionId":"pi:` + foreign + `","from":"2000-01-01"}`,
	} {
		var found tool.Found
		r := w.good(c, tool.Pbot, args, &found)
		noOutsider(t, args, r)
		if found.Total > 2 {
			t.Errorf("%s: total %d counts outsiders", args, found.Total)
		}
		for _, m := range append(found.Matches, found.Related...) {
			if m.SessionID == foreign {
				t.Errorf("%s lists a foreign session", args)
			}
		}
	}
	// The same answer for what exists elsewhere and for what exists nowhere.
	answer := func(id string) string {
		r := w.call(c, tool.Pbot, map[string]any{"action": "read", "id": id})
		if !r.IsError {
			t.Errorf("%s is read: %s", id, r.Text)
		}
		return strings.ReplaceAll(r.Text, id, "ID")
	}
	unknown := answer("00000000-0000-4000-8000-000000000000:0:zz")
	for _, id := range []string{there.Matches[0].ID, there.Matches[0].Parents[0], there.Matches[0].Ref, "pi:" + foreign, "pi:" + foreign + "#1",
		"lookback://pi:" + foreign, "../../other0", "/etc/passwd", "pi:..%2F..#1", "pi:nope", "x"} {
		if got := answer(id); got != unknown {
			t.Errorf("%s: %s", id, got)
		}
	}
	narrow := func(id string) (int, string) {
		var f tool.Found
		w.good(c, tool.Pbot, map[string]any{"action": "search", "sessionId": id}, &f)
		return f.Total, strings.ReplaceAll(strings.Join(f.Warnings, " "), id, "ID")
	}
	n, words := narrow(foreign)
	m, other := narrow("00000000-0000-4000-8000-000000000000")
	if n != 0 || m != 0 || words != other {
		t.Errorf("a foreign session is told from an unknown one: %d %q, %d %q", n, words, m, other)
	}
	w.bad(tool.Caller{}, tool.Pbot, `{"action":"search"}`, "--workspace")
}
