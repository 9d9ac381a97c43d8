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
// before on the path, else the nearest after. It reports false when that takes the
// whole log.
func (r *run) spread(settled *cursor) bool {
	first := r.timeless()
	if first == 0 || r.prior != nil {
		return first == 0
	}
	order := lookback.Order(r.log)
	r.handDown(order)
	if first := r.timeless(); first > 0 && first <= settled.Seq {
		settled.Whole = true // what comes may give the first entries their times
	}
	// Up the tree, where of several children the first one counts.
	child := make([]int, len(r.log)+1)
	for _, seq := range slices.Backward(order) {
		e := r.entry(seq)
		if e.Time.IsZero() && child[seq] != 0 {
			e.Time = r.entry(child[seq]).Time
		}
		if up := e.Parent; !e.Time.IsZero() && up != 0 && (child[up] == 0 || seq < child[up]) {
			child[up] = seq
		}
	}
	r.handDown(order)
	return true
}

// timeless gives the first new entry that has no time, 0 for none.
func (r *run) timeless() int {
	for i := range r.log {
		if r.log[i].Time.IsZero() {
			return r.log[i].Seq
		}
	}
	return 0
}

// handDown gives entries without a time that of the one before on the path.
func (r *run) handDown(order []int) {
	for _, seq := range order {
		if e := r.entry(seq); e.Time.IsZero() && e.Parent != 0 {
			e.Time = r.entry(e.Parent).Time
		}
	}
}
