package pi

import (
	"slices"
	"time"

	"lookback"
)

// result finishes the log once all lines are read.
func (r *run) result(settled cursor, now time.Time) (lookback.Batch, error) {
	r.link(&settled)
	for _, k := range r.keeps {
		if k.index < len(r.seqs) && r.seqs[k.index] != 0 {
			r.log[k.seq-1].Cut.Keep = r.entry(r.seqs[k.index]).ID
		}
	}
	if !r.spread(&settled) {
		return lookback.Batch{}, errStartOver
	}
	if settled.Version < 2 {
		// Pi rewrites such a file as soon as it opens it; nobody appends to one.
		settled.Whole = true
	}
	if len(r.log) < r.provisional {
		return lookback.Batch{}, errStartOver // what was taken for a record is none after all
	}
	b := lookback.Batch{
		Fresh: r.prior == nil, Settled: settled.Seq, Cursor: settled.encode(), None: r.cur.ID == "" || !r.cur.Talks,
	}
	if ripe := r.cur.Stamp.changed().Add(still); r.cutKind != "" && now.Before(ripe) {
		b.Again = ripe
	} else if r.cutKind != "" {
		r.warn(r.cutKind)
	}
	b.Log = lookback.Log{Session: r.cur.session(), Entries: r.log, Warnings: r.cur.Faults.warnings(r.path)}
	return b, nil
}

// spread gives entries without a usable time that of a neighbour: the nearest one
// before on the path, else the nearest after. It reports false when that cannot be
// told from what was appended alone.
func (r *run) spread(settled *cursor) bool {
	left := r.fromAbove()
	if left == 0 {
		return true
	}
	if r.prior != nil {
		return false
	}
	if left <= settled.Seq {
		settled.Whole = true // what comes may give the first entries their times
	}
	r.fromBelow()
	r.fromAbove()
	return true
}

// fromAbove hands times down the tree and returns the first Seq that has none above.
func (r *run) fromAbove() (left int) {
	var way []*lookback.Entry
	var done []bool // per Seq: its way up was walked, in vain
	for i := range r.log {
		e := &r.log[i]
		if !e.Time.IsZero() {
			continue
		}
		if done == nil {
			done = make([]bool, r.cur.Seq+1)
		}
		way = way[:0]
		for e.Time.IsZero() && !done[e.Seq] {
			way = append(way, e)
			done[e.Seq] = true
			if e.Parent == 0 {
				break
			}
			e = r.entry(e.Parent)
		}
		for _, x := range way {
			x.Time = e.Time
		}
		if left == 0 && e.Time.IsZero() {
			left = r.log[i].Seq
		}
	}
	return left
}

// fromBelow hands times up the tree; of several children the first one counts.
func (r *run) fromBelow() {
	order := lookback.Order(r.log)
	child := make([]int, len(r.log)+1)
	for _, seq := range slices.Backward(order) {
		e := &r.log[seq-1]
		if e.Time.IsZero() && child[seq] != 0 {
			e.Time = r.log[child[seq]-1].Time
		}
		if up := e.Parent; !e.Time.IsZero() && up != 0 && (child[up] == 0 || seq < child[up]) {
			child[up] = seq
		}
	}
}
