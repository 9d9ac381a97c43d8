package lookback

import (
	"slices"
	"strings"
	"time"
)

// Exchange is what a person asked and the answer to it on one branch: the user
// entries up to the final answer. All numbers are Seqs.
type Exchange struct {
	Prev      int   // index in Forest.Exchanges of the exchange before it on its branch; -1 at the start
	Depth     int   // number of exchanges on its branch up to and including this one
	Users     []int // user entries in order; at least one
	Answer    int   // the final, or else latest, assistant entry; 0 when there is none
	Pieces    []int // earlier pieces of an answer that was cut by length and continued
	Steps     []int // the other assistant entries in between: words between tool calls
	From, To  time.Time
	Completed bool
}

// Last is the Seq that names the exchange: the answer's, else the last user entry's.
func (x *Exchange) Last() int {
	if x.Answer != 0 {
		return x.Answer
	}
	return x.Users[len(x.Users)-1]
}

// Members returns the Seqs of the user entries in order, then of the answer.
func (x *Exchange) Members() []int {
	if x.Answer == 0 {
		return x.Users
	}
	return append(x.Users[:len(x.Users):len(x.Users)], x.Answer)
}

// Forest is every exchange of a session. Branches share the exchanges of their
// common beginning, so their number is linear in the log however many branches
// there are. Branches that part inside an exchange each have one of their own,
// with its own list of members.
type Forest struct {
	Exchanges []Exchange // in tip order; Prev is always smaller than the own index
	Tips      []int      // index of the last exchange of each listed branch, in file order of the branch tips
}

// Branch returns the indexes of the exchanges of the branch that ends at x, oldest first.
func (f *Forest) Branch(x int) []int {
	out := make([]int, f.Exchanges[x].Depth)
	for i := len(out) - 1; i >= 0; i-- {
		out[i] = x
		x = f.Exchanges[x].Prev
	}
	return out
}

// Exchanges finds the exchanges of every branch. It infers nothing that is not
// recorded: an exchange is complete only when an assistant entry ended by itself
// and calls no tool; an aborted or failed answer closes it when the next user
// entry comes; what is still open at a tip stays incomplete. A branch whose
// exchanges are the beginning of another branch, or that has none, is not listed.
func Exchanges(entries []Entry) Forest {
	w := walker{entries: entries, at: make([]place, len(entries)+1)}
	w.at[0].closed = -1
	order := Order(entries)
	for _, seq := range order {
		w.visit(seq)
	}
	return w.forest(order)
}

// place is the state of the walk after an entry: which exchange was closed last,
// and which one is open. An open exchange is the chain of its entries, newest
// first, so branches share it without copying.
type place struct {
	closed int // index into walker.found, -1 for none
	open   int // newest entry of the open exchange, 0 for none
	before int // for a member of an exchange: the member before it
	answer int // for a member: the newest assistant entry up to it, 0 for none
	cut    int // 1 + index of the exchange closed here without being finished
}

type walker struct {
	entries []Entry
	at      []place
	found   []Exchange
}

func (w *walker) visit(seq int) {
	e := &w.entries[seq-1]
	here := &w.at[seq]
	here.closed, here.open = w.at[e.Parent].closed, w.at[e.Parent].open
	if !e.Spoken() {
		return
	}
	if e.Role == RoleUser {
		if here.open != 0 && w.failed(w.at[here.open].answer) {
			here.closed, here.open = w.closeOpen(here.closed, here.open), 0
		}
		here.join(seq, w.at)
		return
	}
	if here.open == 0 {
		return // an answer to nothing stays an entry of its own
	}
	here.join(seq, w.at)
	here.answer = seq
	if e.Stop == StopFinal && !e.CallsTools() {
		here.closed = w.add(here.closed, seq, true)
		here.open = 0
	}
}

func (p *place) join(seq int, at []place) {
	p.before, p.open = p.open, seq
	if p.before != 0 {
		p.answer = at[p.before].answer
	}
}

func (w *walker) failed(answer int) bool {
	if answer == 0 {
		return false
	}
	s := w.entries[answer-1].Stop
	return s == StopAborted || s == StopError
}

// closeOpen closes the exchange whose newest member is open, unfinished. Several
// branches may do so with the same one; it is made once.
func (w *walker) closeOpen(prev, open int) int {
	if w.at[open].cut == 0 {
		w.at[open].cut = w.add(prev, open, false) + 1
	}
	return w.at[open].cut - 1
}

