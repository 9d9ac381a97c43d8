package tool

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"lookback"
	"lookback/internal/service"
)

// Found is what pbot_history gives for a search.
type Found struct {
	Matches    []Match  `json:"matches"`
	Total      int      `json:"total"`
	NextOffset *int     `json:"nextOffset"`
	NextCursor *string  `json:"nextCursor"`
	Related    []Match  `json:"related,omitempty"`
	Warnings   []string `json:"warnings"`
}

// Match is a node that a search found.
type Match struct {
	Head
	Snippet string   `json:"snippet"`
	Parents []string `json:"parents"`
	Ref     string   `json:"ref"`
	Lacks   []string `json:"lacks,omitempty"`
}

const (
	maxMatches     = 50 // the schema's limit is that of reading, which is higher
	defaultMatches = 20
)

// pbotSearch is one search.
type pbotSearch struct {
	svc           *service.Service
	scope         lookback.Scope
	filters       lookback.Filters
	limit, offset int
	cursor        string // of the index
	purpose       string // of cursors: all that decides what is found
	out           Found
}

func (s *Set) pbotSearch(ctx context.Context, c Caller, scope lookback.Scope, a pbotArgs, warnings []string) (Result, error) {
	if a.Limit > maxMatches {
		return Result{}, fmt.Errorf("argument \"limit\" cannot be %d: for search it must be a whole number from 1 to %d", a.Limit, maxMatches)
	}
	p := pbotSearch{svc: s.svc, scope: scope, limit: cmp.Or(a.Limit, defaultMatches), offset: a.Offset, out: Found{Matches: []Match{}, Warnings: warnings}}
	if a.SessionID != "" {
		if err := p.narrow(ctx, a.SessionID); err != nil {
			return Result{}, err
		}
	}
	span, err := when(a, s.svc.Now())
	if err != nil {
		return Result{}, err
	}
	p.filters.When = span
	query := strings.TrimSpace(a.Query)
	p.purpose = fmt.Sprintf("search %q %q %q %+v", scope, query, a.Match, p.filters)
	if a.Cursor != "" {
		text, ok := unseal(p.purpose, a.Cursor)
		if _, err := fmt.Sscan(text, &p.offset, &p.cursor); !ok || err != nil {
			return Result{}, errors.New(`argument "cursor" is malformed or was made for another search: pass on nextCursor exactly as the page before gave it, with the same other arguments, or leave it out`)
		}
	}
	if query == "" {
		err = p.list(ctx)
	} else {
		err = p.find(ctx, query, a.Match == "terms")
	}
	if err != nil {
		return Result{}, err
	}
	r := Result{Structured: p.out, Text: p.out.text(c.maxText() - spareBytes)}
	for _, m := range append(p.out.Matches, p.out.Related...) {
		r.Links = append(r.Links, m.link(m.Ref))
	}
	return r, nil
}

// narrow limits the search to one session, named by its id or ref.
func (p *pbotSearch) narrow(ctx context.Context, id string) error {
	p.filters.Session = id
	if ref, err := lookback.ParseRef(id); err == nil {
		p.filters.Agent, p.filters.Session = ref.Session.Agent, ref.Session.Native
	}
	list, err := p.svc.Sessions(ctx, service.ListRequest{Scope: p.scope, Filters: p.filters, Limit: 1})
	if err == nil && list.Total == 0 {
		p.warn(fmt.Sprintf("No session %s in this workspace: leave sessionId out, or take one from a match.", clip(id, 80)))
	}
	return err
}

func (p *pbotSearch) warn(s string) { p.out.Warnings = append(p.out.Warnings, s) }

