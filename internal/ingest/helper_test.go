package ingest

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lookback"
	"lookback/internal/archive"
	"lookback/internal/index"
	"lookback/internal/pi"
	"lookback/internal/testkit"
)

// lab is a home with Pi's sessions, an index and archives in a temporary folder.
type lab struct {
	t    testing.TB
	dir  string
	src  *counting
	db   *index.DB
	opts Options
}

func newLab(t testing.TB) *lab {
	t.Helper()
	return labAt(t, t.TempDir())
}

func labAt(t testing.TB, dir string) *lab {
	t.Helper()
	l := &lab{t: t, dir: dir, src: &counting{Source: pi.New(pi.Dirs{Home: filepath.Join(dir, "home")})}}
	l.opts = Options{Sources: []Source{l.src}, User: filepath.Join(dir, "data", "archive"), Wait: true}
	l.openIndex()
	t.Cleanup(func() { l.db.Close() })
	return l
}

func (l *lab) openIndex() {
	l.t.Helper()
	db, err := index.Open(l.t.Context(), filepath.Join(l.dir, "cache", "index.db"), index.Options{})
	if err != nil {
		l.t.Fatal(err)
	}
	l.db = db
}

// dropIndex deletes the index, as a person may at any time.
func (l *lab) dropIndex() {
	l.t.Helper()
	l.db.Close()
	if err := os.RemoveAll(filepath.Join(l.dir, "cache")); err != nil {
		l.t.Fatal(err)
	}
	l.openIndex()
}

func (l *lab) sync() Report {
	l.t.Helper()
	rep, err := Sync(l.t.Context(), l.db, l.opts)
	if err != nil {
		l.t.Fatalf("sync: %v", err)
	}
	return rep
}

// native is the path of a session file.
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

// workspace makes a directory with an archive of its own.
func (l *lab) workspace(name string) string {
	l.t.Helper()
	root := filepath.Join(l.dir, name)
	if err := os.MkdirAll(archive.InWorkspace(root).Dir(), 0o700); err != nil {
		l.t.Fatal(err)
	}
	return root
}

func piID(native string) lookback.SessionID { return lookback.SessionID{Agent: "pi", Native: native} }

func (l *lab) session(native string) *index.Session {
	l.t.Helper()
	s, err := l.db.SessionByID(l.t.Context(), piID(native))
	if err != nil {
		l.t.Fatal(err)
	}
	return s
}

// hits gives the refs found for words, sorted.
func (l *lab) hits(scope lookback.Scope, words string) []string {
	l.t.Helper()
	res, err := l.db.Search(l.t.Context(), index.Request{Scope: scope, Query: lookback.ParseTerms(words), Limit: 1000})
	if err != nil {
		l.t.Fatalf("search %q: %v", words, err)
	}
	var out []string
	for _, h := range res.Hits {
		out = append(out, h.Ref.String())
	}
	slices.Sort(out)
	return out
}

func (l *lab) wantHits(words string, want ...string) {
	l.t.Helper()
	l.wantIn(lookback.Everything(), words, want...)
}

func (l *lab) wantIn(scope lookback.Scope, words string, want ...string) {
	l.t.Helper()
	if got := l.hits(scope, words); !slices.Equal(got, want) {
		l.t.Errorf("search %q in %s: %v, want %v", words, scope, got, want)
	}
}

// records gives the records of an archive by session.
func (l *lab) records(a *archive.Archive) map[string]*archive.Record {
	l.t.Helper()
	out := map[string]*archive.Record{}
	for r, w := range a.All() {
		if w != nil {
			l.t.Errorf("archive: %v", w)
		}
		if r != nil {
			out[r.Session.Native] = r
		}
	}
	return out
}

func (l *lab) user() *archive.Archive { return archive.Open(l.opts.User) }

