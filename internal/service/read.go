package service

import (
	"context"
	"fmt"
	"strings"

	"lookback"
)

// ReadRequest says which entries of a session to read.
type ReadRequest struct {
	Ref    lookback.Ref // a session, an entry or a node
	Around int          // neighbours to add on each side of an entry, 0…200; counted in visible entries of its branch
	Tail   int          // with a session: only the last so many visible entries of its newest branch; 0 for all
	Limit  int          // at most so many entries, 1…10,000; 0 means 1,000
	After  int          // continue after this Seq; 0 from the start
}

// Reading is a run of entries with where they stand.
type Reading struct {
	Session  Session
	Ref      lookback.Ref
	Entries  []lookback.Entry // with words, in log order; tool results and records without words are left out
	Text     string           // a summary's text, when Ref is one
	Boundary *lookback.Boundary
	Leaf     int               // last entry of the branch that was read
	Origin   Origin            // where the words were read from
	More     bool              // the limit cut the run: go on with After = the last Seq
	Statuses map[string]string // tool call id → ok, error, aborted or pending
}

// Read reads a session, an entry or the entries of a node, in full. It reads the
// native log, or the archive when that is gone. An error that wraps ErrNotFound
// says what is missing.
func (s *Service) Read(ctx context.Context, scope lookback.Scope, r ReadRequest) (Reading, error) {
	sess, err := s.resolve(ctx, scope, r.Ref.Session)
	if err != nil {
		return Reading{}, err
	}
	l, err := s.openLog(ctx, sess)
	if err != nil {
		return Reading{}, err
	}
	out := Reading{Session: l.session, Ref: r.Ref, Origin: l.origin}
	want, err := s.choose(ctx, l, r, &out)
	if err != nil {
		return Reading{}, err
	}
	if r.Limit == 0 {
		r.Limit = 1000
	}
	var page []int
	for _, seq := range want {
		if seq <= r.After || !shown(&l.entries[seq-1]) {
			continue
		}
		if out.More = len(page) == r.Limit; out.More {
			break
		}
		page = append(page, seq)
	}
	if out.Entries, err = l.words(page); err != nil {
		return Reading{}, fmt.Errorf("read %s: %w", r.Ref, err)
	}
	out.Statuses, err = statuses(l, out.Entries)
	return out, err
}

// shown reports whether an entry is read out: words of people and models, and
// boundaries.
func shown(e *lookback.Entry) bool { return e.Spoken() || e.Cut != nil }

// choose lists the Seqs that the ref means, and fills in where they stand.
func (s *Service) choose(ctx context.Context, l *sessionLog, r ReadRequest, out *Reading) ([]int, error) {
	if r.Ref.Seq > 0 {
		if err := l.numbered(); err != nil {
			return nil, err
		}
	}
	leaf := len(l.entries)
	var want []int
	switch {
	case r.Ref.Key != "":
		node, err := s.entriesOf(ctx, l, r.Ref, out)
		if err != nil {
			return nil, err
		}
		want = node
		if len(want) > 0 {
			leaf = want[len(want)-1]
		}
	case r.Ref.Seq > len(l.entries):
		return nil, fmt.Errorf("%w: %w", ErrNotFound, noEntry(r.Ref, len(l.entries)))
	case r.Ref.Seq > 0:
		leaf = deepest(l.entries, r.Ref.Seq)
		want = around(l.entries, leaf, r.Ref.Seq, r.Around)
	default:
		want = lookback.Path(l.entries, leaf)
		if r.Tail > 0 {
			want = lastShown(l.entries, want, r.Tail)
		}
	}
	out.Leaf = leaf
	out.Boundary = lookback.LastBoundary(l.entries, lookback.Path(l.entries, leaf))
	return want, nil
}

// noEntry and noNode say what a session lacks.
func noEntry(r lookback.Ref, has int) error {
	return fmt.Errorf("there is no entry %d in %s; it has entries 1 to %d", r.Seq, lookback.SessionRef(r.Session), has)
}

func noNode(r lookback.Ref) error {
	s := lookback.SessionRef(r.Session)
	return fmt.Errorf("%s has no node %s; lookback tree %s shows its nodes", s, strings.TrimPrefix(r.String(), s.String()+"@"), s)
}

// deepest is the tip below seq on the branch that its newest children make, so
// that an entry is shown with what followed it.
func deepest(entries []lookback.Entry, seq int) int {
	under := make([]bool, len(entries)+1)
	under[seq] = true
	leaf := seq
	for _, at := range lookback.Order(entries) {
		if e := &entries[at-1]; under[e.Parent] && e.Parent != 0 {
			under[at] = true
			leaf = max(leaf, at)
		}
	}
	return leaf
}

// around gives seq with n shown neighbours on each side along the path to leaf.
func around(entries []lookback.Entry, leaf, seq, n int) []int {
	var path []int
	at := -1
	for _, p := range lookback.Path(entries, leaf) {
		if p == seq {
			at = len(path)
		}
		if p == seq || shown(&entries[p-1]) {
			path = append(path, p)
		}
	}
	return lookback.Around(path, n, at)
}

func lastShown(entries []lookback.Entry, path []int, n int) []int {
	i := len(path)
	for ; i > 0 && n > 0; i-- {
		if shown(&entries[path[i-1]-1]) {
			n--
		}
	}
	return path[i:]
}

// statuses finds how the tool calls of the shown entries ended. A result stands
// below its call, before the next words on that branch, so only those records
// are read again.
func statuses(l *sessionLog, shown []lookback.Entry) (map[string]string, error) {
	out := map[string]string{}
	waiting := make([]bool, len(l.entries)+1) // below here results of shown calls may stand
	for i := range shown {
		e := &shown[i]
		waiting[e.Seq] = e.CallsTools()
		for _, c := range e.Calls {
			if c.ID == "" { // the archive does not name them
				continue
			}
			out[c.ID] = "pending"
			if e.Stop == lookback.StopAborted || e.Stop == lookback.StopError {
				out[c.ID] = "aborted"
			}
		}
	}
	if len(out) == 0 {
		return out, nil
	}
	var results []int
	for _, seq := range lookback.Order(l.entries) {
		e := &l.entries[seq-1]
		if !waiting[e.Parent] || e.Role == lookback.RoleAssistant {
			continue
		}
		waiting[seq] = true
		if e.Role == lookback.RoleTool {
			results = append(results, seq)
		}
	}
	read, err := l.words(results)
	for i := range read {
		if r := read[i].Reply; r != nil && out[r.Call] != "" {
			out[r.Call] = map[bool]string{false: "ok", true: "error"}[r.Failed]
		}
	}
	return out, err
}
