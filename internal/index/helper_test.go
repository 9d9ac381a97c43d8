package index

import (
	"context"
	"fmt"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/ncruces/go-sqlite3"

	"lookback"
)

// open gives an empty index in a temporary folder.
func open(t testing.TB) *DB {
	t.Helper()
	return openAt(t, filepath.Join(t.TempDir(), "cache", "index.db"), Options{})
}

func openAt(t testing.TB, path string, o Options) *DB {
	t.Helper()
	db, err := Open(t.Context(), path, o)
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// put puts updates with a writer of their own.
func put(t testing.TB, db *DB, updates ...Update) {
	t.Helper()
	write(t, db, func(w *Writer) error {
		for _, u := range updates {
			if err := w.Put(t.Context(), u); err != nil {
				return err
			}
		}
		return nil
	})
}

func write(t testing.TB, db *DB, fn func(*Writer) error) {
	t.Helper()
	w, err := db.Writer(t.Context(), false)
	if err != nil {
		t.Fatalf("writer: %v", err)
	}
	err = fn(w)
	if cerr := w.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		t.Fatalf("write: %v", err)
	}
}

// mustBeSound fails the test when the index does not fit together.
func mustBeSound(t testing.TB, db *DB) {
	t.Helper()
	problems, err := db.Check(t.Context())
	if err != nil || len(problems) > 0 {
		t.Fatalf("check: %q, %v", problems, err)
	}
}

