package pi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"lookback"
)

// run is one reading of one file.
type run struct {
	f     io.ReaderAt
	feed  *feed
	p     *parser
	path  string
	cur   cursor // as of the line being read
	prior []lookback.Entry
	ids   *index
	log   []lookback.Entry // entries behind prior
	wants []want
	keeps []keep
	seqs  []int // version 1: Seq by the number of the parsed record, the header's is 0
	sums  map[sum]int

	provisional int // how many entries the caller has that stood on an unterminated line

	shift   int64 // where the part of the line being repaired begins
	cutKind lookback.WarningKind
	pending map[string]bool // ids whose coming voids prior
	store   store
}

// want is a parent id that named no earlier entry.
type want struct {
	seq, line int
	id        string
	after     bool // the entry comes right after an unreadable line
}

// keep is a compaction of version 1, which names the first entry kept by number.
type keep struct{ seq, index int }

func newRun(f io.ReaderAt, d *feed, path string, prior []lookback.Entry) *run {
	r := &run{f: f, feed: d, p: &d.parser, path: path, prior: prior, ids: &d.ids}
	r.ids.init(prior)
	r.p.short = strs{}
	return r
}

func (r *run) warn(kind lookback.WarningKind) {
	r.cur.Faults.add(kind, r.cur.Line)
}

// resume reads what was appended behind the cursor.
func (r *run) resume(ctx context.Context, now time.Time) (lookback.Batch, error) {
	if err := r.feed.open(r.f, r.cur.Offset, r.cur.Stamp.Size); err != nil {
		return lookback.Batch{}, errStartOver
	}
	if head, block := r.feed.prefix(false); head != r.cur.Head || block != r.cur.Block {
		return lookback.Batch{}, errStartOver
	}
	for i := range r.prior {
		if up := r.prior[i].Parent; up < 0 || up > len(r.prior) {
			return lookback.Batch{}, errStartOver // not the entries of this cursor
		}
	}
	r.pending = make(map[string]bool, len(r.cur.Pending))
	for _, id := range r.cur.Pending {
		r.pending[id] = true
	}
	return r.read(ctx, now)
}

// read goes through the lines. The state before an unterminated last line is what
// the next read starts from.
func (r *run) read(ctx context.Context, now time.Time) (lookback.Batch, error) {
	settled := r.cur
	for n := 0; ; n++ {
		line, ok := r.feed.next()
		if !ok {
			break
		}
		if n%256 == 0 && ctx.Err() != nil {
			return lookback.Batch{}, ctx.Err()
		}
		if !r.feed.lf { // of a long line it shows only at its end
			settled = r.snapshot()
		}
		if err := r.lineOf(line); errors.Is(err, errNoSession) {
			return r.noSession(), nil
		} else if err != nil {
			return lookback.Batch{}, err
		}
		if r.feed.lf {
			r.cur.Offset = r.feed.off
		}
	}
	if r.feed.err != nil {
		return lookback.Batch{}, fmt.Errorf("pi: %w", r.feed.err)
	}
	tail := r.cur.Line > 0 && !r.feed.lf
	if !tail {
		settled = r.snapshot()
	}
	settled.Head, settled.Block = r.feed.prefix(tail)
	return r.result(settled, now)
}

// snapshot is the state of the cursor that later lines do not change.
func (r *run) snapshot() cursor {
	c := r.cur
	c.Faults = slices.Clone(c.Faults)
	return c
}

func (r *run) noSession() lookback.Batch {
	r.cur.ID, r.cur.Whole = "", true
	return lookback.Batch{
		Log: lookback.Log{Warnings: r.cur.Faults.warnings(r.path)}, Fresh: true, None: true, Cursor: r.cur.encode(),
	}
}

// accept takes the record that was parsed last. from is where its line, or the
// part of it under repair, begins in what the parser saw.
func (r *run) accept(from int64) error {
	rec := &r.p.rec
	offset := r.feed.start + r.shift + from + rec.from
	if r.p.sick {
		r.warn(lookback.InvalidUTF8)
	}
	if r.cur.ID == "" {
		return r.header()
	}
	if rec.kind == kindSession {
		r.number(0) // old builds wrote a second one; the first names the session
		return nil
	}
	if rec.bad || !rec.hasID && r.cur.Version > 1 {
		r.warn(lookback.BadEntry)
	}
	if !rec.hasID && (r.cur.Version > 1 || rec.kind == kindUnset && !rec.time.set) {
		r.number(0)
		return nil
	}
	seq, err := r.repeat(offset)
	if err != nil {
		return err
	}
	if seq == 0 {
		if seq, err = r.add(offset); err != nil {
			return err
		}
	}
	r.number(seq)
	return nil
}

// number notes which entry a parsed record became. Only version 1 needs it.
func (r *run) number(seq int) {
	if r.cur.Version < 2 {
		r.seqs = append(r.seqs, seq)
	}
}

func (r *run) header() error {
	rec := &r.p.rec
	if rec.kind != kindSession || !rec.hasID {
		r.warn(lookback.NoHeader)
		return errNoSession
	}
	c := &r.cur
	c.ID, c.Cwd, c.Parent, c.Version, c.Started = string(rec.id), rec.cwd, rec.parentSession, rec.version, rec.time.time()
	c.AfterBad = false
	if rec.version > 3 {
		r.warn(lookback.NewerVersion)
	}
	if rec.time.bad {
		r.warn(lookback.BadTimestamp)
	}
	r.number(0)
	return nil
}
