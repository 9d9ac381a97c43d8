package index

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ncruces/go-sqlite3"

	"lookback"
	"lookback/internal/words"
)

const (
	// maxRanked bounds how many documents are ranked: the newest of those that
	// match. Measured at a million exchanges, 2,000 cost about 3 ms, all of a
	// common word's 300,000 cost 730.
	maxRanked = 2000
	// maxCounted bounds how far matches are counted beyond those ranked.
	maxCounted = 10_000
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
		s := &search{c: c, req: &req, page: page, sessions: map[int64]*Session{}, segments: map[int64]segmentRow{}}
		err := s.run(ctx)
		out = s.out
		return err
	})
	if err != nil {
		return Results{}, err
	}
	return out, nil
}

// search is one call of Search.
type search struct {
	c        *conn
	req      *Request
	page     cursor
	b        bounds
	out      Results
	found    collector
	sessions map[int64]*Session
	segments map[int64]segmentRow
	written  map[int64][]string // authors by session
	late     bool               // the time limit was reached

	stats  *stats
	finder *words.Matcher // finds what was asked for in a text
	owner  []int          // by phrase of finder: its want
	nots   *words.Matcher // finds what must not stand in an entry; nil for nothing

	originals   map[int64]bool // literal: which entries that forks copied hold the run
	whereInside string         // literal: see sessionsInside
}

func (s *search) run(ctx context.Context) (err error) {
	budget := s.req.Budget
	if budget <= 0 {
		budget = maxBudget
	}
	limited, cancel := context.WithTimeout(ctx, budget)
	defer cancel()
	s.c.SetInterrupt(limited)
	defer s.c.SetInterrupt(ctx)

	if s.page.changes == 0 {
		if s.page.changes, err = s.c.fact("changes"); err != nil {
			return err
		}
	}
	if s.b, err = s.bound(s.req.Scope, &s.req.Query.Filters); err != nil || s.b.nothing {
		return s.excuse(ctx, err)
	}
	if s.page.later {
		s.b.born = s.page.changes
	}
	s.boundKinds()
	if s.b.nothing {
		return nil
	}
	var list []item
	if s.req.Query.Literal {
		list, err = s.literal()
	} else {
		list, err = s.terms()
	}
	if err = s.excuse(ctx, err); err != nil {
		return err
	}
	s.c.SetInterrupt(ctx) // what was found is shown
	if err := s.show(list); err != nil {
		return err
	}
	if len(list) > 0 || s.req.Query.Literal || s.req.Query.Question || s.page.offset > 0 || s.page.later {
		return nil
	}
	s.c.SetInterrupt(limited)
	return s.excuse(ctx, s.relate())
}

// excuse turns the end of the time limit into a note.
func (s *search) excuse(ctx context.Context, err error) error {
	if err == nil || !errors.Is(err, sqlite3.INTERRUPT) || ctx.Err() != nil {
		return err
	}
	if !s.late {
		s.late = true
		s.out.AtLeast = true
		s.note("the search took too long and was cut: there may be more")
	}
	return nil
}

func (s *search) note(text string) { s.out.Notes = append(s.out.Notes, text) }

// item is a place in the list of hits.
type item struct {
	doc   *docInfo
	entry int64 // the entry found, for hits that are entries
	score Score
	verdict
	copies []lookback.Ref
}

// terms searches for terms, or for what a question is about.
func (s *search) terms() ([]item, error) {
	a := ask{set: s.columns()}
	var dropped bool
	if s.req.Query.Question {
		a.wants = loose(s.req.Query)
		a.some = indexes(len(a.wants))
	} else {
		a.wants, a.nots, dropped = strict(s.req.Query)
		a.all = exactly(&a.wants)
	}
	if len(a.wants) == 0 {
		if len(s.req.Query.Terms) > 0 || s.req.Query.Text != "" {
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
	return s.ranked(&a, nil)
}

// columns are the columns that the role filter and the request leave.
func (s *search) columns() columnSet {
	switch {
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
