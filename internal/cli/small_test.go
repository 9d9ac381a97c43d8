package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"lookback"
	"lookback/internal/render"
	"lookback/internal/service"
)

func TestNearest(t *testing.T) {
	names := []string{"search", "read", "tree", "sessions", "sync", "archive", "forget", "doctor", "demo"}
	for in, want := range map[string]string{
		"serach": "search", "serch": "search", "sessoins": "sessions", "raed": "read", "sess": "sessions", "Search": "search",
		"docter": "doctor", "zzz": "", "x": "", "": "", "backoff": "",
	} {
		if got := nearest(in, names); got != want {
			t.Errorf("nearest(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1234: "-1,234"} {
		if got := thousands(n); got != want {
			t.Errorf("thousands(%d) = %q, want %q", n, got, want)
		}
	}
	for n, want := range map[int64]string{0: "0 B", 1500: "2 kB", 106_300_000: "106.3 MB", 2_500_000_000: "2.50 GB"} {
		if got := size(n); got != want {
			t.Errorf("size(%d) = %q, want %q", n, got, want)
		}
	}
	if got, want := count(1, "entry", "entries")+", "+count(2, "entry", "entries"), "1 entry, 2 entries"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Rows fit the screen, and nothing of a ref is lost.
func TestRows(t *testing.T) {
	const ref = "pi:0197a1c0-5b7e-7c31-9a44-2f0d6a7b1c01@0:a100102a"
	for _, cols := range []int{3, 7, 20, 51, 80} {
		var b strings.Builder
		s := screen{Page: &render.Page{Cols: cols}, w: &b}
		s.rows(2, plain("user\x1b[31m 終端"), s.whole(ref))
		lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
		got := ""
		for i, l := range lines {
			if render.Width(l) > cols {
				t.Errorf("%d columns: %q is too wide", cols, l)
			}
			if i > 0 {
				got += strings.TrimPrefix(l, "  ")
			}
		}
		if cols < 80 && got != ref || cols == 80 && len(lines) != 1 {
			t.Errorf("%d columns: %q", cols, lines)
		}
	}
}

// Every error has a code of the documented set and, for people, a next step.
func TestExplain(t *testing.T) {
	for _, tt := range []struct {
		err  error
		code int
		kind string
	}{
		{&lookback.QueryError{Problem: "p", Hint: "h"}, codeUsage, "query"},
		{fmt.Errorf("%w: x", lookback.ErrRef), codeUsage, "ref"},
		{fmt.Errorf("%w: x", service.ErrNotFound), codeFailed, "not_found"},
		{fmt.Errorf("open: %w", service.ErrBusy), codeBusy, "busy"},
		{&os.PathError{Op: "open", Path: "x", Err: os.ErrPermission}, codeFailed, "permission"},
		{&os.PathError{Op: "open", Path: "x", Err: os.ErrNotExist}, codeFailed, "no_file"},
		{errors.New("x"), codeFailed, "failed"},
		{usage("m", "h"), codeUsage, "usage"},
	} {
		f := explain(tt.err)
		if f.Code != tt.code || f.Kind != tt.kind || f.Hint == "" || f.Message == "" {
			t.Errorf("%v: got %+v, want code %d %s", tt.err, *f, tt.code, tt.kind)
		}
	}
}

// Every field of our JSON and every exit code stands in docs/scripting.md.
func TestScriptingIsDocumented(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "docs", "scripting.md"))
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]bool{}
	for _, w := range strings.FieldsFunc(string(data), func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) {
		words[w] = true
	}
	for _, name := range fieldNames(t) {
		if !words[name] {
			t.Errorf("docs/scripting.md does not name the field %q", name)
		}
	}
	for _, code := range []int{codeDone, codeFailed, codeUsage, codeUnreadable, codeNoIndex, codeBusy, codeInterrupted} {
		if !strings.Contains(string(data), fmt.Sprintf("| %d |", code)) || !strings.Contains(exitCodes, fmt.Sprint(code)) {
			t.Errorf("exit code %d is not documented", code)
		}
	}
}

// fieldNames gives the names of all fields in our JSON.
func fieldNames(t *testing.T) []string {
	hit := service.Hit{Seq: 1, Role: lookback.RoleUser, Author: "a", Session: service.Session{Session: lookback.Session{Parent: "p"}}}
	entry := lookback.Entry{
		Author: "a", Injected: true, Parts: []lookback.Part{{Text: "t"}}, Calls: []lookback.Call{{}}, Cut: &lookback.Cut{},
	}
	reading := service.Reading{Boundary: &lookback.Boundary{}, Text: "t", Entries: []lookback.Entry{entry}}
	health := service.Health{Agents: []service.AgentHealth{{}}, Archives: []service.ArchiveHealth{{}}, Warnings: []lookback.Warning{{File: "f"}}}
	archive := service.ArchiveInfo{Workspace: "w", Sessions: []service.ArchivedSession{{}}}
	found := found{place: place{root: "r"}, Results: service.Results{Hits: []service.Hit{hit}, Next: "n"}}
	var names []string
	for _, v := range []any{
		foundJSON(&found, true), readingJSON(&reading), treeJSON(&service.NodeView{}), syncDoc{Report: &service.Report{}}, healthJSON(&health),
		archive, service.ArchiveReport{}, service.Forgotten{}, inspectExchange{}, inspectNode{},
	} {
		b, err := render.JSON(v)
		if err != nil {
			t.Fatal(err)
		}
		for _, piece := range strings.Split(string(b), `":`) {
			names = append(names, piece[strings.LastIndexByte(piece, '"')+1:])
		}
	}
	return slices.DeleteFunc(names, func(s string) bool { return strings.ContainsAny(s, "{}[]") || s == "" })
}

// Settings, environment and filters are documented where they are read.
func TestSettingsAreDocumented(t *testing.T) {
	for _, f := range reflect.VisibleFields(reflect.TypeOf(settings{})) {
		if key := f.Tag.Get("toml"); !strings.Contains(settingsText, key) {
			t.Errorf("the setting %q is not documented", key)
		}
	}
	query, err := os.ReadFile(filepath.Join("..", "..", "docs", "query.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range lookback.FilterNames() {
		if !strings.Contains(string(query), "`"+f+":") {
			t.Errorf("docs/query.md does not name the filter %s:", f)
		}
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, piece := range strings.Split(string(src), `Getenv("`)[1:] {
			if v, _, _ := strings.Cut(piece, `"`); !strings.Contains(environment, v) && v != "TERM" && !strings.HasPrefix(v, "LESS") && !strings.HasSuffix(name, "_test.go") {
				t.Errorf("%s: the variable %s is not documented", name, v)
			}
		}
	}
}
