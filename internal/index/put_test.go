package index

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"lookback"
)

func TestPutFindsEverything(t *testing.T) {
	db := open(t)
	s, entries := session("one", "u how do I profile parseQuery", "a: let me look", "t", "a use pprof", "u thanks 谢谢", "a any time")
	s.Name, s.Named = "Profiling notes", true
	put(t, db, update(s, entries, 1))
	mustBeSound(t, db)
	first, second := place(2, 1), place(2, 5)
	for query, want := range map[string]int64{
		`user : profile`: first, `assistant : pprof`: first, `steps : "let me"`: first, `user : "parse query"`: first, `user : parsequery`: first,
		`user : thanks`: second, `user : "谢谢"`: second, `assistant : time`: second,
		`meta : profiling AND user : thanks`: second, "assistant : \"\x03pprof\x1e\"": first,
		"assistant : pprof AND scope : \"\x02d1\"": first, "assistant : pprof AND scope : \"\x02s1 \x02k1\"": first,
	} {
		if got := match(t, db, query); got != fmt.Sprint(want) {
			t.Errorf("%q finds %s, want %d", query, got, want)
		}
	}
	for _, query := range []string{`user : pprof`, `assistant : profile`, "scope : d1", "scope : \"\x02d2\"", `"look use"`} {
		if got := match(t, db, query); got != "" {
			t.Errorf("%q finds %s", query, got)
		}
	}
	// The last column: no phrase runs from one entry into the next.
	s, entries = session("two", "u alpha beta", "u gamma delta", "a done")
	put(t, db, update(s, entries, 1))
	if match(t, db, `"alpha beta"`) == "" || match(t, db, `"gamma delta"`) == "" || match(t, db, `"beta gamma"`) != "" {
		t.Error("phrases stop at the end of an entry")
	}
}

// What did not change is not written again.
func TestPutWritesDifferences(t *testing.T) {
	db := open(t)
	s, entries := session("one", "u first question", "a first answer", "u second question", "a second answer", "u third")
	put(t, db, update(s, entries[:2], 1))
	before := rows(t, db, "SELECT id, born, hash FROM doc ORDER BY id")
	put(t, db, update(s, entries, 3))
	after := rows(t, db, "SELECT id, born, hash FROM doc ORDER BY id")
	for _, row := range before {
		if !slices.Contains(after, row) {
			t.Errorf("%s is no more, now %q", row, after)
		}
	}
	if len(after) != 4 {
		t.Errorf("docs %q", after)
	}
	changes := func() string { return rows(t, db, "SELECT value FROM fact WHERE name='changes'")[0] }
	written := func(u Update) (n int64) {
		write(t, db, func(w *Writer) error {
			total := w.c.TotalChanges()
			err := w.Put(t.Context(), u)
			if len(w.feed.rows) > 0 {
				t.Errorf("%d rows for the word index", len(w.feed.rows))
			}
			n = w.c.TotalChanges() - total
			return err
		})
		return n
	}
	was := changes()
	if n := written(update(s, entries, len(entries)+1)); n > 3 { // session, file, its warnings
		t.Errorf("%d rows written for no change", n)
	}
	if changes() == was {
		t.Error("a commit does not count")
	}
	u := update(s, entries, len(entries)+1)
	u.Docs[0].Done, u.Docs[0].Parents = false, []string{"1:x y", ""}
	if n := written(u); n > 4 {
		t.Errorf("%d rows written for a flag", n)
	}
	if got := rows(t, db, "SELECT parents FROM doc WHERE id=?", place(2, 1)); got[0] != "1:x%20y -" || !slices.Equal(splitNodes(got[0]), u.Docs[0].Parents) {
		t.Errorf("parents %q", got)
	}
}

