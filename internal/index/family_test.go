package index

import (
	"fmt"
	"slices"
	"testing"

	"lookback"
)

func forkOf(parent, native string, lines ...string) Update {
	s, entries := session(native, lines...)
	s.Parent = parent
	return update(s, entries, 1)
}

func TestForksShareWords(t *testing.T) {
	db := open(t)
	base := []string{"u apple", "a pear", "u plum"}
	one := forkOf("", "one", base...)
	two := forkOf("/logs/one.jsonl", "two", append(base, "a quince")...)
	three := forkOf("two", "three", append(base, "a quince", "u fig")...)
	other := forkOf("", "other", base...)
	put(t, db, one, two, three, other)
	mustBeSound(t, db)
	if got := rows(t, db, "SELECT native, family FROM session ORDER BY id"); !slices.Equal(got, []string{"one|one", "two|one", "three|one", "other|other"}) {
		t.Errorf("families %q", got)
	}
	if got := rows(t, db, "SELECT count(*) FROM entry WHERE text='apple'"); got[0] != "2" { // the family's and the other's
		t.Errorf("apple is kept %s times", got[0])
	}
	twins := func() []string {
		return rows(t, db, `SELECT group_concat(s.native, ' ') FROM (SELECT * FROM doc ORDER BY id) d JOIN session s ON s.id=d.session WHERE kind=1 GROUP BY twin ORDER BY min(d.id)`)
	}
	if got := twins(); !slices.Equal(got, []string{"one two three", "one", "two three", "three", "other", "other"}) {
		t.Errorf("twins %q", got)
	}
	// The words of a fork outlive what they were copied from.
	write(t, db, func(w *Writer) error { return w.Remove(t.Context(), one.Session.ID) })
	mustBeSound(t, db)
	for row, want := range map[int64]int{2: 4, 3: 5} {
		log, err := db.Log(t.Context(), row)
		if err != nil || len(log) != want || log[0].Words() != "apple" || log[2].Words() != "plum" {
			t.Errorf("log of %d: %+v, %v", row, log, err)
		}
	}
	if got := rows(t, db, "SELECT count(*) FROM entry WHERE text='apple'"); got[0] != "2" {
		t.Errorf("apple is kept %s times", got[0])
	}
	put(t, db, forkOf("/logs/one.jsonl", "two", "u banana"))
	if log, err := db.Log(t.Context(), 3); err != nil || log[0].Words() != "apple" {
		t.Errorf("after a copy was replaced: %+v, %v", log, err)
	}
	mustBeSound(t, db)
}

// Families come together whatever the order their members appear in, and come
// apart again.
func TestFamilies(t *testing.T) {
	db := open(t)
	lines := []string{"u apple", "a pear"}
	families := func() string {
		return fmt.Sprint(rows(t, db, "SELECT native || ':' || family FROM session ORDER BY id"))
	}
	step := func(want string, fn func(w *Writer) error) {
		t.Helper()
		write(t, db, fn)
		if got := families(); got != want {
			t.Errorf("families %s, want %s", got, want)
		}
		if n := rows(t, db, "SELECT count(DISTINCT twin), count(DISTINCT s.family) FROM doc d JOIN session s ON s.id=d.session WHERE kind=1")[0]; n[:1] != n[2:] {
			t.Errorf("twins and families: %s", n)
		}
		mustBeSound(t, db)
	}
	add := func(parent, native string) func(w *Writer) error {
		return func(w *Writer) error { return w.Put(t.Context(), forkOf(parent, native, lines...)) }
	}
	step("[a:root]", add("/old/x_root.jsonl", "a"))
	step("[a:root b:root]", add("/old/x_root.jsonl", "b")) // the parent is not known, but the same
	step("[a:root b:root c:root]", add("/logs/b.jsonl", "c"))
	step("[a:root b:root c:root d:other]", add("/old/x_other.jsonl", "d"))
	step("[a:root b:root c:root d:other root:root]", add("", "root")) // now it is
	step("[a:root b:root c:root d:root root:root other:root]", add("root", "other"))
	step("[a:root b:root c:root d:top root:root other:top]", add("top", "other")) // which leaves
	step("[a:top b:top c:top d:top root:top other:top]", add("top", "root"))
	step("[a:root b:root c:root d:top other:top]", func(w *Writer) error { // which leaves two unknown parents
		return w.Remove(t.Context(), lookback.SessionID{Agent: "pi", Native: "root"})
	})
}

func TestFamilyInACircle(t *testing.T) {
	db := open(t)
	put(t, db, forkOf("b", "a", "u x"), forkOf("c", "b", "u x"), forkOf("b", "c", "u x"), forkOf("self", "self", "u x"))
	if got := fmt.Sprint(rows(t, db, "SELECT native || ':' || family FROM session ORDER BY id")); got != "[a:b b:b c:b self:self]" {
		t.Errorf("families %s", got)
	}
	mustBeSound(t, db)
}

func TestParentOf(t *testing.T) {
	db := open(t)
	put(t, db, forkOf("", "one", "u x"))
	for parent, want := range map[string]bool{"": false, "one": true, "/logs/one.jsonl": true, `C:\old\2026_one.jsonl`: true, "/logs/two.jsonl": false} {
		s, err := db.ParentOf(t.Context(), lookback.Session{ID: lookback.SessionID{Agent: "pi", Native: "two"}, Parent: parent})
		if err != nil || (s != nil) != want {
			t.Errorf("%q: %v, %v", parent, s, err)
		}
	}
}

// Shared words are kept once whichever of a family comes first, also when its
// sessions are put one by one.
func TestForksShareWordsInAnyOrder(t *testing.T) {
	base := []string{"u apple", "a pear"}
	all := []Update{forkOf("", "one", base...), forkOf("/logs/one.jsonl", "two", append(base, "u plum")...), forkOf("two", "three", append(base, "u plum")...)}
	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 2, 0}} {
		db := open(t)
		for _, i := range order {
			put(t, db, all[i])
		}
		mustBeSound(t, db)
		if got := rows(t, db, "SELECT count(*), (SELECT count(DISTINCT family) FROM session) FROM entry WHERE same=0"); got[0] != "3|1" {
			t.Errorf("%v: texts and families %s", order, got[0])
		}
	}
}