// session makes entries from lines such as "u hello", "a: working" (goes on to call
// a tool) or "a done"; "2>u again" has entry 2 as parent instead of the one before.
func session(native string, lines ...string) (lookback.Session, []lookback.Entry) {
	s := lookback.Session{ID: lookback.SessionID{Agent: "pi", Native: native}, Cwd: "/home/dev/work", Version: 3,
		Started: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	var entries []lookback.Entry
	at := int64(100)
	for i, line := range lines {
		e := lookback.Entry{Seq: i + 1, ID: fmt.Sprintf("%08x", i+1), Parent: i, Message: true, Offset: at, Size: len(line),
			Time: s.Started.Add(time.Duration(i) * time.Minute)}
		if parent, rest, ok := strings.Cut(line, ">"); ok {
			fmt.Sscan(parent, &e.Parent)
			line = rest
		}
		role, text, _ := strings.Cut(line, " ")
		switch role {
		case "u":
			e.Role = lookback.RoleUser
		case "a":
			e.Role, e.Stop = lookback.RoleAssistant, lookback.StopFinal
		case "a:":
			e.Role, e.Stop, e.Calls = lookback.RoleAssistant, lookback.StopTools, []lookback.Call{{Name: "bash"}}
		case "t":
			e.Role, e.Reply = lookback.RoleTool, &lookback.Reply{Tool: "bash"}
			text = ""
		default:
			e.Message, text = false, ""
		}
		if text != "" {
			e.Parts = []lookback.Part{{Text: text}}
		}
		at += int64(e.Size) + 1
		entries = append(entries, e)
	}
	s.Name = lookback.FallbackName(entries)
	return s, entries
}

// update makes the Update that ingest makes for a session, with every summary
// written.
func update(s lookback.Session, entries []lookback.Entry, from int) Update {
	f := lookback.Exchanges(entries)
	path := "/logs/" + s.ID.Native + ".jsonl"
	u := Update{
		Session: Session{Session: s, Source: path, Entries: len(entries), Exchanges: len(f.Exchanges)},
		Entries: entries, From: from, File: &File{Path: path, Stamp: fmt.Sprint(len(entries)), Cursor: []byte{1}},
	}
	inside := map[int]bool{}
	x := 0
	for _, n := range lookback.BuildTree("a", s.Name, entries, &f) {
		_, node, _ := strings.Cut(n.ID, ":")
		d := Doc{Kind: n.Kind, Node: node, First: n.From, Last: n.To, Ready: true, Done: n.Completed}
		for _, p := range n.Parents {
			_, parent, _ := strings.Cut(p, ":")
			d.Parents = append(d.Parents, parent)
		}
		switch n.Kind {
		case lookback.KindExchange:
			e := f.Exchanges[x]
			x++
			d.Users, d.Steps, d.Answers = e.Users, e.Steps, e.Pieces
			if e.Answer != 0 {
				d.Answers = append(d.Answers[:len(d.Answers):len(d.Answers)], e.Answer)
			}
			for _, field := range [][]int{d.Users, d.Answers, d.Steps} {
				for _, seq := range field {
					inside[seq] = true
				}
			}
		case lookback.KindSummary:
			d.Text = "summary of " + node
		default:
			u.Session.First, u.Session.Last = n.From, n.To
			continue
		}
		u.Docs = append(u.Docs, d)
	}
	for i := range entries {
		e := &entries[i]
		switch {
		case !e.Spoken() || inside[e.Seq]:
		case e.Role == lookback.RoleUser:
			u.Docs = append(u.Docs, Doc{Kind: lookback.KindEntry, Users: []int{e.Seq}, First: e.Time, Last: e.Time, Ready: true})
		default:
			u.Docs = append(u.Docs, Doc{Kind: lookback.KindEntry, Answers: []int{e.Seq}, First: e.Time, Last: e.Time, Ready: true})
		}
	}
	u.Docs = append(u.Docs, Doc{Kind: lookback.KindSession, Text: s.Name, Ready: true})
	return u
}

// rows gives the rows of a query as text, columns joined by |.
func rows(t testing.TB, db *DB, sql string, args ...any) []string {
	t.Helper()
	var out []string
	err := db.read(context.Background(), func(c *conn) error {
		return c.query(sql, func(s *sqlite3.Stmt) error {
			var cols []string
			for i := range s.ColumnCount() {
				cols = append(cols, s.ColumnText(i))
			}
			out = append(out, strings.Join(cols, "|"))
			return nil
		}, args...)
	})
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return out
}

// match gives the doc.ids that an FTS5 query finds.
func match(t testing.TB, db *DB, query string) string {
	t.Helper()
	return strings.Join(rows(t, db, "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid", query), " ")
}

// dump gives everything that the index holds, but for born and the counters, with
// numbers that depend on the order of writing replaced by names.
func dump(t testing.TB, db *DB) []string {
	t.Helper()
	const where = `(SELECT s.native || CASE g.parent WHEN -1 THEN '/node ' || coalesce((SELECT node FROM doc WHERE id=%[1]s), '?') ELSE '/' || (%[1]s&16777215) END
		FROM segment g JOIN session s ON s.id=g.session WHERE g.id=%[1]s>>24)`
	at := func(id string) string { return fmt.Sprintf(where, id) }
	var out []string
	add := func(table, sql string) {
		for _, row := range rows(t, db, sql) {
			out = append(out, table+" "+row)
		}
	}
	add("session", `SELECT s.native, d.path, homes, archive, record, source, gone, name, named, version, aged, parent,
		family, started, first, last, entries, exchanges, pending FROM session s JOIN dir d ON d.id=s.dir`)
	add("file", "SELECT path, stamp, (SELECT native FROM session s WHERE s.id=session), cursor FROM file")
	add("segment", "SELECT "+at("(g.parent<<24|g.cap)")+", g.cap, (SELECT native FROM session WHERE id=g.session), g.parent<0 FROM segment g")
	add("entry", "SELECT "+at("e.id")+", e.role, coalesce(e.text, o.text) FROM entry e LEFT JOIN entry o ON o.id=e.same")
	add("doc", "SELECT "+at("d.id")+", kind, node, first, last, state, parents, text FROM doc d")
	add("term", "SELECT term FROM term")
	out = append(out, dumpMembers(t, db)...)
	out = append(out, dumpWords(t, db, at("doc"))...)
	sort.Strings(out)
	return out
}

func dumpMembers(t testing.TB, db *DB) (out []string) {
	err := db.read(context.Background(), func(c *conn) error {
		return c.query("SELECT d.id, members, s.native FROM doc d JOIN session s ON s.id=d.session", func(s *sqlite3.Stmt) error {
			m, err := unpackMembers(s.ColumnRawBlob(1), s.ColumnInt64(0))
			var seqs [3][]int
			for i, field := range [][]int64{m.users, m.answers, m.steps} {
				for _, id := range field {
					seqs[i] = append(seqs[i], seqOf(id))
				}
			}
			out = append(out, fmt.Sprintf("members %s/%d %v", s.ColumnText(2), seqOf(s.ColumnInt64(0)), seqs))
			return err
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// dumpWords lists every token of the word index with its places.
func dumpWords(t testing.TB, db *DB, at string) (out []string) {
	c, err := db.dial(context.Background(), writerPragmas)
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	if err := c.Exec("CREATE VIRTUAL TABLE temp.inst USING fts5vocab(main, words, instance)"); err != nil {
		t.Fatal(err)
	}
	err = c.query("SELECT term, col, offset, "+at+" FROM temp.inst WHERE col<>'scope'", func(s *sqlite3.Stmt) error {
		out = append(out, fmt.Sprintf("words %q %s %s %s", s.ColumnText(0), s.ColumnText(1), s.ColumnText(2), s.ColumnText(3)))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// same fails the test where two dumps differ.
func same(t testing.TB, what string, got, want []string) {
	t.Helper()
	has := map[string]int{}
	for _, line := range want {
		has[line]++
	}
	bad := 0
	for _, line := range got {
		if has[line]--; has[line] < 0 && bad < 10 {
			t.Errorf("%s: more: %s", what, line)
			bad++
		}
	}
	for line, n := range has {
		if n > 0 && bad < 20 {
			t.Errorf("%s: lacks: %s", what, line)
			bad++
		}
	}
}
