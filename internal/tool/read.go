package tool

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"lookback"
	"lookback/internal/service"
)

// ReadResult is what history_read gives.
type ReadResult struct {
	Entries   []Row  `json:"entries"`
	Next      string `json:"next,omitempty"`
	Truncated bool   `json:"truncated"`
	Missing   []int  `json:"missing,omitempty"`
	Note      string `json:"note,omitempty"`
}

type readArgs struct {
	Mode, Cursor    string
	Entries         []int
	Around, Count   int
	From, To, Limit int
}

func (s *Set) read(ctx context.Context, caller Caller, a readArgs) (Result, error) {
	c, err := s.conversation(ctx, caller)
	if err != nil {
		return Result{}, err
	}
	r := reader{c: c, left: caller.maxText() - spareBytes, out: ReadResult{Entries: []Row{}}}
	switch a.Mode {
	case "items":
		err = r.items(a.Entries, a.Around)
	case "range":
		err = r.page(a)
	default:
		r.tail(a.Count)
	}
	if err != nil {
		return Result{}, err
	}
	return Result{Structured: r.out, Text: r.text()}, nil
}

// reader is one call of history_read.
type reader struct {
	c    *service.Conversation
	left int // bytes that rows may still take, in either form
	out  ReadResult
}

// place is a place inside an entry: a row, and how many bytes of its text.
type place struct{ row, off int }

// add shows the entry at a position of the path, from a place in it on. What does
// not fit is left; stop is where it was cut.
func (r *reader) add(at int, from place) (stop place, done bool) {
	rows := rowsOf(r.c, at)
	for i := from.row; i < len(rows); i++ {
		row, skipped := rows[i], 0
		if i == from.row {
			skipped = min(from.off, len(row.Text))
			row.Text = valid(row.Text[skipped:])
		}
		room := r.left - row.bareCost()
		end, used := fitting(row.Text, room)
		whole := end == len(row.Text)
		if room < 0 || !whole && end < minCut {
			return place{i, skipped}, false
		}
		row.Text = row.Text[:end]
		r.out.Entries = append(r.out.Entries, row)
		if r.left = room - used; !whole {
			return place{i, skipped + end}, false
		}
	}
	return place{}, true
}

// seen lists the positions of the visible entries between two positions of the
// path, the second not included.
func (r *reader) seen(from, to int) (out []int) {
	for at := from; at < to; at++ {
		if e := r.entry(at); e.Spoken() || e.Cut != nil {
			out = append(out, at)
		}
	}
	return out
}

func (r *reader) entry(at int) *lookback.Entry { return r.c.Entry(r.c.Path[at]) }

// items reads exactly the entries asked for and their neighbours.
func (r *reader) items(entries []int, around int) error {
	all := r.seen(0, len(r.c.Path))
	var want []int
	for _, seq := range entries {
		if i, ok := slices.BinarySearch(all, r.c.At(seq)); ok {
			want = append(want, i)
		} else if !slices.Contains(r.out.Missing, seq) {
			r.out.Missing = append(r.out.Missing, seq)
		}
	}
	if len(want) == 0 {
		return fmt.Errorf("argument \"entries\": this conversation has no words of a user or assistant at %s; use entry numbers from history_search or mode tail", numbers(r.out.Missing))
	}
	slices.Sort(r.out.Missing)
	list := lookback.Around(all, around, want...)
	for i, at := range list {
		if _, done := r.add(at, place{}); !done {
			r.cut(list[i:])
			break
		}
	}
	return nil
}

