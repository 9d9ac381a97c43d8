package index

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"lookback"
	"lookback/internal/words"
)

const (
	// maxRanked bounds how many documents are ranked: the newest of those that
	// match. Measured at a million exchanges, 2,000 cost about 3 ms, all of a
	// common word's 300,000 cost 730.
	maxRanked = 2000
	// maxCounted bounds how far matches are counted beyond those ranked.
	maxCounted = 3_000
	maxLimit   = 1000
	// maxBudget is how long a search may take when the request does not say. It
	// is far above every measured query; it ends what nobody foresaw.
	maxBudget    = 2 * time.Second
	snippetChars = 300
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
	var out Results
	err = db.read(ctx, func(c *conn) error {
		s := &search{ctx: ctx, c: c, req: &req, page: page, found: collectors.Get().(*collector), sessions: map[int64]*Session{}, segments: map[int64]segmentRow{}}
		err := s.run()
		out = s.out
		s.found.clear(0)
		collectors.Put(s.found)
		return err
	})
	if err != nil {
		return Results{}, err
	}
	return out, nil
}

// search is one call of Search.
type search struct {
	ctx      context.Context // the caller's, without the time limit
	c        *conn
	req      *Request
	page     cursor
	b        bounds
	out      Results
	found    *collector
	sessions map[int64]*Session
	segments map[int64]segmentRow
	written  map[int64][]string // authors by session
	late     bool               // the time limit was reached

	driven bool  // not all matches were looked at, but those of the rarest words
	held   []int // by want: documents that hold it, up to maxHolding; nil until counted
	stats  *stats
	finder *words.Matcher // finds what was asked for in a text
	owner  []int          // by phrase of finder: its want
	nots   *words.Matcher // finds what must not stand in an entry; nil for nothing

	originals   map[int64]bool // literal: which entries that forks copied hold the run
	whereInside string         // literal: see sessionsInside
}

func (s *search) run() (err error) {
	if s.page.changes == 0 {
		if s.page.changes, err = s.c.fact("changes"); err != nil {
			return err
		}
	}
	if s.b, err = s.bound(s.req.Scope, &s.req.Query.Filters); err != nil {
		return err
	}
	if s.page.later {
		s.b.born = s.page.changes
	}
	if s.boundKinds(); s.b.nothing {
		return nil
	}
	budget := s.req.Budget
	if budget <= 0 {
		budget = maxBudget
	}
	limited, cancel := context.WithTimeout(s.ctx, budget)
	defer cancel()
	s.c.SetInterrupt(limited)
	defer s.c.SetInterrupt(s.ctx)
	var list []item
	if s.req.Query.Literal {
		list, err = s.literal()
	} else {
		list, err = s.terms()
	}
	if err = s.excuse(err); err == nil {
		err = s.show(list)
	}
	if err != nil || len(list) > 0 || s.req.Query.Literal || s.req.Query.Question || s.page.offset > 0 || s.late {
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

// item is a place in the list of hits.
type item struct {
	doc   *docInfo
	entry int64 // the entry found, for hits that are entries
	plain bool  // nobody's name is noted with it
	score Score
	verdict
	copies []lookback.Ref
}

// terms searches for terms, or for what a question is about.
func (s *search) terms() ([]item, error) {
	a := &ask{set: s.columns()}
	var rule judge
	dropped := false
	switch {
	case s.req.Query.Question:
		a.wants = loose(s.req.Query)
		a.some = indexes(len(a.wants))
	default:
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
	if err := s.unfold(a.wants); err != nil {
		return nil, err
	}
	if s.req.Typing && !s.req.Query.Question {
		var err error
		if rule, err = s.typing(a); err != nil {
			return nil, err
		}
	}
	list, err := s.ranked(a, rule)
	if err == nil && s.req.Query.Question {
		s.nameMissing(a.wants)
	}
	return list, err
}

// nameMissing names the words of a question that occur nowhere in scope.
func (s *search) nameMissing(wants []want) {
	for w := range wants {
		if s.stats.holding[w] == 0 && !wants[w].gram {
			s.out.Missing = append(s.out.Missing, wants[w].text)
		}
	}
}

// columns are the columns that the role filter and the request leave.
func (s *search) columns() columnSet {
	w := s.wanted()
	switch {
	case len(w) == 1 && w[0] == lookback.KindSession:
		return onlyMeta
	case slices.Contains(w, lookback.KindSession):
		return withMeta
	case s.req.Query.Filters.Role == lookback.RoleUser:
		return userWords
	case s.req.Query.Filters.Role == lookback.RoleAssistant && s.req.Terse:
		return replyOnly
	case s.req.Query.Filters.Role == lookback.RoleAssistant:
		return replyWords
	case s.req.Terse:
		return nodeWords
	case s.req.Query.Question:
		return withMeta
	}
	return allWords
}
