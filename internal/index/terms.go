package index

import "sort"

// termSlots bounds what is remembered of terms already written: 1 MB, so that it stays near the
// processor.
const termSlots = 1 << 17

// termSet gathers the terms that the term table may lack. What it remembers of
// those written before is a hash each, in a table where a newer one displaces an
// older: forgetting costs an insert that is ignored.
type termSet struct {
	known []uint64
	fresh []string
}

// add takes a term in.
func (t *termSet) add(term []byte) {
	h := hash64(1, term) | 1 // 0 marks a free slot
	if t.known == nil {
		t.known = make([]uint64, termSlots)
	}
	slot := &t.known[h>>40%termSlots]
	if *slot != h {
		*slot = h
		t.fresh = append(t.fresh, string(term))
	}
}

// flush writes the new terms in their order, so that neighbours meet one page.
func (t *termSet) flush(c *conn) error {
	sort.Strings(t.fresh)
	last := ""
	for _, term := range t.fresh {
		if term == last {
			continue
		}
		last = term
		if err := c.run("INSERT OR IGNORE INTO term(term) VALUES (?)", term); err != nil {
			return err
		}
	}
	t.fresh = t.fresh[:0]
	return nil
}

// forget drops everything: what was gathered or written is not in the database.
func (t *termSet) forget() { *t = termSet{} }