// tail reads the entries right before the boundary. What does not fit is left out
// at its beginning: the entries nearest to the boundary matter most.
func (r *reader) tail(count int) {
	b := r.c.Boundary
	if b == nil {
		r.out.Note = "There is no boundary: this conversation has no compaction, reset or handoff yet, so everything is still in your context."
		return
	}
	all := r.seen(0, r.c.At(b.Entry))
	from := len(all)
	for i := len(all) - 1; i >= 0 && count > 0; i-- {
		if r.entry(all[i]).Cut == nil {
			count--
			from = i
		}
	}
	list, rows := all[from:], []Row{}
	for i, at := range slices.Backward(list) {
		r.out.Entries = nil
		_, done := r.add(at, place{})
		rows = append(slices.Clip(r.out.Entries), rows...)
		if !done {
			r.cut(list[:i+1])
			break
		}
	}
	r.out.Entries = rows
	if len(list) == 0 {
		r.out.Note = "Nothing was said before the boundary."
	}
}

// cut notes which entries are not shown in full.
func (r *reader) cut(list []int) {
	r.out.Truncated = true
	var seqs []int
	for _, at := range list {
		seqs = append(seqs, r.c.Path[at])
	}
	r.out.Note = fmt.Sprintf("Cut or left out for their length: %s. Read them with mode range, from %d.", numbers(seqs), seqs[0])
}

// page reads a page of a range.
func (r *reader) page(a readArgs) error {
	p, err := r.span(a)
	if err != nil {
		return err
	}
	for n, at := range r.seen(r.c.At(p.at), r.c.At(p.to)+1) {
		if p.at != r.c.Path[at] {
			p.at, p.place = r.c.Path[at], place{}
		}
		if n < a.Limit {
			stop, done := r.add(at, p.place)
			if done {
				continue
			}
			r.out.Truncated, p.place = true, stop
		}
		r.out.Next = seal(r.purpose(), fmt.Sprintf(spanForm, p.to, p.at, p.row, p.off))
		break
	}
	return nil
}

// span is what a reading of mode range goes over, and where it stands.
type span struct {
	to    int // last entry, by number
	at    int // entry to go on with
	place     // in that entry
}

// spanForm is how a cursor holds a span.
const spanForm = "%d.%d.%d.%d"

// purpose is what the cursors of this conversation serve for.
func (r *reader) purpose() string { return "range of " + nameOf(r.c.Session.ID) }

// span settles what a range goes over.
func (r *reader) span(a readArgs) (p span, err error) {
	if a.Cursor != "" {
		text, ok := unseal(r.purpose(), a.Cursor)
		_, err := fmt.Sscanf(text, spanForm, &p.to, &p.at, &p.row, &p.off)
		if !ok || err != nil || r.c.At(p.at) < 0 || r.c.At(p.to) < r.c.At(p.at) {
			return p, errors.New(`argument "cursor" is malformed or was made for another conversation: pass on next exactly as the page before gave it, or begin again with from`)
		}
		return p, nil
	}
	if a.From == 0 {
		return p, errors.New(`argument "from" is missing: mode range needs the first entry number, or a cursor`)
	}
	a.To = cmp.Or(a.To, r.c.Leaf())
	switch from, to := r.c.At(a.From), r.c.At(a.To); {
	case from < 0:
		return p, notAnEntry("from", a.From)
	case to < 0:
		return p, notAnEntry("to", a.To)
	case from > to:
		return p, fmt.Errorf("argument \"from\" is %d and \"to\" is %d, which stands before it: swap them", a.From, a.To)
	}
	return span{to: a.To, at: a.From}, nil
}

// numbers lists entry numbers for a message.
func numbers(list []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ", "), "[]")
}

// text is the form for a model.
func (r *reader) text() string {
	var b strings.Builder
	for i := range r.out.Entries {
		r.out.Entries[i].write(&b)
	}
	missing, next := "", ""
	if len(r.out.Missing) > 0 {
		missing = "Not in this conversation, or without words: " + numbers(r.out.Missing) + "."
	}
	if r.out.Next != "" {
		next = "There is more: read on with mode range and cursor " + r.out.Next
	}
	return frame(nameOf(r.c.Session.ID), b.String(), r.out.Note, missing, next)
}
