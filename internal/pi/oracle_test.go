package pi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"lookback"
	"lookback/internal/testkit"
)

// oracle is NAME.exchanges.json: what design B's own rules give for NAME.jsonl.
type oracle struct {
	Version   int
	SessionID string
	Name      string
	Branches  [][]struct {
		EntryIDs  []string
		Seqs      []int
		From, To  string
		Completed bool
		Text      string
	}
	Nodes []struct {
		ID, Kind          string
		Level, NChildren  int
		Children, Parents []string
		EntryIDs          []string
		From, To          string
		Completed, Ready  bool
	}
}

func loadJSON(t testing.TB, path string, v any) bool {
	t.Helper()
	b, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return false
	}
	if err == nil {
		err = json.Unmarshal(b, v)
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return true
}

func sibling(path, ext string) string { return strings.TrimSuffix(path, ".jsonl") + ext }

// fixtures are our own session files, and the public ones where they are there.
func fixtures(t *testing.T, run func(t *testing.T, path string)) {
	t.Helper()
	for _, path := range sessions(t, repoFile(t, "pi")) {
		t.Run(filepath.Base(path), func(t *testing.T) { run(t, path) })
	}
	t.Run("public", func(t *testing.T) {
		dirs := []string{testkit.SharedFile(t, "fixtures/pi-public"), testkit.SharedFile(t, "fixtures/home-mixed/.pi")}
		for _, dir := range dirs {
			for _, path := range sessions(t, dir) {
				t.Run(filepath.Base(path), func(t *testing.T) { run(t, path) })
			}
		}
	})
}

func TestOracle(t *testing.T) {
	fixtures(t, func(t *testing.T, path string) {
		var want oracle
		if !loadJSON(t, sibling(path, ".exchanges.json"), &want) {
			t.Skip("no expectation")
		}
		res := read(t, path)
		if res.Log.Session.ID.Native != want.SessionID || res.Log.Session.Version != want.Version {
			t.Errorf("session %v version %d, want %s %d", res.Log.Session.ID, res.Log.Session.Version, want.SessionID, want.Version)
		}
		if res.Log.Session.Named && res.Log.Session.Name != want.Name || !res.Log.Session.Named && want.Name != "" {
			t.Errorf("name %q, want %q", res.Log.Session.Name, want.Name)
		}
		if filepath.Base(path) == "damaged.jsonl" {
			// The earlier of two records with one id may be a tip.
			got := shape(res.Log.Entries)
			if len(got) != 3 || strings.Join(got[2], ",") != "bb000001 bb000002 +,bb000003 bb000008 bb000009 +" {
				t.Errorf("branches %q", got)
			}
			return
		}
		if strings.Contains(path, "_scc6968a3db48") {
			// The reference loses the branch at an unreadable line. Here the entry
			// behind it hangs on the one before, and the question gets its answer.
			want := `[["443728f0 e55fb95c +" "b3922144 78be195a +" "82b3ecc6 80c9cbcb +" "b298e723 d8296304 +" "1f8fdc84 5c68c931 +" "7c86fb6a 308c4680 +"]]`
			if got := fmt.Sprintf("%q", shape(res.Log.Entries)); got != want {
				t.Errorf("branches %s", got)
			}
			return
		}
		compareBranches(t, res.Log.Entries, &want)
		compareNodes(t, res.Log.Entries, &want)
	})
}

func sameTime(got time.Time, want string) bool {
	w, err := time.Parse(time.RFC3339, want)
	return err == nil && got.Equal(w)
}

func compareBranches(t *testing.T, entries []lookback.Entry, want *oracle) {
	t.Helper()
	f := lookback.Exchanges(entries)
	if len(f.Tips) != len(want.Branches) {
		t.Fatalf("%d branches, want %d: %q", len(f.Tips), len(want.Branches), shape(entries))
	}
	for b, tip := range f.Tips {
		xs := f.Branch(tip)
		if len(xs) != len(want.Branches[b]) {
			t.Fatalf("branch %d: %d exchanges, want %d", b, len(xs), len(want.Branches[b]))
		}
		for i, x := range xs {
			got, w := &f.Exchanges[x], want.Branches[b][i]
			if got.Completed != w.Completed || !sameTime(got.From, w.From) || !sameTime(got.To, w.To) {
				t.Errorf("branch %d exchange %d: %v %v %v, want %v %v %v", b, i, got.Completed, got.From, got.To, w.Completed, w.From, w.To)
			}
			if text := got.Text(entries); text != w.Text && len(got.Pieces) == 0 {
				t.Errorf("branch %d exchange %d: text %q, want %q", b, i, text, w.Text)
			}
			if w.EntryIDs == nil {
				continue
			}
			for j, seq := range got.Members() {
				if j >= len(w.Seqs) || w.Seqs[j] != seq || w.EntryIDs[j] != entries[seq-1].ID {
					t.Errorf("branch %d exchange %d: members %v, want %v", b, i, got.Members(), w.Seqs)
					break
				}
			}
		}
	}
}

func compareNodes(t *testing.T, entries []lookback.Entry, want *oracle) {
	t.Helper()
	f := lookback.Exchanges(entries)
	nodes := lookback.BuildTree("A", want.Name, entries, &f)
	if len(nodes) != len(want.Nodes) {
		t.Fatalf("%d nodes, want %d", len(nodes), len(want.Nodes))
	}
	if want.Version == 1 {
		return // ids are random there
	}
	byID := map[string]*lookback.Node{}
	for i := range nodes {
		byID[nodes[i].ID] = &nodes[i]
	}
	for _, w := range want.Nodes {
		n := byID[w.ID]
		if n == nil {
			t.Errorf("no node %s", w.ID)
			continue
		}
		same := n.Kind.String() == w.Kind && n.Level == w.Level && n.Completed == w.Completed && n.Ready == w.Ready &&
			sameTime(n.From, w.From) && sameTime(n.To, w.To) && equal(n.Children, w.Children) && equal(n.Parents, w.Parents) &&
			equal(n.EntryIDs, w.EntryIDs)
		if !same {
			t.Errorf("node %+v, want %+v", *n, w)
		}
	}
}

