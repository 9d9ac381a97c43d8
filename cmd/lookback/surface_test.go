package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"lookback/internal/cli"
	"lookback/internal/testkit"
)

// lab is a home in which the command line is run within the test's process.
type lab struct {
	t    *testing.T
	home string
	w    wiring
	env  map[string]string
	term cli.Terminal
	in   string
}

func newLab(t *testing.T) *lab {
	l := &lab{t: t, home: t.TempDir(), env: map[string]string{"TZ": "UTC", "LANG": "C.UTF-8"}}
	getenv := func(name string) string { return l.env[name] }
	l.w = wiring{getenv: getenv, home: l.home, places: cli.Places{
		Index: filepath.Join(l.home, "cache", "index.db"), Archive: filepath.Join(l.home, "data", "archive"),
		Settings: filepath.Join(l.home, "config", "config.toml"), Home: l.home,
	}}
	return l
}

func (l *lab) sessions() string { return filepath.Join(l.home, ".pi", "agent", "sessions", "x") }

func (l *lab) session(file string, data []byte) {
	l.t.Helper()
	testkit.WriteFile(l.t, filepath.Join(l.sessions(), file), string(data))
}

// run gives what a command line prints and its exit code.
func (l *lab) run(args ...string) (stdout, stderr string, code int) {
	return l.runIn(context.Background(), nil, args...)
}

func (l *lab) runIn(ctx context.Context, out *bytes.Buffer, args ...string) (stdout, stderr string, code int) {
	var errs bytes.Buffer
	if out == nil {
		out = new(bytes.Buffer)
	}
	code = cli.Run(ctx, cli.Config{
		Args: args, In: strings.NewReader(l.in), Out: out, Err: &errs, Terminal: l.term, Getenv: l.w.getenv, Dir: l.home,
		Places: l.w.places, Now: time.Now, Version: "test", Open: l.w.open, Inspect: l.w.inspect, Watch: l.w.watch,
	})
	return out.String(), errs.String(), code
}

type hostile struct{ Name, Text string }

func payload(t *testing.T) []hostile {
	var rows []hostile
	if err := json.Unmarshal(testkit.ReadFile(t, filepath.Join(testkit.Root(t), "testdata", "payload.json")), &rows); err != nil {
		t.Fatal(err)
	}
	return rows
}