func TestPutReplaces(t *testing.T) {
	db, fresh := open(t), open(t)
	s, old := session("one", "u apple", "a pear", "u plum", "a cherry", "2>u fig", "a melon")
	put(t, db, update(s, old, 1))
	_, entries := session("one", "u apple", "a PEAR and quince", "u plum", "2>u kiwi", "a cherry")
	entries[0].ID = "ffff0001"
	put(t, db, update(s, entries, 1))
	put(t, fresh, update(s, entries, 1))
	mustBeSound(t, db)
	got, want := dump(t, db), dump(t, fresh)
	// The dictionary forgets nothing.
	got = slices.DeleteFunc(got, func(line string) bool { return strings.HasPrefix(line, "term ") && !slices.Contains(want, line) })
	same(t, "replaced", got, want)
	if n := match(t, db, "melon OR fig"); n != "" {
		t.Errorf("old words are found at %s", n)
	}
}

// A caller that is wrong about what the index holds does no harm.
func TestPutMistrustsFrom(t *testing.T) {
	db, fresh := open(t), open(t)
	s, entries := session("one", "u apple", "a pear", "u plum", "a cherry")
	put(t, db, update(s, entries, 4))
	put(t, fresh, update(s, entries, 1))
	same(t, "from too high", dump(t, db), dump(t, fresh))
	s2, other := session("one", "u apple", "u tomato", "a pear", "u plum", "a cherry")
	put(t, db, update(s2, other, 5))
	if log, err := db.Log(t.Context(), 1); err != nil || len(log) != 5 || log[1].Words() != "tomato" || log[4].Words() != "cherry" {
		t.Errorf("log %+v, %v", log, err)
	}
	mustBeSound(t, db)
}

func TestRemove(t *testing.T) {
	db, fresh := open(t), open(t)
	s, entries := session("one", "u apple", "a pear")
	s2, entries2 := session("two", "u plum", "a cherry")
	put(t, db, update(s, entries, 1), update(s2, entries2, 1))
	write(t, db, func(w *Writer) error {
		if err := w.PutRecord(t.Context(), "/arch", "r1", "x", s.ID); err != nil {
			return err
		}
		return errors.Join(w.Remove(t.Context(), s.ID), w.Remove(t.Context(), s.ID))
	})
	put(t, fresh, update(s2, entries2, 1))
	got := slices.DeleteFunc(dump(t, db), func(line string) bool { return line == "term apple" || line == "term pear" })
	same(t, "removed", got, dump(t, fresh))
	mustBeSound(t, db)
	if r, err := db.Records(t.Context(), "/arch"); err != nil || len(r) != 0 {
		t.Errorf("records %v, %v", r, err)
	}
}

func TestTooLong(t *testing.T) {
	db := open(t)
	write(t, db, func(w *Writer) error {
		if err := w.Put(t.Context(), Update{Entries: make([]lookback.Entry, maxSeq+1)}); !errors.Is(err, ErrTooLong) {
			t.Errorf("got %v", err)
		}
		return nil
	})
}

func TestLog(t *testing.T) {
	db := open(t)
	s, entries := session("one", "u apple", "a: one", "t", "a two", "2>u three", "x label")
	entries[0].Parts = []lookback.Part{{Text: "see"}, {Kind: lookback.PartImage}, {Kind: lookback.PartThinking, Text: "hm"}, {Text: "this"}}
	put(t, db, update(s, entries, 1))
	log, err := db.Log(t.Context(), 1)
	if err != nil || len(log) != len(entries) {
		t.Fatalf("%d entries, %v", len(log), err)
	}
	for i := range log {
		a, b := &log[i], &entries[i]
		if a.Words() != b.Words() || a.ID != b.ID || a.Parent != b.Parent || a.Time != b.Time || a.Offset != b.Offset || a.Spoken() != b.Spoken() || a.CallsTools() != b.CallsTools() {
			t.Errorf("entry %d: %+v, want %+v", i+1, a, b)
		}
	}
	if len(log[0].Parts) != 3 || log[0].Parts[1].Kind != lookback.PartImage {
		t.Errorf("parts %+v", log[0].Parts)
	}
	bare, err := db.Skeleton(t.Context(), 1)
	if err != nil || len(bare) != len(entries) || bare[0].Parts != nil {
		t.Errorf("skeleton %+v, %v", bare, err)
	}
	if none, err := db.Log(t.Context(), 99); err != nil || none != nil {
		t.Errorf("no session: %v, %v", none, err)
	}
}
