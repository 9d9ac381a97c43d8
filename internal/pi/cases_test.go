package pi

import (
	"context"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"lookback"
	"lookback/internal/testkit"
)

type expect struct {
	Branches        [][]string
	Counts          [][2]int
	Contains        []string
	NotContains     []string `json:"not_contains"`
	Findable        []string
	Warnings        []string
	WarningsAllowed []string `json:"warnings_allowed"`
}

type fileCase struct {
	ID, Title string
	File      string
	Expect    expect
	Steps     []struct {
		File   string
		Expect expect
	}
}

func loadCases(t *testing.T) []fileCase {
	t.Helper()
	var all struct{ Files []fileCase }
	if !loadJSON(t, repoFile(t, "cases/cases.json"), &all) || len(all.Files) == 0 {
		t.Fatal("no cases")
	}
	return all.Files
}

func TestCases(t *testing.T) {
	for _, c := range loadCases(t) {
		t.Run(c.ID, func(t *testing.T) {
			if c.File != "" {
				check(t, read(t, repoFile(t, "cases/"+c.File)).Log, &c.Expect)
			}
			for _, step := range c.Steps {
				check(t, read(t, repoFile(t, "cases/"+step.File)).Log, &step.Expect)
			}
		})
	}
}

// TestCaseSteps puts the files of a case at one path one after the other, and
// reads each with the cursor of the one before.
func TestCaseSteps(t *testing.T) {
	for _, c := range loadCases(t) {
		t.Run(c.ID, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "s.jsonl")
			s := testSource()
			var last lookback.Batch
			var entries []lookback.Entry
			for _, step := range c.Steps {
				testkit.WriteFile(t, path, string(testkit.ReadFile(t, repoFile(t, "cases/"+step.File))))
				res, err := s.Read(context.Background(), lookback.Place{Path: path}, last.Cursor, bare(entries))
				if err != nil {
					t.Fatal(err)
				}
				entries = merge(entries, &last, &res)
				check(t, lookback.Log{Entries: entries, Warnings: res.Log.Warnings}, &step.Expect)
				last = res
			}
		})
	}
}

// merge is what a caller does with a result.
func merge(have []lookback.Entry, last, res *lookback.Batch) []lookback.Entry {
	if res.Fresh {
		return res.Log.Entries
	}
	return append(slices.Clone(have[:last.Settled]), res.Log.Entries...)
}

func check(t *testing.T, log lookback.Log, want *expect) {
	t.Helper()
	if got := shape(log.Entries); want.Branches != nil && len(got)+len(want.Branches) > 0 && !reflect.DeepEqual(got, want.Branches) {
		t.Errorf("branches %q, want %q", got, want.Branches)
	}
	for i, b := range shape(log.Entries) {
		if want.Counts == nil {
			break
		}
		done := 0
		for _, x := range b {
			if strings.HasSuffix(x, "+") {
				done++
			}
		}
		if i >= len(want.Counts) || want.Counts[i] != [2]int{len(b), done} {
			t.Errorf("branch %d: %d exchanges, %d finished", i, len(b), done)
		}
	}
	text := exchangeText(log.Entries)
	for _, w := range want.Contains {
		if !strings.Contains(text, w) {
			t.Errorf("text lacks %q", w)
		}
	}
	for _, w := range want.NotContains {
		if strings.Contains(text, w) {
			t.Errorf("text holds %q", w)
		}
	}
	var spoken strings.Builder
	for i := range log.Entries {
		if e := &log.Entries[i]; e.Spoken() {
			spoken.WriteString(e.Words() + "\n")
			if e.Time.IsZero() || e.Time.Year() < 2026 {
				t.Errorf("entry %s has the time %v", e.ID, e.Time)
			}
		}
	}
	for _, w := range want.Findable {
		if !strings.Contains(spoken.String(), w) {
			t.Errorf("no entry holds %q", w)
		}
	}
	got := kinds(log.Warnings)
	for _, w := range want.Warnings {
		if !slices.Contains(got, w) {
			t.Errorf("no warning %s in %v", w, got)
		}
	}
	for _, w := range got {
		if !slices.Contains(want.Warnings, w) && !slices.Contains(want.WarningsAllowed, w) {
			t.Errorf("warning %s is not expected", w)
		}
	}
}

func TestNoSessions(t *testing.T) {
	tests := map[string]struct {
		file     string
		warnings []string
	}{
		"empty":             {"pi/not-sessions/empty.jsonl", nil},
		"header not first":  {"pi/not-sessions/header-not-first.jsonl", []string{"no_header"}},
		"header without id": {"pi/not-sessions/header-without-id.jsonl", []string{"no_header"}},
		"header only":       {"cases/files/p17.jsonl", nil},
		"zero bytes":        {"cases/files/p18.jsonl", nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			res := read(t, repoFile(t, tt.file))
			if got := kinds(res.Log.Warnings); !res.None || !slices.Equal(got, tt.warnings) {
				t.Errorf("session: %v, warnings %v", !res.None, got)
			}
		})
	}
}
