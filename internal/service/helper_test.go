package service

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lookback"
	"lookback/internal/archive"
	"lookback/internal/pi"
	"lookback/internal/testkit"
)

// lab is a home with Pi's sessions and a service over it.
type lab struct {
	t   testing.TB
	dir string
	c   Config
	*Service
}

func newLab(t testing.TB) *lab {
	t.Helper()
	dir := t.TempDir()
	l := &lab{t: t, dir: dir, c: Config{
		Index: filepath.Join(dir, "cache", "index.db"), Archive: filepath.Join(dir, "data", "archive"),
		Sources: []Source{pi.New(pi.Dirs{Home: filepath.Join(dir, "home")})},
	}}
	l.open()
	t.Cleanup(func() { l.Close() })
	return l
}

func (l *lab) open() {
	l.t.Helper()
	svc, err := Open(l.t.Context(), l.c)
	if err != nil {
		l.t.Fatal(err)
	}
	l.Service = svc
}

// dropIndex deletes the index, as a person may at any time.
func (l *lab) dropIndex() {
	l.t.Helper()
	l.Close()
	if err := os.RemoveAll(filepath.Dir(l.c.Index)); err != nil {
		l.t.Fatal(err)
	}
	l.open()
}

func (l *lab) sync(workspaces ...string) Report {
	l.t.Helper()
	rep, err := l.Sync(l.t.Context(), SyncOptions{Wait: true, Workspaces: workspaces})
	if err != nil {
		l.t.Fatalf("sync: %v", err)
	}
	return rep
}

func (l *lab) native(name string) string {
	return filepath.Join(l.dir, "home", ".pi", "agent", "sessions", "x", name)
}

func (l *lab) write(name, text string) string {
	l.t.Helper()
	testkit.WriteFile(l.t, l.native(name), text)
	return l.native(name)
}

func (l *lab) append(name, text string) {
	l.t.Helper()
	f, err := os.OpenFile(l.native(name), os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString(text)
		f.Close()
	}
	if err != nil {
		l.t.Fatal(err)
	}
}

func (l *lab) find(scope lookback.Scope, words string) Results {
	l.t.Helper()
	res, err := l.Search(l.t.Context(), Request{Scope: scope, Query: lookback.ParseTerms(words), Limit: 1000})
	if err != nil {
		l.t.Fatalf("search %q: %v", words, err)
	}
	return res
}

func (l *lab) wantHits(scope lookback.Scope, words string, want ...string) {
	l.t.Helper()
	var got []string
	for _, h := range l.find(scope, words).Hits {
		got = append(got, h.Ref.String())
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		l.t.Errorf("search %q in %s: %v, want %v", words, scope, got, want)
	}
}

// read gives what Read says: role, number and words of each entry.
func (l *lab) read(r ReadRequest) ([]string, Reading) {
	l.t.Helper()
	got, err := l.Read(l.t.Context(), lookback.Everything(), r)
	if err != nil {
		l.t.Fatalf("read %s: %v", r.Ref, err)
	}
	var out []string
	for _, e := range got.Entries {
		out = append(out, fmt.Sprintf("%s %d %s", e.Role, e.Seq, e.Words()))
	}
	return out, got
}

func (l *lab) wantRead(r ReadRequest, want ...string) Reading {
	l.t.Helper()
	got, reading := l.read(r)
	if !slices.Equal(got, want) {
		l.t.Errorf("read %s: %q, want %q", r.Ref, got, want)
	}
	return reading
}

func ref(t testing.TB, s string) lookback.Ref {
	t.Helper()
	r, err := lookback.ParseRef(s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// summarize writes every summary of every session in an archive.
func (l *lab) summarize(a *archive.Archive, word string) {
	l.t.Helper()
	for r := range a.All() {
		if r == nil {
			continue
		}
		err := a.Edit(l.t.Context(), r.ID, func(r *archive.Record) error {
			for i := range r.Nodes {
				if n := &r.Nodes[i]; n.Kind == lookback.KindSummary && !n.Ready {
					n.Text, n.Ready = fmt.Sprintf("%s of level %d", word, n.Level), true
				}
			}
			return nil
		})
		if err != nil {
			l.t.Fatal(err)
		}
	}
}

// sample makes a workspace that holds an archive of testdata and nothing else.
func (l *lab) sample(name string) string {
	l.t.Helper()
	root := filepath.Join(l.dir, "w-"+name)
	testkit.CopyTo(l.t, filepath.Join(testkit.Root(l.t), "testdata", "archive", name), archive.InWorkspace(root).Dir())
	return root
}

func count(a *archive.Archive) int {
	n := 0
	for r := range a.All() {
		if r != nil {
			n++
		}
	}
	return n
}

var began = time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC)

// entry makes one line of a session file.
func entry(n, parent int, message map[string]any) string {
	var up any
	if parent > 0 {
		up = fmt.Sprint("e", parent)
	}
	line, _ := json.Marshal(map[string]any{
		"type": "message", "id": fmt.Sprint("e", n), "parentId": up,
		"timestamp": began.Add(time.Duration(n) * time.Minute), "message": message,
	})
	return string(line) + "\n"
}

func user(text string) map[string]any { return map[string]any{"role": "user", "content": text} }

// answer makes an assistant's message; with calls it goes on to wait for them.
func answer(text string, calls ...string) map[string]any {
	content := []any{map[string]any{"type": "text", "text": text}}
	stop := "stop"
	for _, id := range calls {
		stop = "toolUse"
		content = append(content, map[string]any{"type": "toolCall", "id": id, "name": "bash", "arguments": map[string]any{}})
	}
	return map[string]any{"role": "assistant", "stopReason": stop, "content": content}
}

func result(call string, failed bool) map[string]any {
	return map[string]any{"role": "toolResult", "toolCallId": call, "toolName": "bash", "isError": failed,
		"content": []any{map[string]any{"type": "text", "text": "output"}}}
}

func header(id, cwd string) string {
	head, _ := json.Marshal(map[string]any{"type": "session", "version": 3, "id": id, "timestamp": began, "cwd": cwd})
	return string(head) + "\n"
}

// turns makes entries from number first on, each below the one before, in which a
// user and an assistant take turns.
func turns(first int, texts ...string) string {
	var b strings.Builder
	for i, text := range texts {
		n, m := first+i, user(text)
		if n%2 == 0 {
			m = answer(text)
		}
		b.WriteString(entry(n, n-1, m))
	}
	return b.String()
}

func log(id, cwd string, texts ...string) string { return header(id, cwd) + turns(1, texts...) }

func talk(word string, n int) []string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf("question %d about %s", i, word), fmt.Sprintf("answer %d about %s", i, word))
	}
	return out
}