// find looks the query up in exchanges and summaries.
func (p *pbotSearch) find(ctx context.Context, query string, terms bool) error {
	q := lookback.Query{Text: query, Literal: true}
	if terms {
		if q = lookback.ParseTerms(query); len(q.Terms) == 0 {
			p.warn("The query holds nothing that can be looked up as terms: write words, or use match text.")
			return nil
		}
	}
	q.Filters = p.filters
	q.Filters.Kinds = []lookback.Kind{lookback.KindExchange, lookback.KindSummary}
	found, err := p.svc.Search(ctx, service.Request{Scope: p.scope, Query: q, Limit: p.limit, Cursor: p.cursor, Offset: p.offset, Terse: true})
	if err != nil {
		return err
	}
	if p.out.Matches, err = p.matches(ctx, found.Hits); err != nil {
		return err
	}
	if p.out.Related, err = p.matches(ctx, found.Related); err != nil {
		return err
	}
	p.page(found.Total, found.Next)
	for _, n := range remarks(&found) {
		p.warn(n)
	}
	if found.AtLeast {
		p.warn("There are more matches than total says.")
	}
	return nil
}

func (p *pbotSearch) matches(ctx context.Context, hits []service.Hit) ([]Match, error) {
	texts, err := p.svc.Openings(ctx, hits, 8*previewUnits)
	if err != nil {
		return nil, err
	}
	out := []Match{}
	for i := range hits {
		h := &hits[i]
		n := lookback.Node{ID: h.Node, Kind: h.Kind, Text: texts[i], From: h.First, To: h.Last, Ready: h.Ready, Completed: h.Completed}
		m := Match{Head: headOf(&h.Session, &n), Parents: []string{}, Ref: h.Ref.String(), Lacks: h.Lacks}
		if m.ID == "" {
			m.ID = m.Ref
		}
		m.Parents = append(m.Parents, h.Parents[:min(len(h.Parents), maxParents)]...)
		m.Snippet = unitClip(valid(h.Snippet), snippetUnits)
		out = append(out, m)
	}
	return out, nil
}

// list lists the sessions, newest first.
func (p *pbotSearch) list(ctx context.Context) error {
	list, err := p.svc.Sessions(ctx, service.ListRequest{Scope: p.scope, Filters: p.filters, Limit: p.limit, Cursor: p.cursor, Offset: p.offset})
	if err != nil {
		return err
	}
	open, err := p.svc.Unfinished(ctx, list.Sessions)
	if err != nil {
		return err
	}
	for i := range list.Sessions {
		x := &list.Sessions[i]
		n := lookback.Node{ID: x.Record, Kind: lookback.KindSession, From: x.First, To: x.Last, Ready: true, Completed: !open[x.Row]}
		m := Match{Head: headOf(x, &n), Parents: []string{}, Ref: nameOf(x.ID)}
		m.Snippet = m.Name
		p.out.Matches = append(p.out.Matches, m)
	}
	p.page(list.Total, list.Next)
	return nil
}

// page fills in where the next page begins.
func (p *pbotSearch) page(total int, next string) {
	p.out.Total = total
	if next != "" {
		at := p.offset + len(p.out.Matches)
		cursor := seal(p.purpose, fmt.Sprint(at, " ", next))
		p.out.NextOffset, p.out.NextCursor = &at, &cursor
	}
}

// text is the form for a model: at most room bytes inside the frame.
func (f *Found) text(room int) string {
	list, notes := f.Matches, []string{fmt.Sprintf("%d of %d shown.", len(f.Matches), f.Total)}
	switch {
	case len(f.Related) > 0:
		list, notes = f.Related, []string{"Nothing holds all of it; the above holds some."}
	case f.Total == 0:
		notes = []string{"Nothing found. Try other words, or match terms."}
	}
	if f.NextCursor != nil {
		notes = append(notes, "For more pass cursor "+*f.NextCursor)
	}
	var b strings.Builder
	for i := range list {
		row := list[i].text()
		if room -= len(defuse(row)); room < 0 {
			notes = []string{fmt.Sprintf("The rest of this page was left out for its length: ask with a limit of %d.", i)}
			break
		}
		b.WriteString(row)
	}
	return frame("workspace", b.String(), append(notes, f.Warnings...)...)
}

func (m *Match) text() string {
	if m.Kind == lookback.KindSession.String() {
		return m.line()
	}
	return m.line() + "  " + m.Snippet + lacking(m.Lacks) + "\n"
}
