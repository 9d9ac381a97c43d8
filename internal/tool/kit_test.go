package tool_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"lookback/internal/pi"
	"lookback/internal/service"
	"lookback/internal/testkit"
	"lookback/internal/tool"
)

// world is a home with session files and the tools over it.
type world struct {
	t    *testing.T
	home string
	svc  *service.Service
	set  *tool.Set
}

func newWorld(t *testing.T) *world {
	return openWorld(t, t.TempDir(), tool.Options{CatchUp: 20 * time.Second})
}

func openWorld(t *testing.T, home string, o tool.Options) *world {
	t.Helper()
	w := &world{t: t, home: home}
	svc, err := service.Open(t.Context(), w.config())
	if err != nil {
		t.Fatal(err)
	}
	w.svc, w.set = svc, tool.New(svc, o)
	t.Cleanup(func() {
		w.set.Close(20 * time.Second)
		if err := svc.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

func (w *world) config() service.Config {
	return service.Config{
		Index: filepath.Join(w.home, "cache", "index.db"), Archive: filepath.Join(w.home, "data", "archive"),
		Sources: []service.Source{pi.New(pi.Dirs{Home: w.home})},
	}
}

// put writes a session file into the folder that Pi uses for cwd.
func (w *world) put(name, cwd, content string) string {
	w.t.Helper()
	enc := "--" + strings.NewReplacer("/", "-").Replace(strings.TrimPrefix(cwd, "/")) + "--"
	path := filepath.Join(w.home, ".pi", "agent", "sessions", enc, name+".jsonl")
	testkit.WriteFile(w.t, path, content)
	return path
}

// putFile copies a session file to where Pi would have it.
func (w *world) putFile(path string) string {
	w.t.Helper()
	data := string(testkit.ReadFile(w.t, path))
	var head struct{ Cwd string }
	for line := range strings.Lines(data) {
		if json.Unmarshal([]byte(line), &head) == nil && head.Cwd != "" {
			break
		}
	}
	return w.put(strings.TrimSuffix(filepath.Base(path), ".jsonl"), head.Cwd, data)
}

func (w *world) sync() {
	w.t.Helper()
	if _, err := w.svc.Sync(w.t.Context(), service.SyncOptions{Wait: true}); err != nil {
		w.t.Fatal(err)
	}
}

// ids maps the entry ids of a session file to numbers.
func (w *world) ids(path string) (seqs map[string]int, in service.Inspection) {
	w.t.Helper()
	in, err := service.Inspect(w.t.Context(), w.config().Sources, path, "")
	if err != nil {
		w.t.Fatal(err)
	}
	seqs = map[string]int{}
	for i := range in.Log.Entries {
		seqs[in.Log.Entries[i].ID] = in.Log.Entries[i].Seq
	}
	return seqs, in
}

// call calls a tool with arguments given as a Go value or as raw JSON.
func (w *world) call(c tool.Caller, name string, args any) tool.Result {
	w.t.Helper()
	raw, ok := args.(string)
	if !ok {
		b, err := json.Marshal(args)
		if err != nil {
			w.t.Fatal(err)
		}
		raw = string(b)
	}
	r := w.set.Call(context.Background(), c, name, json.RawMessage(raw))
	checkForm(w.t, name, raw, r)
	return r
}

// good is call for a call that must not fail; the structured result goes to out.
func (w *world) good(c tool.Caller, name string, args, out any) tool.Result {
	w.t.Helper()
	r := w.call(c, name, args)
	if r.IsError {
		w.t.Fatalf("%s %v: %s", name, args, r.Text)
	}
	reflect.ValueOf(out).Elem().SetZero()
	b, err := json.Marshal(r.Structured)
	if err == nil {
		err = json.Unmarshal(b, out)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

// bad is call for a call that must fail with all of the given words in the text.
func (w *world) bad(c tool.Caller, name string, args any, words ...string) {
	w.t.Helper()
	r := w.call(c, name, args)
	if !r.IsError {
		w.t.Errorf("%s %v: no error but %s", name, args, r.Text)
		return
	}
	for _, word := range words {
		if !strings.Contains(r.Text, word) {
			w.t.Errorf("%s %v: the error does not say %q: %s", name, args, word, r.Text)
		}
	}
}

// checkForm holds every result to what all results promise.
func checkForm(t *testing.T, name, args string, r tool.Result) {
	t.Helper()
	b, err := json.Marshal(r)
	if err != nil || !json.Valid(b) {
		t.Fatalf("%s %s: no JSON: %v", name, args, err)
	}
	if strings.ToValidUTF8(r.Text, "") != r.Text {
		t.Errorf("%s %s: the text is no UTF-8", name, args)
	}
	if len(r.Text) > 50_000 {
		t.Errorf("%s %s: the text has %d bytes", name, args, len(r.Text))
	}
	opening, closing := strings.Count(strings.ToLower(r.Text), "<history"), strings.Count(strings.ToLower(r.Text), "</history")
	want := 1
	if r.IsError || name == tool.Handoff {
		want = 0
	}
	if opening != want || closing != want {
		t.Errorf("%s %s: %d frames opened and %d closed, want %d: %s", name, args, opening, closing, want, r.Text)
	}
	if s, err := json.Marshal(r.Structured); !r.IsError && name != tool.Pbot && (err != nil || len(s) > 50_000) {
		t.Errorf("%s %s: the structured form has %d bytes", name, args, len(s))
	}
}

func file(path string) tool.Caller { return tool.Caller{File: path} }

// entryList gives the numbers of the entries that rows show, each once.
func entryList(rows []tool.Row) (out []int) {
	for _, r := range rows {
		if len(out) == 0 || out[len(out)-1] != r.Entry {
			out = append(out, r.Entry)
		}
	}
	return out
}

// said is a message of a made-up session.
type said struct {
	id, parent, role, text string
	extra                  string // further fields of the message, with a comma before
}

// session writes a session file of version 3 from messages in a row.
func session(id, cwd string, list ...said) string {
	var b strings.Builder
	q := func(s string) string { j, _ := json.Marshal(s); return string(j) }
	b.WriteString(`{"type":"session","version":3,"id":` + q(id) + `,"timestamp":"2026-03-10T09:00:00.000Z","cwd":` + q(cwd) + "}\n")
	before := ""
	for i, m := range list {
		at := time.Date(2026, 3, 10, 9, 1, i, 0, time.UTC)
		parent := "null"
		if m.parent != "" {
			before = m.parent
		}
		if before != "" {
			parent = q(before)
		}
		before = m.id
		head := `{"id":` + q(m.id) + `,"parentId":` + parent + `,"timestamp":"` + at.Format("2006-01-02T15:04:05.000Z") + `",`
		switch m.role {
		case "raw":
			b.WriteString(head + m.text + "}\n")
		case "user":
			b.WriteString(head + `"type":"message","message":{"role":"user","content":` + q(m.text) + m.extra + "}}\n")
		default:
			extra := m.extra
			if !strings.Contains(extra, "stopReason") {
				extra += `,"stopReason":"stop"`
			}
			if !strings.Contains(extra, `"content"`) {
				extra += `,"content":[{"type":"text","text":` + q(m.text) + `}]`
			}
			b.WriteString(head + `"type":"message","message":{"role":"assistant"` + extra + "}}\n")
		}
	}
	return b.String()
}

// chat makes n questions and answers, u1 a1 u2 a2 and so on.
func chat(n int, word string) (out []said) {
	for i := 1; i <= n; i++ {
		s := itoa(i)
		out = append(out, said{id: "u" + s, role: "user", text: "Question " + s + " about the " + word},
			said{id: "a" + s, role: "assistant", text: "Answer " + s + ": the " + word + " uses relay " + s})
	}
	return out
}

// compaction is a boundary that keeps from an entry on.
func compaction(id, keep string, more ...string) said {
	return said{id: id, role: "raw", text: `"type":"compaction","summary":"Recap text","firstKeptEntryId":"` + keep + `","tokensBefore":1` + strings.Join(more, "")}
}

func itoa(n int) string { b, _ := json.Marshal(n); return string(b) }

func writable(t *testing.T, path string) *os.File {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
