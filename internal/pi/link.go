package pi

import (
	"crypto/sha256"
	"fmt"
	"io"

	"lookback"
)

// index finds entries by id.
type index struct {
	last  map[string]int // the latest entry with an id
	first map[string]int // the first one, for ids that occur twice
	older map[int]int    // the entry before with the same id
}

func (x *index) init(prior []lookback.Entry) {
	x.last = make(map[string]int, len(prior)+64)
	for i := range prior {
		x.add(prior[i].ID, i+1)
	}
}

func (x *index) add(id string, seq int) {
	if old := x.last[id]; old != 0 {
		if x.older == nil {
			x.older, x.first = map[int]int{}, map[string]int{}
		}
		x.older[seq] = old
		if x.first[id] == 0 {
			x.first[id] = old
		}
	}
	x.last[id] = seq
}

// earliest is the first entry with the id, 0 for none.
func (x *index) earliest(id string) int {
	if seq := x.first[id]; seq != 0 {
		return seq
	}
	return x.last[id]
}

// sum names the bytes of a record.
type sum struct {
	id   string
	size int
	hash [sha256.Size]byte
}

// repeat finds out whether the record parsed last was accepted before, byte for
// byte, and as which entry; 0 when it was not.
func (r *run) repeat(offset int64) (int, error) {
	rec := &r.p.rec
	if !rec.hasID && r.cur.Version > 1 {
		return 0, nil
	}
	had := r.ids.last[rec.id]
	if rec.hasID && had == 0 {
		return 0, nil
	}
	if r.sums == nil {
		r.sums = map[sum]int{}
	}
	size := int(rec.to - rec.from)
	key, err := r.sum(rec.id, offset, size)
	if err != nil {
		return 0, err
	}
	if !rec.hasID {
		if seq := r.sums[key]; seq != 0 {
			return seq, nil
		}
		r.sums[key] = r.cur.Seq + 1
		return 0, nil
	}
	if seq, ok := r.sums[sum{id: rec.id}]; !ok || seq == 0 {
		for seq := had; seq != 0; seq = r.ids.older[seq] {
			e := r.entry(seq)
			k, err := r.sum(rec.id, e.Offset, e.Size)
			if err != nil {
				return 0, err
			}
			r.sums[k] = seq
		}
		r.sums[sum{id: rec.id}] = had // the id's entries are all in sums from here on
	}
	if seq := r.sums[key]; seq != 0 {
		return seq, nil
	}
	r.warn(lookback.DuplicateID, "")
	r.sums[key] = r.cur.Seq + 1
	return 0, nil
}

func (r *run) sum(id string, offset int64, size int) (sum, error) {
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(r.f, offset, int64(size))); err != nil {
		return sum{}, fmt.Errorf("pi: %w", err)
	}
	s := sum{id: id, size: size}
	h.Sum(s.hash[:0])
	return s, nil
}

func (r *run) entry(seq int) *lookback.Entry {
	if seq <= len(r.prior) {
		return &r.prior[seq-1]
	}
	return &r.log[seq-1-len(r.prior)]
}

// link resolves the parents that stand later in the file, or nowhere.
func (r *run) link(settled *cursor) {
	var up roots
	for _, w := range r.wants {
		e := r.entry(w.seq)
		target := r.ids.earliest(w.id)
		if target == 0 || target > settled.Seq {
			settled.pend(w)
		}
		if target == 0 && w.after && w.seq > 1 && up.root(r, w.seq-1) != w.seq {
			e.Parent = w.seq - 1
			up.join(r, w.seq, e.Parent)
			continue
		}
		if target == 0 {
			r.late(settled, w, lookback.MissingParent)
			continue
		}
		if up.root(r, target) == w.seq {
			r.late(settled, w, lookback.ParentCycle)
			continue
		}
		e.Parent = target
		up.join(r, w.seq, target)
		if w.seq <= settled.Seq && target > settled.Seq {
			settled.Whole = true
		}
	}
}

// late adds a warning that shows only after the last line.
func (r *run) late(settled *cursor, w want, kind lookback.WarningKind) {
	r.cur.Faults.add(kind, w.line, "")
	if w.seq <= settled.Seq {
		settled.Faults.add(kind, w.line, "")
	}
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

// roots finds the root above an entry while links are being made, shortening the
// ways as it goes. A link from a root to something below it closes a ring.
type roots []int

func (u *roots) init(r *run) {
	if *u != nil {
		return
	}
	*u = make(roots, r.cur.Seq+1)
	for seq := 1; seq <= r.cur.Seq; seq++ {
		(*u)[seq] = r.entry(seq).Parent
	}
}

func (u *roots) root(r *run, seq int) int {
	u.init(r)
	up := *u
	for up[seq] != 0 {
		if next := up[up[seq]]; next != 0 {
			up[seq] = next
		}
		seq = up[seq]
	}
	return seq
}

func (u *roots) join(r *run, seq, parent int) {
	u.init(r)
	(*u)[seq] = parent
}
