package index

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"lookback"
)

// grownSession makes a random tree of entries.
func grownSession(r *rand.Rand, native string, n int) (lookback.Session, []lookback.Entry) {
	vocabulary := []string{"alpha", "beta_gamma", "delta", "数据库", "epsilon", "fooBar", "running", "🙂"}
	var lines []string
	for i := range n {
		line := []string{"u", "a", "a:", "t", "x"}[min(r.IntN(6), 4)]
		for range r.IntN(4) {
			line += " " + vocabulary[r.IntN(len(vocabulary))]
		}
		if i > 0 && r.IntN(4) == 0 {
			line = fmt.Sprintf("%d>%s", r.IntN(i+1), line)
		}
		lines = append(lines, line)
	}
	return session(native, lines...)
}

// A session that grew entry by entry is indexed as one that was put at once.
func TestGrownEqualsWhole(t *testing.T) {
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 1))
		grown, whole := open(t), open(t)
		var updates []Update
		write(t, grown, func(w *Writer) error {
			for k := range 3 {
				s, entries := grownSession(r, fmt.Sprintf("s%d", k), 5+r.IntN(30))
				for at := 0; at < len(entries); {
					next := min(len(entries), at+1+r.IntN(3))
					if err := w.Put(t.Context(), update(s, entries[:next], at+1)); err != nil {
						return err
					}
					at = next
				}
				updates = append(updates, update(s, entries, 1))
			}
			return nil
		})
		put(t, whole, updates...)
		mustBeSound(t, grown)
		same(t, fmt.Sprintf("seed %d", seed), dump(t, grown), dump(t, whole))
		if t.Failed() {
			return
		}
	}
}

// The same for sessions that take turns and fork each other, put in any order.
func TestForksInAnyOrder(t *testing.T) {
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 2))
		var updates []Update
		for k := range 6 {
			s, entries := grownSession(r, fmt.Sprintf("s%d", k), 4+r.IntN(12))
			if k > 0 { // begins with a copy of an earlier one
				from := updates[r.IntN(k)]
				s.Parent = from.Session.Source
				if r.IntN(3) == 0 {
					s.Parent = "/elsewhere/2026_" + from.Session.ID.Native + ".jsonl"
				}
				n := 1 + r.IntN(len(from.Entries))
				entries = append(from.Entries[:n:n], entries[min(n, len(entries)):]...)
				for i := range entries {
					entries[i].Seq, entries[i].Parent = i+1, min(entries[i].Parent, i)
				}
			}
			updates = append(updates, update(s, entries, 1))
		}
		straight, mixed := open(t), open(t)
		put(t, straight, updates...)
		write(t, mixed, func(w *Writer) error {
			for _, i := range r.Perm(len(updates)) {
				u := updates[i]
				half := update(u.Session.Session, u.Entries[:1+r.IntN(len(u.Entries))], 1)
				if err := w.Put(t.Context(), half); err != nil {
					return err
				}
			}
			for _, i := range r.Perm(len(updates)) {
				if err := w.Put(t.Context(), updates[i]); err != nil {
					return err
				}
			}
			return nil
		})
		mustBeSound(t, mixed)
		mustBeSound(t, straight)
		same(t, fmt.Sprintf("seed %d", seed), dump(t, mixed), dump(t, straight))
		if t.Failed() {
			return
		}
	}
}
