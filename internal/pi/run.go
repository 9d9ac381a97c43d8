package pi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
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
	ids   index
	log   []lookback.Entry // entries behind prior
	wants []want
	keeps []keep
	seqs  []int // version 1: Seq by the number of the parsed record, the header's is 0
	sums  map[sum]int

	provisional int // how many entries the caller has that stood on an unterminated line

	shift   int64 // where the part of the line being repaired begins
	cutKind lookback.WarningKind
	pending map[string]bool // ids whose coming voids prior
	parts   []lookback.Part // storage that entries are cut from
	calls   []lookback.Call
	replies []lookback.Reply
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
	r := &run{f: f, feed: d, p: &d.parser, path: path, prior: prior}
	r.ids.init(prior)
	return r
}

func (r *run) warn(kind lookback.WarningKind, detail string) {
	r.cur.Faults.add(kind, r.cur.Line, detail)
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
		if !r.feed.lf && !r.feed.long {
			settled = r.snapshot()
		}
		if r.feed.long {
			settled = r.snapshot() // whether it ends with LF shows only at its end
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
		r.warn(lookback.InvalidUTF8, "")
	}
	if r.cur.ID == "" {
		return r.header()
	}
	if rec.kind == kindSession {
		r.number(0) // old builds wrote a second one; the first names the session
		return nil
	}
	if rec.bad || !rec.hasID && r.cur.Version > 1 {
		r.warn(lookback.BadEntry, "")
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
		r.warn(lookback.NoHeader, "")
		return errNoSession
	}
	c := &r.cur
	c.ID, c.Cwd, c.Parent, c.Version, c.Started = rec.id, rec.cwd, rec.parentSession, rec.version, rec.time.time()
	c.AfterBad = false
	if rec.version > 3 {
		r.warn(lookback.NewerVersion, "version "+strconv.Itoa(rec.version))
	}
	if rec.time.bad {
		r.warn(lookback.BadTimestamp, "")
	}
	r.number(0)
	return nil
}

// add makes an entry of the record.
func (r *run) add(offset int64) (int, error) {
	rec, c := &r.p.rec, &r.cur
	c.Seq++
	e := lookback.Entry{Seq: c.Seq, ID: rec.id, Offset: offset, Size: int(rec.to - rec.from)}
	if !rec.hasID {
		e.ID = v1ID(c.Seq)
	}
	if r.pending[e.ID] {
		return 0, errStartOver
	}
	r.parent(&e)
	r.ids.add(e.ID, e.Seq)
	e.Time = rec.time.time()
	if !rec.time.set && rec.messageTime.set {
		e.Time = rec.messageTime.time()
	}
	if rec.time.bad || !rec.time.set && rec.messageTime.bad {
		r.warn(lookback.BadTimestamp, "")
	}
	r.fill(&e)
	if rec.kind == kindInfo {
		c.Name = strings.TrimSpace(rec.name)
	}
	c.Talks = c.Talks || e.Message
	if c.First == "" && e.Role == lookback.RoleUser {
		c.First = lookback.FallbackName([]lookback.Entry{e})
	}
	if rec.keepIndex > 0 && e.Cut != nil && c.Version < 2 {
		r.keeps = append(r.keeps, keep{e.Seq, rec.keepIndex})
	}
	r.log = append(r.log, e)
	c.AfterBad = false
	return e.Seq, nil
}

func v1ID(seq int) string { return "v1-" + strconv.Itoa(seq) }

// parent links the entry to the nearest earlier entry with the id it names.
func (r *run) parent(e *lookback.Entry) {
	rec := &r.p.rec
	if !rec.hasParent && r.cur.Version < 2 && !rec.hasID {
		e.Parent = e.Seq - 1
		return
	}
	if len(rec.parent) == 0 {
		return
	}
	if e.Parent = r.ids.last[string(rec.parent)]; e.Parent == 0 {
		r.wants = append(r.wants, want{e.Seq, r.cur.Line, string(rec.parent), r.cur.AfterBad})
	}
}

// fill gives the entry its words and what else the record says.
func (r *run) fill(e *lookback.Entry) {
	rec := &r.p.rec
	m := &rec.msg
	switch rec.kind {
	case kindMessage:
		if !m.there {
			return
		}
		e.Role, e.Message, e.Injected, e.Stop = m.role, true, m.injected, m.stop
		if m.role == lookback.RoleTool {
			e.Reply = store(&r.replies, m.reply)
		}
	case kindCustomMessage:
		e.Role, e.Injected = lookback.RoleOther, true
	case kindCompaction:
		e.Cut = &lookback.Cut{Cause: lookback.CauseCompaction, Keep: rec.keep, Text: rec.summary}
		if rec.handoff {
			e.Cut.Cause = lookback.CauseHandoff
		}
	}
	e.Parts = carve(&r.parts, m.parts)
	e.Calls = carve(&r.calls, m.calls)
}

// carve copies items to storage shared by many entries, so that a log of small
// entries costs few allocations.
func carve[T any](from *[]T, items []T) []T {
	n := len(items)
	if n == 0 {
		return nil
	}
	if cap(*from)-len(*from) < n {
		*from = make([]T, 0, max(n, 128))
	}
	*from = append(*from, items...)
	return (*from)[len(*from)-n : len(*from) : len(*from)]
}

func store[T any](from *[]T, item T) *T { return &carve(from, []T{item})[0] }
