package index

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"testing"
)

// A forgotten session leaves no word in the files, whatever became of it before,
// and takes none from the dictionary that others say.
func TestForgetLeavesNoWords(t *testing.T) {
	for _, o := range []Options{{}, {Rollback: true}} {
		db := openAt(t, t.TempDir()+"/cache/index.db", o)
		secret, entries := session("secret", "u Xylograph apple", "a Quokkabarn pear", "u Zyzzyvaword plum", "a done")
		var others []Update
		for i := range 40 {
			s, e := session(fmt.Sprint("other", i), "u apple kayak", fmt.Sprint("a barge", i))
			others = append(others, update(s, e, 1))
		}
		put(t, db, others...)
		want := rows(t, db, "SELECT term FROM term")
		u := update(secret, entries[:2], 1)
		u.File.Cursor = []byte("Xylograph")
		put(t, db, u)
		put(t, db, update(secret, entries, 3)) // whose pages keep the older state
		write(t, db, func(w *Writer) error {
			return errors.Join(w.Forget(t.Context(), secret.ID), w.Put(t.Context(), others[0]))
		})
		mustBeSound(t, db)
		if got := rows(t, db, "SELECT term FROM term"); !slices.Equal(got, want) {
			t.Errorf("the dictionary has %q, want %q", got, want)
		}
		for _, suffix := range []string{"", logSuffix, journalSuffix} {
			raw, _ := os.ReadFile(db.path + suffix)
			for _, word := range []string{"xylograph", "quokkabarn", "zyzzyvaword", "uokkabarn"} {
				if bytes.Contains(bytes.ToLower(raw), []byte(word)) {
					t.Errorf("index.db%s holds %s", suffix, word)
				}
			}
		}
		if match(t, db, "kayak") == "" {
			t.Error("others lost words")
		}
	}
}
