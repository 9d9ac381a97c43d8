package pi

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lookback"
	"lookback/internal/testkit"
)

// late is a clock by which no file may still be in the middle of being written.
func late() time.Time { return time.Now().Add(time.Hour) }

func testSource() *Source {
	s := New(Dirs{})
	s.now = late
	return s
}

// read reads the whole file at path.
func read(t testing.TB, path string) lookback.Batch {
	t.Helper()
	res, err := testSource().Read(context.Background(), lookback.Place{Path: path}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// write makes a session file of the given lines.
func write(t testing.TB, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.jsonl")
	testkit.WriteFile(t, path, strings.Join(lines, "\n")+"\n")
	return path
}

const (
	head   = `{"type":"session","version":3,"id":"s-1","timestamp":"2026-03-10T09:00:00.000Z","cwd":"/srv/demo"}`
	headV1 = `{"type":"session","id":"s-1","timestamp":"2026-03-10T09:00:00.000Z","cwd":"/srv/demo"}`
)

// user and answer make records; parent "" is null.
func user(id, parent, text string) string   { return msg(id, parent, "user", text, "") }
func answer(id, parent, text string) string { return msg(id, parent, "assistant", text, "stop") }

func msg(id, parent, role, text, stop string) string {
	q := func(s string) string { b, _ := json.Marshal(s); return string(b) }
	up := "null"
	if parent != "" {
		up = q(parent)
	}
	if stop != "" {
		stop = `,"stopReason":` + q(stop)
	}
	return `{"type":"message","id":` + q(id) + `,"parentId":` + up + `,"timestamp":"2026-03-10T09:01:00.000Z","message":{"role":` +
		q(role) + `,"content":[{"type":"text","text":` + q(text) + `}]` + stop + `}}`
}

// shape is one branch of exchanges as the cases write it: ids, then + or -.
func shape(entries []lookback.Entry) [][]string {
	f := lookback.Exchanges(entries)
	var out [][]string
	for _, tip := range f.Tips {
		var branch []string
		for _, x := range f.Branch(tip) {
			var ids []string
			for _, seq := range f.Exchanges[x].Members() {
				ids = append(ids, entries[seq-1].ID)
			}
			mark := "-"
			if f.Exchanges[x].Completed {
				mark = "+"
			}
			branch = append(branch, strings.Join(ids, " ")+" "+mark)
		}
		out = append(out, branch)
	}
	return out
}

// exchangeText is all text of all listed exchanges.
func exchangeText(entries []lookback.Entry) string {
	f := lookback.Exchanges(entries)
	var b strings.Builder
	for i := range f.Exchanges {
		b.WriteString(f.Exchanges[i].Text(entries) + "\n")
	}
	return b.String()
}

func kinds(ws []lookback.Warning) []string {
	var out []string
	for _, w := range ws {
		out = append(out, string(w.Kind))
	}
	return out
}

// bare leaves of entries what a caller must keep for the next Read.
func bare(entries []lookback.Entry) []lookback.Entry {
	out := make([]lookback.Entry, len(entries))
	for i, e := range entries {
		out[i] = lookback.Entry{Seq: e.Seq, ID: e.ID, Parent: e.Parent, Time: e.Time, Offset: e.Offset, Size: e.Size}
	}
	return out
}

// sessions lists the session files below dir.
func sessions(t testing.TB, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Ext(path) == ".jsonl" {
			out = append(out, path)
		}
		return err
	})
	if err != nil || len(out) == 0 {
		t.Fatalf("no session files in %s: %v", dir, err)
	}
	return out
}

func repoFile(t testing.TB, name string) string {
	t.Helper()
	return filepath.Join(testkit.Root(t), "testdata", filepath.FromSlash(name))
}

// show writes a record for comparison.
func show(r *record) string { return fmt.Sprintf("%+v", *r) }