// summarize writes every summary of a session, as a model would, with a word in
// each that nothing else holds.
func (l *lab) summarize(a *archive.Archive, native, word string) {
	l.t.Helper()
	r := l.records(a)[native]
	if r == nil {
		l.t.Fatalf("no record of %s in %s", native, a.Dir())
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

// state is everything a sync makes, without what may differ between two runs that
// did the same: row numbers, stamps and the order of writes.
func (l *lab) state() string {
	l.t.Helper()
	var b strings.Builder
	page, err := l.db.Sessions(l.t.Context(), index.SessionQuery{Scope: lookback.Everything(), Limit: 1000})
	if err != nil {
		l.t.Fatal(err)
	}
	list := page.Sessions
	slices.SortFunc(list, func(a, b index.Session) int { return strings.Compare(a.ID.Native, b.ID.Native) })
	for _, s := range list {
		entries, err := l.db.Log(l.t.Context(), s.Row)
		if err != nil {
			l.t.Fatal(err)
		}
		s.Row, s.Family = 0, 0
		line := strings.ReplaceAll(fmt.Sprintf("%+v", s), l.dir, "")
		fmt.Fprintf(&b, "%s\n", line)
		for _, e := range entries {
			fmt.Fprintf(&b, "  %d %s/%s < %d %v %q\n", e.Seq, e.ID, e.Key, e.Parent, e.Time, e.Words())
		}
	}
	problems, err := l.db.Check(l.t.Context())
	if err != nil || len(problems) > 0 {
		l.t.Errorf("index: %v %v", problems, err)
	}
	folders, err := l.db.RecordFolders(l.t.Context())
	if err != nil {
		l.t.Fatal(err)
	}
	for _, dir := range slices.Sorted(maps.Keys(folders)) {
		held, err := l.db.Records(l.t.Context(), dir)
		if err != nil {
			l.t.Fatal(err)
		}
		var ids []string
		for id, r := range held {
			ids = append(ids, fmt.Sprintf("%s owed=%v", id, r.Stamp == ""))
		}
		slices.Sort(ids)
		fmt.Fprintf(&b, "%s %v\n", strings.ReplaceAll(dir, l.dir, ""), ids)
	}
	l.files(&b, l.opts.User)
	return b.String()
}

func (l *lab) files(b *strings.Builder, dir string) {
	items, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, item := range items {
		data, err := os.ReadFile(filepath.Join(dir, item.Name()))
		if err != nil {
			l.t.Fatal(err)
		}
		fmt.Fprintf(b, "%s %s\n", item.Name(), data)
	}
}

// counting is a source that tells what was read, and can be disturbed.
type counting struct {
	*pi.Source
	reads atomic.Int64
	paths []string
	after func(n int64)               // called after each Read
	batch func(b *lookback.Batch)     // may alter what was read
	place func(list []lookback.Place) // may alter what was listed
}

func (c *counting) Places(ctx context.Context, workspaces ...string) ([]lookback.Place, []lookback.Warning) {
	list, warnings := c.Source.Places(ctx, workspaces...)
	if c.place != nil {
		c.place(list)
	}
	return list, warnings
}

func (c *counting) Read(ctx context.Context, p lookback.Place, cursor []byte, prior []lookback.Entry) (lookback.Batch, error) {
	b, err := c.Source.Read(ctx, p, cursor, prior)
	n := c.reads.Add(1)
	c.paths = append(c.paths, filepath.Base(p.Path))
	if c.batch != nil {
		c.batch(&b)
	}
	if c.after != nil {
		c.after(n)
	}
	return b, err
}

// took gives the names read since the last call.
func (c *counting) took() []string {
	paths := c.paths
	c.paths = nil
	slices.Sort(paths)
	return paths
}

var began = time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC)

// log makes a session file of version 3 in which a user and an assistant take
// turns.
func log(id, cwd string, texts ...string) string {
	head, _ := json.Marshal(map[string]any{"type": "session", "version": 3, "id": id, "timestamp": began, "cwd": cwd})
	return string(head) + "\n" + turns(1, texts...)
}

// turns makes the entries from number first on; their ids are e1, e2, …
func turns(first int, texts ...string) string { return turnsAs("e", first, texts...) }

func turnsAs(prefix string, first int, texts ...string) string {
	var b strings.Builder
	for i, text := range texts {
		n := first + i
		var parent any
		if n > 1 {
			parent = fmt.Sprint(prefix, n-1)
		}
		line, _ := json.Marshal(map[string]any{
			"type": "message", "id": fmt.Sprint(prefix, n), "parentId": parent,
			"timestamp": began.Add(time.Duration(n) * time.Minute), "message": message(n, text),
		})
		b.Write(append(line, '\n'))
	}
	return b.String()
}

func message(n int, text string) map[string]any {
	if n%2 == 1 {
		return map[string]any{"role": "user", "content": text}
	}
	return map[string]any{"role": "assistant", "stopReason": "stop", "content": []any{map[string]any{"type": "text", "text": text}}}
}

// logV1 is log in version 1, whose entries have no ids.
func logV1(id, cwd string, texts ...string) string {
	head, _ := json.Marshal(map[string]any{"type": "session", "id": id, "timestamp": began, "cwd": cwd})
	var b strings.Builder
	b.Write(append(head, '\n'))
	for i, text := range texts {
		line, _ := json.Marshal(map[string]any{
			"type": "message", "timestamp": began.Add(time.Duration(i+1) * time.Minute), "message": message(i+1, text),
		})
		b.Write(append(line, '\n'))
	}
	return b.String()
}

// talk makes n questions and answers that hold the word.
func talk(word string, n int) []string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf("question %d about %s", i, word), fmt.Sprintf("answer %d about %s", i, word))
	}
	return out
}
