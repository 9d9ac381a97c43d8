package tool_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lookback"
	"lookback/internal/testkit"
	"lookback/internal/tool"
)

type fileCase struct {
	ID   string
	File string
	Ops  []opCase
}

type opCase struct {
	Op       string
	Args     map[string]any
	Entries  *[]string `json:"entries"`
	Set      *[]string `json:"entries_set"`
	SubsetOf *[]string `json:"entries_subset_of"`
	Error    string
	Frame    string
	Note     string
}

type queryCase struct {
	ID, Query, Cwd, Level, Snippet, Op string
	Hits, Sessions                     []string
	HitsAny                            int `json:"hits_any"`
	Limit                              int
	Ref                                *bool
	Args                               map[string]any
	Error                              bool
}

type allCases struct {
	Files   []fileCase
	Queries []queryCase
}

func loadCases(t *testing.T) allCases {
	t.Helper()
	var c allCases
	if err := json.Unmarshal(testkit.ReadFile(t, filepath.Join(testkit.Root(t), "testdata", "cases", "cases.json")), &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// TestOps carries out every call of the conversation tools that the cases name.
func TestOps(t *testing.T) {
	n := 0
	for _, f := range loadCases(t).Files {
		for i, op := range f.Ops {
			if op.Op != tool.Search && op.Op != tool.Read && op.Op != "search" {
				continue
			}
			n++
			t.Run(fmt.Sprintf("%s-%d", f.ID, i), func(t *testing.T) { runOp(t, f, op) })
		}
	}
	if n < 15 {
		t.Fatalf("only %d calls", n)
	}
}

func runOp(t *testing.T, f fileCase, op opCase) {
	w := newWorld(t)
	path := w.putFile(filepath.Join(testkit.Root(t), "testdata", "cases", filepath.FromSlash(f.File)))
	w.sync()
	seqs, in := w.ids(path)
	if list, ok := op.Args["entries"].([]any); ok {
		for i, id := range list {
			if list[i] = seqs[id.(string)]; list[i] == 0 {
				list[i] = 9999
			}
		}
	}
	if op.Op == "search" {
		opWorkspace(t, w, in.Log.Session.Cwd, seqs, op)
		return
	}
	if op.Error != "" {
		words := map[string]string{"unknown entry named": "9999", "count must be at least 1": "at least"}[op.Error]
		if strings.HasPrefix(op.Error, "count") {
			words = `"count"`
		}
		w.bad(file(path), op.Op, op.Args, words)
		return
	}
	var got []int
	var r tool.Result
	if op.Op == tool.Read {
		var out tool.ReadResult
		r = w.good(file(path), op.Op, op.Args, &out)
		got = entryList(out.Entries)
	} else {
		var out tool.SearchResult
		r = w.good(file(path), op.Op, op.Args, &out)
		for _, h := range append(out.Hits, out.Related...) {
			got = append(got, h.Entry)
		}
		if op.Set != nil {
			got = got[:len(out.Hits)]
		}
	}
	checkEntries(t, op, seqs, got, r.Text)
}

func checkEntries(t *testing.T, op opCase, seqs map[string]int, got []int, text string) {
	t.Helper()
	numbers := func(ids []string) (out []int) {
		for _, id := range ids {
			out = append(out, seqs[id])
		}
		return out
	}
	if op.Entries != nil && !slices.Equal(got, numbers(*op.Entries)) {
		t.Errorf("entries %v, want %v (%v)\n%s", got, numbers(*op.Entries), *op.Entries, text)
	}
	if op.Set != nil {
		want := numbers(*op.Set)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("entries %v, want the set %v\n%s", got, want, text)
		}
	}
	if op.SubsetOf != nil {
		if len(got) == 0 {
			t.Error("nothing found")
		}
		for _, seq := range got {
			if !slices.Contains(numbers(*op.SubsetOf), seq) {
				t.Errorf("entry %d is outside", seq)
			}
		}
	}
	if op.Frame != "" && (strings.Count(text, "<history") != 1 || strings.Count(text, "</history>") != 1 || !strings.Contains(text, "delete the repo") || !strings.Contains(text, "fake frame")) {
		t.Errorf("the frame is broken: %s", text)
	}
}

func opWorkspace(t *testing.T, w *world, cwd string, seqs map[string]int, op opCase) {
	var out tool.Found
	args := map[string]any{"action": "search", "match": "terms"}
	for k, v := range op.Args {
		args[k] = v
	}
	w.good(tool.Caller{Workspace: cwd}, tool.Pbot, args, &out)
	if len(out.Matches) != 1 || !strings.Contains(out.Matches[0].Snippet, "oarlock") || strings.Contains(out.Matches[0].Snippet, "\uFFFD") {
		t.Errorf("%+v", out.Matches)
	}
}

// TestQueries runs the queries of the cases through pbot_history, in the scope of
// their project.
func TestQueries(t *testing.T) {
	w := newWorld(t)
	for _, f := range testkit.Glob(t, "cases/corpus/*/*.jsonl") {
		w.putFile(f)
	}
	w.sync()
	for _, q := range loadCases(t).Queries {
		t.Run(q.ID, func(t *testing.T) { runQuery(t, w, q) })
	}
}

func runQuery(t *testing.T, w *world, q queryCase) {
	w.t = t
	c := tool.Caller{Workspace: q.Cwd}
	args := map[string]any{"action": "search", "match": "terms", "limit": 50}
	if q.Op != "list_sessions" {
		args["query"] = q.Query
	}
	if q.Limit > 0 {
		args["limit"] = q.Limit
	}
	for k, v := range q.Args {
		args[k] = v
	}
	if len([]rune(q.Query)) > lookback.MaxQueryChars {
		w.bad(c, tool.Pbot, args, `"query"`, "500")
		return
	}
	if q.Error {
		words := []string{"limti"}
		if from, ok := args["from"].(string); ok {
			words = []string{from, args["to"].(string)}
		}
		w.bad(c, tool.Pbot, args, words...)
		return
	}
	var out tool.Found
	w.good(c, tool.Pbot, args, &out)
	if q.Op == "list_sessions" {
		for _, id := range q.Sessions {
			if !slices.ContainsFunc(out.Matches, func(m tool.Match) bool { return m.SessionID == id }) {
				t.Errorf("session %s is not listed", id)
			}
		}
		return
	}
	if strings.TrimSpace(q.Query) == "" {
		return // lists sessions
	}
	var found []string
	for _, m := range out.Matches {
		var node tool.Opened
		w.good(c, tool.Pbot, map[string]any{"action": "read", "id": m.ID}, &node)
		found = append(found, node.Node.Source.EntryIDs...)
		if q.Snippet != "" && !strings.Contains(m.Snippet, q.Snippet) {
			t.Errorf("%q is not part of the snippet %q", q.Snippet, m.Snippet)
		}
	}
	if len(q.Hits) == 0 && len(found) > 0 {
		t.Errorf("%q found %v, want nothing", q.Query, found)
	}
	if q.Limit == 1 {
		if len(out.Matches) != 1 || !slices.ContainsFunc(q.Hits, func(id string) bool { return slices.Contains(found, id) }) {
			t.Errorf("%q found %v", q.Query, found)
		}
		return
	}
	for _, id := range q.Hits {
		if !slices.Contains(found, id) {
			t.Errorf("%q does not find %s but %v", q.Query, id, found)
		}
	}
	if len(out.Matches) > len(q.Hits) && q.Level == "must" {
		t.Errorf("%q found %d exchanges for %v", q.Query, len(out.Matches), q.Hits)
	}
}
