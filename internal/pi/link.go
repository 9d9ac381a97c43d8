package pi

import "lookback"

// index finds entries by id.
type index struct {
	last  map[string]int // the latest entry with an id
	first map[string]int // the first one, for ids that occur twice
	older map[int]int    // the entry before with the same id
}

// maxKept is the size up to which the memory of an index serves the next file too:
// clearing a large one for a small file costs more than it saves.
const maxKept = 1 << 10

func (x *index) init(prior []lookback.Entry) {
	if x.first, x.older = nil, nil; x.last == nil || len(x.last) > maxKept {
		x.last = make(map[string]int, len(prior)+64)
	}
	clear(x.last)
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
	r.cur.Faults.add(kind, w.line)
	if w.seq <= settled.Seq {
		settled.Faults.add(kind, w.line)
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