// hostileSession uses each text of the payload wherever a session can hold one:
// as words, name, directory, tool name, model and ids.
func hostileSession(t *testing.T, id string, rows []hostile) []byte {
	var b bytes.Buffer
	add := func(v map[string]any) {
		line, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	const at = "2026-03-10T09:00:00.000Z"
	add(map[string]any{"type": "session", "version": 3, "id": id, "timestamp": at, "cwd": "/srv/" + rows[0].Text})
	var parent any
	message := func(rid string, m map[string]any) {
		add(map[string]any{"type": "message", "id": rid, "parentId": parent, "timestamp": at, "message": m})
		parent = rid
	}
	for _, r := range rows {
		message("u"+r.Text, map[string]any{"role": "user", "content": "needle " + r.Text})
		message("t"+r.Name, map[string]any{"role": "assistant", "stopReason": "toolUse", "model": r.Text, "content": []any{
			map[string]string{"type": "toolCall", "id": r.Text, "name": r.Text},
		}})
		message("r"+r.Name, map[string]any{"role": "toolResult", "toolCallId": r.Text, "toolName": r.Text, "content": []any{}})
		message("a"+r.Name, map[string]any{"role": "assistant", "stopReason": "stop", "model": r.Text, "content": []any{
			map[string]string{"type": "text", "text": "answer " + r.Text},
		}})
	}
	add(map[string]any{"type": "session_info", "id": "n", "parentId": parent, "timestamp": at, "name": rows[0].Text})
	add(map[string]any{"type": "compaction", "id": "c", "parentId": "n", "timestamp": at, "summary": rows[0].Text, "firstKeptEntryId": "c", "tokensBefore": 1})
	return b.Bytes()
}

// acts names the first thing in output that a terminal would act on beyond our
// own colours.
func acts(s string) string {
	if !utf8.ValidString(s) {
		return "invalid UTF-8"
	}
	for i, r := range s {
		switch {
		case r == 0x1b:
			end := strings.IndexByte(s[i:], 'm')
			if end < 0 || strings.Trim(s[i+1:i+end], "[0123456789;") != "" || s[i+1] != '[' {
				return "an escape sequence that is no colour"
			}
		case r < ' ' && r != '\n' && r != '\t', r == 0x7f, 0x80 <= r && r <= 0x9f:
			return "a control character"
		case 0x202a <= r && r <= 0x202e, 0x2066 <= r && r <= 0x2069, r == 0x2028, r == 0x2029:
			return "a reordering or breaking character"
		}
	}
	return ""
}

func TestHostileTextIsHarmless(t *testing.T) {
	l := newLab(t)
	rows := payload(t)
	l.session("all.jsonl", hostileSession(t, "all", rows))
	for i, r := range rows {
		l.session(strings.Repeat("x", i+1)+".jsonl", hostileSession(t, "id"+r.Text, []hostile{r}))
	}
	// Names of files and folders are as hostile as what is in them.
	odd := filepath.Join(l.home, ".pi", "agent", "sessions", "two\nrows\x1b[31m\u202e")
	if err := os.MkdirAll(odd, 0o700); err == nil {
		testkit.WriteFile(t, filepath.Join(odd, "a\n\x1b]0;x\x07.jsonl"), "{broken\n"+string(piSession("odd", "/srv/odd", "needle", "x"))+"{broken\n")
	}
	before := testkit.Snapshot(t, filepath.Join(l.home, ".pi"))
	commands := [][]string{
		{"sync"}, {"search", "--all", "--limit", "1000", "needle"}, {"search", "--all", "needle \x1b[31mx\u202e"},
		{"search", "--all", "--literal", "zz\x1b[31m\u202e"}, {"sessions", "--all", "--limit", "1000"}, {"read", "pi:all"},
		{"read", "pi:all", "--markdown"}, {"read", "pi:all#2", "--around", "9"}, {"tree", "pi:all"}, {"tree", "pi:all#1"},
		{"read", "pi:\x1b[31m"}, {"tree", "\u202epi"}, {"serach\x1b[31m"}, {"search", "--\x1b[31m"}, {"doctor"},
		{"inspect", filepath.Join(l.sessions(), "all.jsonl")}, {"archive", "list", "--sessions"}, {"forget", "pi:all", "--dry-run"},
	}
	terminals := map[string]cli.Terminal{"pipe": {}, "screen": {Out: true, Cols: 80}, "narrow": {Out: true, Cols: 20}}
	for name, term := range terminals {
		for _, args := range commands {
			l.harmless(name, term, args)
		}
	}
	for _, args := range commands {
		l.harmless("json", cli.Terminal{}, append([]string{"--json"}, args...))
	}
	before.Same(t)
}

// harmless runs a command and looks at every byte it prints.
func (l *lab) harmless(name string, term cli.Terminal, args []string) {
	l.t.Helper()
	l.term = term
	stdout, stderr, code := l.run(args...)
	if !term.Out && strings.Contains(stdout+stderr, "\x1b") {
		l.t.Errorf("%s: %q: an escape sequence where there is no terminal", name, args)
	}
	if bad := acts(stdout); bad != "" {
		l.t.Errorf("%s: %q: standard output holds %s:\n%q", name, args, bad, stdout)
	}
	if bad := acts(stderr); bad != "" {
		l.t.Errorf("%s: %q: standard error holds %s:\n%q", name, args, bad, stderr)
	}
	if code == 130 || strings.Contains(stderr, "goroutine ") || strings.Contains(stderr, "this is a fault in") {
		l.t.Errorf("%s: %q ended with code %d: %s", name, args, code, stderr)
	}
}

// Rows of a pipe have a fixed number of tabs and one line each, whatever is in
// them.
func TestRowsKeepTheirShape(t *testing.T) {
	l := newLab(t)
	rows := payload(t)
	for i, r := range rows {
		l.session(strings.Repeat("x", i+1)+".jsonl", hostileSession(t, "id"+r.Text, []hostile{r}))
	}
	for _, tt := range []struct {
		args []string
		tabs int
	}{
		{[]string{"search", "--all", "--limit", "1000", "needle"}, 9},
		{[]string{"sessions", "--all", "--limit", "1000"}, 8},
	} {
		stdout, stderr, code := l.run(tt.args...)
		if code != 0 {
			t.Fatalf("%q: code %d: %s", tt.args, code, stderr)
		}
		lines := strings.Split(strings.TrimSuffix(stdout, "\n"), "\n")
		if len(lines) < len(rows)-3 { // texts that make equal ids or nothing to read are fewer
			t.Errorf("%q gives %d rows for %d sessions", tt.args, len(lines), len(rows))
		}
		for _, line := range lines {
			if n := strings.Count(line, "\t"); n != tt.tabs {
				t.Errorf("%q: %d tabs, want %d: %q", tt.args, n, tt.tabs, line)
			}
			ref, _, _ := strings.Cut(line, "\t")
			if _, stderr, code := l.run("tree", ref); code != 0 {
				t.Errorf("the ref %q of a row leads nowhere: %s", ref, stderr)
			}
		}
	}
}
