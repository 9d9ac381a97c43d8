package tool

import (
	"context"
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

// The modes of history_read.
const (
	modeItems = "items"
	modeRange = "range"
	modeTail  = "tail"
)

func readTool() *definition {
	row := map[string]any{"type": "object", "required": []string{"entry", "role", "text"}, "properties": props{
		"entry": typed("integer"), "role": words("user", "assistant", "compaction", "reset", "handoff"), "author": typed("string"), "text": typed("string"),
		"tool": {"type": "object", "required": []string{"name", "status"}, "properties": props{
			"name": typed("string"), "status": words("ok", "error", "aborted", "pending")}},
	}}
	return &definition{
		Spec: Spec{
			Name: Read, Title: "Read this conversation", Hints: Hints{ReadOnly: true, Idempotent: true},
			Description: "Read entries of this conversation again in full, by the numbers that history_search gives. mode items: exactly " +
				"`entries` (1 to 20) and `around` (0 to 5) neighbours of each. mode range: `from` to `to` inclusive, `limit` (1 to 50, " +
				"default 20) a page; go on with `cursor` = next of the page before. mode tail: the last `count` (1 to 20, default 10) " +
				"entries before the last compaction, reset or handoff: what came right before. Shows words of user and assistant; tool calls " +
				"by name and status only; [thinking] and [image] stand for what has no words. Example: " +
				"{\"mode\":\"items\",\"entries\":[12],\"around\":1}. At most 50,000 bytes a call.",
			Output: object(props{
				"entries": listOf(row), "next": typed("string"), "truncated": typed("boolean"), "missing": listOf(typed("integer")), "note": typed("string"),
			}, []string{"entries", "truncated"}),
			Guidelines: []string{"Use history_read with few entries and around instead of long ranges."},
		},
		example: `{"mode":"items","entries":[12],"around":1}`,
		params: []param{
			{name: "mode", kind: choice, choices: []string{modeItems, modeRange, modeTail}, required: true, about: "What to read."},
			{name: "entries", of: modeItems, kind: integers, min: 1, max: 20, required: true, about: "Mode items: 1 to 20 entry numbers."},
			{name: "around", of: modeItems, kind: integer, min: 0, max: 5, def: "0", about: "Mode items: neighbours on each side, 0 to 5."},
			{name: "from", of: modeRange, kind: integer, min: 1, max: maxEntry, about: "Mode range: first entry number; not needed with cursor."},
			{name: "to", of: modeRange, kind: integer, min: 1, max: maxEntry, about: "Mode range: last entry number; left out, the last entry."},
			{name: "limit", of: modeRange, kind: integer, min: 1, max: 50, def: "20", about: "Mode range: entries a page, 1 to 50."},
			{name: "cursor", of: modeRange, kind: text, min: 1, max: 200, about: "Mode range: next of the page before; its from and to hold."},
			{name: "count", of: modeTail, kind: integer, min: 1, max: 20, def: "10", about: "Mode tail: how many entries, 1 to 20."},
		},
		run: (*Set).read,
	}
}

func (s *Set) read(ctx context.Context, caller Caller, v values) (Result, error) {
	c, err := s.conversation(ctx, caller)
	if err != nil {
		return Result{}, err
	}
	r := reader{c: c, left: caller.budget(), out: ReadResult{Entries: []Row{}}}
	switch v.str("mode") {
	case modeItems:
		err = r.items(v.nums("entries"), v.num("around", 0))
	case modeRange:
		err = r.page(v)
	default:
		r.tail(v.num("count", 10))
	}
	if err != nil {
		return Result{}, err
	}
	return Result{Structured: r.out, Text: r.text()}, nil
}

// reader is one call of history_read.
type reader struct {
	c    *service.Conversation
	left budget
	out  ReadResult
}

// seen lists the positions of the visible entries between two positions of the
// path, the second not included.
func (r *reader) seen(from, to int) (out []int) {
	for at := max(from, 0); at < min(to, len(r.c.Path)); at++ {
		if visible(r.c.Entry(r.c.Path[at])) {
			out = append(out, at)
		}
	}
	return out
}

// items reads exactly the entries asked for and their neighbours.
func (r *reader) items(entries []int, around int) error {
	all := r.seen(0, len(r.c.Path))
	var want []int
	var hidden bool
	for _, seq := range entries {
		at := r.c.At(seq)
		if i, ok := slices.BinarySearch(all, at); ok {
			want = append(want, i)
			continue
		}
		hidden = hidden || at >= 0
		if !slices.Contains(r.out.Missing, seq) {
			r.out.Missing = append(r.out.Missing, seq)
		}
	}
	if len(want) == 0 {
		return fmt.Errorf("argument \"entries\": this conversation has no words of a user or assistant at %s; use entry numbers from history_search or mode tail", numbers(r.out.Missing))
	}
	slices.Sort(r.out.Missing)
	if hidden {
		r.out.Note = "Some numbers in missing are tool results or records without words, which are not shown."
	}
	list := lookback.Around(all, around, want...)
	for i, at := range list {
		if !r.add(at, 0, 0) {
			r.out.Truncated = true
			if rest := r.numbersAt(list[i+1:]); len(rest) > 0 {
				r.note("Left out for their length: " + numbers(rest) + ". Read them in a call of their own.")
			}
			if r.lastEntry() == r.c.Path[at] {
				r.note(fmt.Sprintf("Entry %d was cut. Read on with mode range, from %d.", r.c.Path[at], r.c.Path[at]))
			}
			break
		}
	}
	return nil
}

// add shows the entry at a position, from a row and a place in its text on. False
// means that it, or the rest of it, did not fit.
func (r *reader) add(at, row, off int) bool {
	done, _, _ := r.addFrom(at, row, off)
	return done
}

// addFrom is add that tells where the entry was cut.
func (r *reader) addFrom(at, row, off int) (done bool, cutRow, cutOff int) {
	rows := rowsOf(r.c, at)
	for i := row; i < len(rows); i++ {
		x, skipped := rows[i], 0
		if i == row && off > 0 {
			skipped = min(off, len(x.Text))
			x.Text = valid(x.Text[skipped:])
		}
		fit, all, some := r.left.take(x)
		if some {
			r.out.Entries = append(r.out.Entries, fit)
		}
		if !all {
			return false, i, skipped + len(fit.Text)
		}
	}
	return true, 0, 0
}

// page reads a page of a range.
func (r *reader) page(v values) error {
	p, err := r.span(v)
	if err != nil {
		return err
	}
	list := r.seen(r.c.At(p.at), r.c.At(p.to)+1)
	for n, at := range list {
		next := span{from: p.from, to: p.to, at: r.c.Path[at]}
		if next.at == p.at {
			next.row, next.off = p.row, p.off
		}
		if n == v.num("limit", 20) {
			r.out.Next = next.write(r.c)
			return nil
		}
		done, row, off := r.addFrom(at, next.row, next.off)
		if !done {
			r.out.Truncated = true
			next.row, next.off = row, off
			r.out.Next = next.write(r.c)
			return nil
		}
	}
	return nil
}

// span settles what a range goes over.
func (r *reader) span(v values) (span, error) {
	if v.has("cursor") {
		return readCursor(r.c, v.str("cursor"))
	}
	if !v.has("from") {
		return span{}, fmt.Errorf("argument \"from\" is missing: mode range needs the first entry number, or a cursor")
	}
	p := span{from: v.num("from", 0), to: v.num("to", r.c.Leaf())}
	for name, seq := range map[string]int{"from": p.from, "to": p.to} {
		if r.c.At(seq) < 0 {
			return span{}, notAnEntry(name, seq)
		}
	}
	if r.c.At(p.from) > r.c.At(p.to) {
		return span{}, fmt.Errorf("argument \"from\" is %d and \"to\" is %d, which stands before it: swap them", p.from, p.to)
	}
	p.at = p.from
	return p, nil
}

// tail reads the entries right before the boundary. What does not fit is left out
// at its beginning: the entries nearest to the boundary matter most.
func (r *reader) tail(count int) {
	b := r.c.Boundary
	if b == nil {
		r.note("There is no boundary: this conversation has no compaction, reset or handoff yet, so everything is still in your context.")
		return
	}
	all := r.seen(0, r.c.At(b.Entry))
	from := len(all)
	for i := len(all) - 1; i >= 0 && count > 0; i-- {
		if r.c.Entry(r.c.Path[all[i]]).Cut == nil {
			count--
			from = i
		}
	}
	var groups [][]Row
	for i := len(all) - 1; i >= from; i-- {
		r.out.Entries = nil
		done := r.add(all[i], 0, 0)
		groups = append(groups, r.out.Entries)
		if !done {
			r.out.Truncated = true
			cut := r.c.Path[all[i]]
			r.note(fmt.Sprintf("Entries from %d on are cut or left out for their length. Read them with mode range, from %d to %d.",
				r.c.Path[all[from]], r.c.Path[all[from]], cut))
			break
		}
	}
	r.out.Entries = []Row{}
	for _, g := range slices.Backward(groups) {
		r.out.Entries = append(r.out.Entries, g...)
	}
	if len(r.out.Entries) == 0 && !r.out.Truncated {
		r.note("Nothing was said before the boundary.")
	}
}

func (r *reader) note(s string) { r.out.Note = strings.TrimSpace(r.out.Note + " " + s) }

func (r *reader) lastEntry() int {
	if len(r.out.Entries) == 0 {
		return 0
	}
	return r.out.Entries[len(r.out.Entries)-1].Entry
}

func (r *reader) numbersAt(positions []int) (out []int) {
	for _, at := range positions {
		out = append(out, r.c.Path[at])
	}
	return out
}

// numbers lists entry numbers for a message.
func numbers(list []int) string {
	return strings.Trim(strings.Join(strings.Fields(fmt.Sprint(list)), ", "), "[]")
}

// text is the form for a model.
func (r *reader) text() string {
	var b strings.Builder
	for i := range r.out.Entries {
		r.out.Entries[i].write(&b)
	}
	notes := []string{r.out.Note}
	if len(r.out.Missing) > 0 {
		notes = append(notes, "Not in this conversation, or without words: "+numbers(r.out.Missing)+".")
	}
	if r.out.Next != "" {
		notes = append(notes, "There is more: read on with mode range and cursor "+r.out.Next)
	}
	return frame(conversationName(r.c), b.String(), notes...)
}
