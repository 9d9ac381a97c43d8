package main

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

	"github.com/rogpeppe/go-internal/testscript"

	"lookback/internal/render"
	"lookback/internal/testkit"
)

// The scripts run the real command as a process. Each has a home of its own.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"lookback": func() { os.Exit(run()) }})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                "testdata/script",
		RequireUniqueNames: true,
		Setup: func(e *testscript.Env) error {
			home := filepath.Join(e.WorkDir, "home")
			for _, kv := range [][2]string{
				{"HOME", home}, {"USERPROFILE", home}, {"LANG", "C.UTF-8"}, {"TZ", "UTC"}, {"TERM", "xterm-256color"},
				{"LOOKBACK_CACHE_DIR", filepath.Join(e.WorkDir, "cache")}, {"LOOKBACK_DATA_DIR", filepath.Join(e.WorkDir, "data")},
				{"LOOKBACK_CONFIG_DIR", filepath.Join(e.WorkDir, "config")}, {"SESSIONS", filepath.Join(home, ".pi", "agent", "sessions", "x")},
			} {
				e.Setenv(kv[0], kv[1])
			}
			for _, name := range []string{"NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "PAGER", "LC_ALL", "PI_CODING_AGENT_DIR", "PI_CODING_AGENT_SESSION_DIR"} {
				e.Setenv(name, "")
			}
			return os.MkdirAll(home, 0o700)
		},
		Condition: func(name string) (bool, error) {
			if name == "restricted" { // permissions mean something: not for root, not on Windows
				return os.Geteuid() > 0, nil
			}
			return false, fmt.Errorf("no condition is called %q", name)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"code": code, "pi": piFile, "fits": fits, "keys": keys, "unchanged": unchanged, "remember": remember,
		},
	})
}

// code runs the command and wants its exit code: code 3 lookback sync
func code(ts *testscript.TestScript, neg bool, args []string) {
	want, err := strconv.Atoi(args[0])
	if err != nil || neg {
		ts.Fatalf("usage: code N COMMAND…")
	}
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if err != nil {
		exit, ok := err.(interface{ ExitCode() int })
		if !ok {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// piFile writes a session of Pi: pi FILE ID CWD QUESTION ANSWER QUESTION ANSWER …
// Escapes such as \x1b and \n in arguments are read as Go does.
func piFile(ts *testscript.TestScript, _ bool, args []string) {
	for i, a := range args {
		if s, err := strconv.Unquote(`"` + strings.ReplaceAll(a, `"`, `\"`) + `"`); err == nil && i != 0 && i != 2 {
			args[i] = s
		}
	}
	path := ts.MkAbs(args[0])
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		ts.Fatalf("%v", err)
	}
	if err := os.WriteFile(path, piSession(args[1], args[2], args[3:]...), 0o600); err != nil {
		ts.Fatalf("%v", err)
	}
}

// piSession makes a session file in which users and assistants take turns.
func piSession(id, cwd string, texts ...string) []byte {
	at := time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC)
	stamp := func() string { at = at.Add(time.Minute); return at.Format("2006-01-02T15:04:05.000Z") }
	rows := []any{map[string]any{"type": "session", "version": 3, "id": id, "timestamp": stamp(), "cwd": cwd}}
	var parent any
	for i, text := range texts {
		m := map[string]any{"role": "user", "content": text}
		if i%2 == 1 {
			m = map[string]any{"role": "assistant", "stopReason": "stop", "content": []any{map[string]string{"type": "text", "text": text}}}
		}
		rid := fmt.Sprintf("e%d", i+1)
		rows = append(rows, map[string]any{"type": "message", "id": rid, "parentId": parent, "timestamp": stamp(), "message": m})
		parent = rid
	}
	var b bytes.Buffer
	for _, r := range rows {
		line, _ := json.Marshal(r)
		b.Write(append(line, '\n'))
	}
	return b.Bytes()
}

// fits wants every row of the last standard output to fit: fits COLUMNS
func fits(ts *testscript.TestScript, _ bool, args []string) {
	cols, _ := strconv.Atoi(args[0])
	for line := range strings.Lines(ts.ReadFile("stdout")) {
		if w := render.Width(strings.TrimRight(line, "\n")); w > cols {
			ts.Fatalf("%d columns wide: %q", w, line)
		}
	}
}

// keys wants every line of the last standard output to be a JSON object with
// these keys at least, at a path: keys . total hits, keys hits.0 ref
func keys(ts *testscript.TestScript, _ bool, args []string) {
	out := ts.ReadFile("stdout")
	if strings.TrimSpace(out) == "" {
		ts.Fatalf("no output")
	}
	for line := range strings.Lines(out) {
		var v any
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			ts.Fatalf("not JSON: %v in %q", err, line)
		}
		for _, step := range strings.Split(args[0], ".") {
			if step == "" {
				continue
			}
			if n, err := strconv.Atoi(step); err == nil {
				list, _ := v.([]any)
				if n >= len(list) {
					ts.Fatalf("%s has no element %d in %s", args[0], n, line)
				}
				v = list[n]
				continue
			}
			object, _ := v.(map[string]any)
			v = object[step]
		}
		object, ok := v.(map[string]any)
		for _, k := range args[1:] {
			if _, has := object[k]; !ok || !has {
				ts.Fatalf("no key %q at %s in %s", k, args[0], line)
			}
		}
	}
}

// remember and unchanged prove that a tree was left alone: remember DIR …
// unchanged DIR
var remembered = map[string]testkit.Snap{}

func remember(ts *testscript.TestScript, _ bool, args []string) {
	dir := ts.MkAbs(args[0])
	rememberedMu.Lock()
	defer rememberedMu.Unlock()
	remembered[dir] = testkit.Snapshot(scriptTB{ts: ts}, dir)
}

func unchanged(ts *testscript.TestScript, _ bool, args []string) {
	dir := ts.MkAbs(args[0])
	rememberedMu.Lock()
	snap, ok := remembered[dir]
	rememberedMu.Unlock()
	if !ok {
		ts.Fatalf("%s was not remembered", dir)
	}
	snap.Same(scriptTB{ts: ts})
}
