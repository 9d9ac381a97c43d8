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

// errNoSession ends the reading of a file that does not start with a header.
var errNoSession = errors.New("pi: no header")

// run is one reading of one file.
type run struct {
	f     io.ReaderAt
	feed  *feed
	p     *parser
	path  string
	cur   cursor // as of the line being read
	prior []lookback.Entry
	last  map[string]int   // the latest entry with an id
	older map[int]int      // the entry before with the same id
	log   []lookback.Entry // entries behind prior
	wants []want
	keeps []keep
	seqs  []int // version 1: Seq by the number of the parsed record, the header's is 0
	sums  map[sum]int
	known map[string]bool // ids of which all entries have sums

	provisional int // how many entries the caller has that stood on an unterminated line
	cutKind     lookback.WarningKind

	parts   []lookback.Part // see carve
	calls   []lookback.Call
	replies []lookback.Reply
}

// keep is a compaction of version 1, which names the first entry kept by number.
type keep struct{ seq, index int }

func newRun(f io.ReaderAt, d *feed, path string, prior []lookback.Entry) *run {
	r := &run{f: f, feed: d, p: &d.parser, path: path, prior: prior,
		last: make(map[string]int, len(prior)+16), older: map[int]int{}, sums: map[sum]int{}, known: map[string]bool{}}
	for i := range prior {
		r.name(prior[i].ID, i+1)
	}
	return r
}

func (r *run) warn(kind lookback.WarningKind) {
	r.cur.Faults.add(kind, r.cur.Line)
}

// resume reads what was appended behind the cursor.
func (r *run) resume(ctx context.Context, now time.Time) (lookback.Batch, error) {
	r.feed.reset(r.f, 0, min(blockSize, r.cur.Offset)) // for the head
	head, block, err := r.feed.prefix(r.f, r.cur.Offset)
	if err != nil || head != r.cur.Head || block != r.cur.Block {
		return lookback.Batch{}, errStartOver
	}
	for i := range r.prior {
		if up := r.prior[i].Parent; up < 0 || up > len(r.prior) {
			return lookback.Batch{}, errStartOver // not the entries of this cursor
		}
	}
	r.feed.reset(r.f, r.cur.Offset, r.cur.Stamp.Size)
	return r.read(ctx, now)
}

// read goes through the lines. The state before an unterminated last line is what
// the next read starts from.
func (r *run) read(ctx context.Context, now time.Time) (lookback.Batch, error) {
	settled := r.cur
	for line, ok := r.feed.next(); ok; line, ok = r.feed.next() {
		if err := ctx.Err(); err != nil {
			return lookback.Batch{}, err
		}
		if !r.feed.lf { // of a long line it shows only at its end
			settled = r.snapshot()
		}
		if err := r.line(line); errors.Is(err, errNoSession) {
			return r.result(r.snapshot(), now)
		} else if err != nil {
			return lookback.Batch{}, err
		}
		if r.feed.lf {
			r.cur.Offset = r.feed.off
		}
	}
	if r.cur.Line == 0 || r.feed.lf {
		settled = r.snapshot()
	}
	err := r.feed.err
	if err == nil {
		settled.Head, settled.Block, err = r.feed.prefix(r.f, settled.Offset)
	}
	if err != nil {
		return lookback.Batch{}, fmt.Errorf("pi: %w", err)
	}
	return r.result(settled, now)
}

// snapshot is the state of the cursor that later lines do not change.
func (r *run) snapshot() cursor {
	c := r.cur
	c.Faults = slices.Clone(c.Faults)
	return c
}

// accept takes the record that was parsed last. from is where in its line the
// bytes begin that the parser saw.
func (r *run) accept(from int64) error {
	if r.p.sick {
		r.warn(lookback.InvalidUTF8)
	}
	if r.cur.ID == "" {
		return r.header()
	}
	seq, err := r.take(r.feed.start + from + r.p.rec.from)
	if r.cur.Version < 2 {
		r.seqs = append(r.seqs, seq)
	}
	return err
}

// take finds the entry that the record makes, or made before; 0 for none.
func (r *run) take(offset int64) (int, error) {
	rec := &r.p.rec
	if rec.kind == kindSession {
		return 0, nil // old builds wrote a second one; the first names the session
	}
	if rec.bad || !rec.hasID && r.cur.Version > 1 {
		r.warn(lookback.BadEntry)
	}
	if !rec.hasID && (r.cur.Version > 1 || rec.kind == kindUnset && !rec.time.set) {
		return 0, nil
	}
	if seq, err := r.repeat(offset); seq != 0 || err != nil {
		return seq, err
	}
	return r.add(offset)
}

func (r *run) header() error {
	rec, c := &r.p.rec, &r.cur
	if rec.kind != kindSession || !rec.hasID {
		r.warn(lookback.NoHeader)
		return errNoSession
	}
	c.ID, c.Cwd, c.Parent, c.Version, c.Started = string(rec.id), rec.cwd, rec.parentSession, rec.version, rec.time.time()
	c.AfterBad = false
	if rec.version > 3 {
		r.warn(lookback.NewerVersion)
	}
	if rec.time.bad {
		r.warn(lookback.BadTimestamp)
	}
	r.seqs = append(r.seqs, 0)
	return nil
}
