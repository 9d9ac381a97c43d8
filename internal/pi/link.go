package pi

import (
	"crypto/sha256"
	"fmt"
	"io"

	"lookback"
)

// name notes the id of an entry.
func (r *run) name(id string, seq int) {
	if old := r.last[id]; old != 0 {
		r.older[seq] = old
	}
	r.last[id] = seq
}

func (r *run) entry(seq int) *lookback.Entry {
	if seq <= len(r.prior) {
		return &r.prior[seq-1]
	}
	return &r.log[seq-1-len(r.prior)]
}

// want is a parent id that named no earlier entry.
type want struct {
	seq, line int
	id        string
	after     bool // the entry comes right after an unreadable line
}

// link resolves the parents that stand later in the file, or nowhere.
func (r *run) link(settled *cursor) {
	if len(r.wants) == 0 {
		return
	}
	up, first := make([]int, r.cur.Seq+1), map[string]int{}
	for seq := r.cur.Seq; seq > 0; seq-- {
		e := r.entry(seq)
		up[seq], first[e.ID] = e.Parent, seq
	}
	for _, w := range r.wants {
		target, fault := first[w.id], lookback.ParentCycle
		if target == 0 || target > settled.Seq {
			settled.pend(w)
		}
		if target == 0 {
			fault = lookback.MissingParent
			if w.after {
				target = w.seq - 1
			}
		}
		if target == 0 || root(up, target) == w.seq { // a link from a root to what hangs below it closes a ring
			r.cur.Faults.add(fault, w.line)
			if w.seq <= settled.Seq {
				settled.Faults.add(fault, w.line)
			}
			continue
		}
		r.entry(w.seq).Parent, up[w.seq] = target, target
		if w.seq <= settled.Seq && target > settled.Seq {
			settled.Whole = true
		}
	}
}

// root finds the root above an entry and shortens the way as it goes.
func root(up []int, seq int) int {
	for up[seq] != 0 {
		if next := up[up[seq]]; next != 0 {
			up[seq] = next
		}
		seq = up[seq]
	}
	return seq
}

// maxPending bounds a cursor; a log with more unknown parents is read as a whole.
const maxPending = 64

func (c *cursor) pend(w want) {
	if w.seq > c.Seq {
		return
	}
	if len(c.Pending) == maxPending || len(w.id) > 256 {
		c.Whole = true
		return
	}
	c.Pending = append(c.Pending[:len(c.Pending):len(c.Pending)], w.id)
}

// sum names the bytes of a record.
type sum [sha256.Size]byte

// repeat finds out whether the record parsed last was accepted before, byte for
// byte, and as which entry; 0 when it was not. Only records whose id occurs again
// are ever compared, and each of them once. Those of version 1 have no ids and are
// all compared.
func (r *run) repeat(offset int64) (int, error) {
	rec := &r.p.rec
	had := r.last[string(rec.id)]
	if rec.hasID && had == 0 {
		return 0, nil
	}
	id := string(rec.id)
	for seq := had; seq != 0 && !r.known[id]; seq = r.older[seq] {
		e := r.entry(seq)
		key, err := r.sum(e.Offset, e.Size)
		if err != nil {
			return 0, err
		}
		r.sums[key] = seq
	}
	r.known[id] = true
	key, err := r.sum(offset, int(rec.to-rec.from))
	if seq := r.sums[key]; seq != 0 || err != nil {
		return seq, err
	}
	r.sums[key] = r.cur.Seq + 1
	if rec.hasID {
		r.warn(lookback.DuplicateID)
	}
	return 0, nil
}

func (r *run) sum(offset int64, size int) (s sum, err error) {
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(r.f, offset, int64(size))); err != nil {
		return s, fmt.Errorf("pi: %w", err)
	}
	h.Sum(s[:0])
	return s, nil
}
