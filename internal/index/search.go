package index

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"lookback"
	"lookback/internal/words"
)

const (
	// maxRanked bounds how many documents are ranked: the newest of those that
	// match. Measured at a million exchanges, 2,000 cost about 3 ms, all of a
	// common word's 300,000 cost 730.
	maxRanked = 2000
	maxLimit  = 1000
	// maxBudget is how long a search may take when the request does not say. It
	// is far above every measured query; it ends what nobody foresaw.
	maxBudget = 2 * time.Second
)

// ErrRequest is the base of errors about a request that its maker can mend.
var ErrRequest = errors.New("index: bad request")

// Search answers with a page of what the scope lets see, best first. Bounds on the
// request apply before ranking and limits. It never fails for what stands in the
// query; a request out of bounds gives an error that wraps ErrRequest, a cursor
// that is malformed or was made for another request one that wraps ErrCursor.
//
// A search that runs into its time limit returns what it has, and a note.
// Documents that forks and clones copied count once and come as one hit.
func (db *DB) Search(ctx context.Context, req Request) (Results, error) {
	if req.Limit < 1 || req.Limit > maxLimit {
		return Results{}, fmt.Errorf("%w: limit %d is not within 1 and %d", ErrRequest, req.Limit, maxLimit)
	}
	if req.Offset < 0 {
		return Results{}, fmt.Errorf("%w: offset %d is negative", ErrRequest, req.Offset)
	}
	page, err := readCursor(&req)
	if err != nil || req.Scope.Nothing() {
		return Results{}, err
	}
	s := &search{ctx: ctx, req: &req, page: page, kinds: req.Query.Filters.Kinds, found: &collector{},
		sessions: map[int64]*Session{}, segments: map[int64]segmentRow{}, written: map[int64][]string{}}
	err = db.read(ctx, func(c *conn) error {
		s.c = c
		return s.run()
	})
	if err != nil {
		return Results{}, err
	}
	return s.out, nil
}

// search is one call of Search.
type search struct {
	ctx      context.Context // the caller's, without the time limit
	c        *conn
	req      *Request
	page     cursor
	kinds    []lookback.Kind // of hits asked for
	b        bounds
	out      Results
	sessions map[int64]*Session
	segments map[int64]segmentRow
	written  map[int64][]string // authors by session
	late     bool               // the time limit was reached

	// Of the ranking at hand:
	asked  []want // what it looks for
	found  *collector
	driven bool      // not all matches were looked at, but those of the rarest words
	held   []float64 // by want: documents that hold it, up to maxHolding; nil until counted
	stats  *stats
	finder *words.Matcher // finds what was asked for in a text
	owner  []int          // by phrase of finder: its want
}

func (s *search) run() (err error) {
	if len(s.kinds) == 0 {
		s.kinds = []lookback.Kind{lookback.KindExchange, lookback.KindSummary, lookback.KindEntry}
	}
	if s.page.Changes == 0 {
		if s.page.Changes, err = s.c.fact("changes"); err != nil {
			return err
		}
	}
	if s.b, err = s.bound(s.req.Scope, &s.req.Query.Filters); err != nil || s.b.nothing {
		return err
	}
	budget := s.req.Budget
	if budget <= 0 {
		budget = maxBudget
	}
	limited, cancel := context.WithTimeout(s.ctx, budget)
	defer cancel()
	s.c.SetInterrupt(limited)
	defer s.c.SetInterrupt(s.ctx)
	var list []*candidate
	if s.req.Query.Literal {
		list, err = s.literal()
	} else {
		list, err = s.terms()
	}
	if err = s.excuse(err); err == nil {
		err = s.show(list)
	}
	if err != nil || len(list) > 0 || s.req.Query.Literal || s.req.Query.Question || s.page.Offset > 0 || s.late {
		return err
	}
	return s.excuse(s.relate())
}

// excuse turns the end of the time limit into a note. What was found by then is
// ranked and shown without one.
func (s *search) excuse(err error) error {
	if err == nil || !interrupted(err) || s.ctx.Err() != nil {
		return err
	}
	if !s.late {
		s.late, s.out.AtLeast = true, true
		s.note("the search took too long and was cut: there may be more")
		s.c.SetInterrupt(s.ctx)
	}
	return nil
}

func (s *search) note(text string) { s.out.Notes = append(s.out.Notes, text) }

// terms searches for terms, or for what a question is about.
func (s *search) terms() (list []*candidate, err error) {
	a, dropped := &ask{}, false
	if s.req.Query.Question {
		a.wants = loose(s.req.Query)
		a.all = [][]int{indexes(len(a.wants))}
	} else {
		a.wants, a.nots, dropped = strict(s.req.Query)
		a.all = exactly(&a.wants)
	}
	if len(a.wants) == 0 {
		if s.req.Query.Text != "" {
			s.note("nothing in the query can be looked up")
		}
		return nil, nil
	}
	if dropped {
		s.note(fmt.Sprintf("only the first %d terms were looked up", maxWants))
	}
	if err = s.unfold(a.wants); err != nil {
		return nil, err
	}
	if s.req.Typing && !s.req.Query.Question {
		if err = s.typing(a); err != nil {
			return nil, err
		}
	}
	list, more, err := s.ranked(a)
	if err != nil {
		return nil, err
	}
	for w := range a.wants { // words of a question that occur nowhere in scope
		if s.req.Query.Question && !s.late && s.stats.holding[w] == 0 && !a.wants[w].gram {
			s.out.Missing = append(s.out.Missing, a.wants[w].text)
		}
	}
	s.out.Total, s.out.AtLeast = len(list), more || s.late
	switch {
	case s.driven:
		s.note("only the newest matches, and those of the rarest words, were ranked")
	case more && len(s.found.found) >= maxRanked:
		s.note("only the newest 2,000 matches were ranked")
	}
	return list, nil
}

// columns names the columns that the role filter and the request leave, as the
// engine wants it. The scope column is never among them: no words of a query
// reach it. A session's name stands in meta.
func (s *search) columns() string {
	role, names := s.req.Query.Filters.Role, s.wants(lookback.KindSession)
	var out []string
	texts := !names || len(s.kinds) > 1
	if texts && role != lookback.RoleAssistant {
		out = append(out, "user")
	}
	if texts && role != lookback.RoleUser {
		out = append(out, "assistant")
		if !s.req.Terse {
			out = append(out, "steps")
		}
	}
	if names || s.req.Query.Question && role == lookback.RoleNone && !s.req.Terse {
		out = append(out, "meta")
	}
	return "{" + strings.Join(out, " ") + "}"
}

func (s *search) wants(k lookback.Kind) bool { return slices.Contains(s.kinds, k) }

// entryHits reports whether single entries are to be found, also those that
// belong to exchanges.
func (s *search) entryHits() bool {
	return s.b.conversation() || len(s.kinds) == 1 && s.wants(lookback.KindEntry)
}