func (w *walker) add(prev, last int, completed bool) int {
	x := Exchange{Prev: prev, Depth: 1, Completed: completed, Answer: w.at[last].answer}
	if prev >= 0 {
		x.Depth = w.found[prev].Depth + 1
	}
	pieces := true // every answer after this one went on from a cut one
	for m := last; m != 0; m = w.at[m].before {
		e := &w.entries[m-1]
		switch {
		case e.Role == RoleUser:
			x.Users = append(x.Users, m)
		case m == x.Answer:
		case pieces && e.Stop == StopLength && !e.CallsTools():
			x.Pieces = append(x.Pieces, m)
		default:
			pieces = false
			x.Steps = append(x.Steps, m)
		}
	}
	slices.Reverse(x.Users)
	slices.Reverse(x.Pieces)
	slices.Reverse(x.Steps)
	x.From, x.To = span(w.entries[x.Users[0]-1].Time, w.entries[x.Last()-1].Time)
	w.found = append(w.found, x)
	return len(w.found) - 1
}

// forest lists the branches and numbers the exchanges in tip order.
func (w *walker) forest(order []int) Forest {
	var ends []int
	for _, tip := range tips(w.entries, order) {
		x := w.at[tip].closed
		if open := w.at[tip].open; open != 0 {
			x = w.closeOpen(x, open)
		}
		if x >= 0 {
			ends = append(ends, x)
		}
	}
	continued := make([]bool, len(w.found))
	for i := range w.found {
		if p := w.found[i].Prev; p >= 0 {
			continued[p] = true
		}
	}
	f := Forest{Exchanges: make([]Exchange, 0, len(w.found))}
	number := make([]int, len(w.found))
	var run []int
	for _, end := range ends {
		if continued[end] || number[end] != 0 {
			continue // the beginning of another branch, or listed already
		}
		run = run[:0]
		for x := end; x >= 0 && number[x] == 0; x = w.found[x].Prev {
			run = append(run, x)
		}
		for i := len(run) - 1; i >= 0; i-- {
			x := w.found[run[i]]
			if x.Prev >= 0 {
				x.Prev = number[x.Prev] - 1
			}
			f.Exchanges = append(f.Exchanges, x)
			number[run[i]] = len(f.Exchanges)
		}
		f.Tips = append(f.Tips, number[end]-1)
	}
	return f
}

// span orders two times, as clocks go back; a missing one takes the other's place.
func span(a, b time.Time) (from, to time.Time) {
	switch {
	case a.IsZero():
		return b, b
	case b.IsZero():
		return a, a
	case b.Before(a):
		return b, a
	}
	return a, b
}

// Format tokens of the archive: labels and placeholder that stand in stored
// text, byte for byte as design B's program writes them. Surfaces show them in
// the reader's language; a search never matches them.
const (
	UserLabel      = "用户："
	AssistantLabel = "助手："
	ImageToken     = "[图片]"
)

// Text returns the exchange's words in archive form: each user entry and then
// the answer under its label, separated by blank lines, an image as ImageToken.
func (x *Exchange) Text(entries []Entry) string {
	var b strings.Builder
	b.Grow(x.size(entries)) // growing by doubling would cost a long text twice its size
	for _, u := range x.Users {
		if b.Len() > 0 {
			b.WriteString("\n\n")
		}
		b.WriteString(UserLabel + "\n")
		b.WriteString(entries[u-1].join(ImageToken))
	}
	if x.Answer != 0 {
		b.WriteString("\n\n" + AssistantLabel + "\n")
		for _, p := range x.Pieces {
			b.WriteString(entries[p-1].join(ImageToken))
			b.WriteByte('\n')
		}
		b.WriteString(entries[x.Answer-1].join(ImageToken))
	}
	return b.String()
}

// size is at least the length of Text.
func (x *Exchange) size(entries []Entry) int {
	n := len(AssistantLabel) + 3
	add := func(seqs ...int) {
		for _, seq := range seqs {
			n += len(UserLabel) + 3
			for _, p := range entries[seq-1].Parts {
				n += 1
				switch p.Kind {
				case PartText:
					n += len(p.Text)
				case PartImage:
					n += len(ImageToken)
				}
			}
		}
	}
	add(x.Users...)
	add(x.Pieces...)
	if x.Answer != 0 {
		add(x.Answer)
	}
	return n
}