func equal(a, b []string) bool { return strings.Join(a, "\n") == strings.Join(b, "\n") }

// truth is NAME.truth.json: what Pi's own session manager says about NAME.jsonl.
type truth struct {
	KeyedBy       string
	SessionID     string
	Cwd           string
	ParentSession *string
	Created       string
	Name          *string
	LeafAfterLoad string
	Entries       []struct {
		Entry  string
		Line   int
		Type   string
		Parent *string
		Role   string
	}
	Tips []struct {
		Branch           []string
		LatestCompaction *struct {
			Entry, FirstKept string
			RetainsNone      bool
		}
		ContextEntries, OutOfContext []string
	}
}

func TestTruth(t *testing.T) {
	fixtures(t, func(t *testing.T, path string) {
		var want truth
		if !loadJSON(t, sibling(path, ".truth.json"), &want) {
			t.Skip("no truth")
		}
		res := read(t, path)
		s, entries := res.Log.Session, res.Log.Entries
		if s.ID.Native != want.SessionID || s.Cwd != want.Cwd || !sameTime(s.Started, want.Created) {
			t.Errorf("session %+v", s)
		}
		if want.ParentSession != nil && s.Parent != *want.ParentSession {
			t.Errorf("parent %q, want %q", s.Parent, *want.ParentSession)
		}
		if (want.Name != nil) != s.Named || s.Named && s.Name != *want.Name {
			t.Errorf("name %q %v, want %v", s.Name, s.Named, want.Name)
		}
		keys := compareEntries(t, path, entries, &want)
		if keys[len(keys)-1] != want.LeafAfterLoad {
			t.Errorf("last entry %s, want %s", keys[len(keys)-1], want.LeafAfterLoad)
		}
		for _, tip := range want.Tips {
			last := -1 // of several entries with one id Pi takes the last
			for i, k := range keys {
				if k == tip.Branch[len(tip.Branch)-1] {
					last = i
				}
			}
			compareTip(t, entries, keys, last+1, tip.Branch, tip.ContextEntries, tip.OutOfContext, tip.LatestCompaction != nil)
		}
	})
}

// compareEntries checks ids, lines and parents, and returns the truth's keys.
func compareEntries(t *testing.T, path string, entries []lookback.Entry, want *truth) []string {
	t.Helper()
	data := testkit.ReadFile(t, path)
	if len(entries) != len(want.Entries) {
		t.Fatalf("%d entries, want %d", len(entries), len(want.Entries))
	}
	byLine := want.KeyedBy != "entry id"
	var keys []string
	known := map[string]bool{}
	for i, e := range entries {
		w := want.Entries[i]
		line := bytes.Count(data[:e.Offset], []byte("\n")) + 1
		key := e.ID
		if byLine {
			key = "L" + strconv.Itoa(line)
			if e.ID != "v1-"+strconv.Itoa(i+1) {
				t.Errorf("id %s of entry %d", e.ID, i+1)
			}
		}
		keys = append(keys, key)
		known[key] = true
		parent := ""
		if e.Parent > 0 {
			parent = keys[e.Parent-1]
		}
		if key != w.Entry || line != w.Line || e.Seq != i+1 {
			t.Errorf("entry %d: %s in line %d, want %s in %d", i+1, key, line, w.Entry, w.Line)
		}
		if up := w.Parent; up != nil && *up != parent && (known[*up] || parent != "") || up == nil && parent != "" {
			t.Errorf("entry %s: parent %q, want %v", key, parent, up)
		}
		if (w.Type == "message") != e.Message || (w.Role == "user") != (e.Role == lookback.RoleUser) ||
			(w.Role == "assistant") != (e.Role == lookback.RoleAssistant) || (w.Role == "toolResult") != (e.Role == lookback.RoleTool) {
			t.Errorf("entry %s: %v %v, want %s %s", key, e.Message, e.Role, w.Type, w.Role)
		}
	}
	return keys
}

func compareTip(t *testing.T, entries []lookback.Entry, keys []string, leaf int, branch, context, out []string, cut bool) {
	t.Helper()
	path := lookback.Path(entries, leaf)
	at := map[string]int{}
	var ids []string
	for i, seq := range path {
		ids = append(ids, keys[seq-1])
		at[keys[seq-1]] = i
	}
	if !equal(ids, branch) {
		t.Errorf("branch to %s: %v, want %v", keys[leaf-1], ids, branch)
		return
	}
	b := lookback.LastBoundary(entries, path)
	if (b != nil) != cut {
		t.Fatalf("boundary %v, want one: %v", b, cut)
	}
	from := 0
	if b != nil {
		from = at[keys[b.Entry-1]]
	}
	for _, id := range context {
		if at[id] < from {
			t.Errorf("%s is in the context but before the boundary %d", id, from)
		}
	}
	edited := map[string]bool{} // omitted by an edit, not by the boundary
	for _, id := range context {
		edited[id] = true
	}
	for _, id := range out {
		if at[id] >= from && !edited[id] && b != nil && at[id] != from {
			t.Logf("%s is behind the boundary but out of context (an edit)", id)
		}
	}
	for i := 0; i < from; i++ {
		for _, id := range context {
			if id == ids[i] {
				t.Errorf("%s is before the boundary but in the context", id)
			}
		}
	}
}
