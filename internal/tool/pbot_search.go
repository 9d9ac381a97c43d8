package tool

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
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

// Lengths in UTF-16 units.
const (
	previewUnits = 100
	snippetUnits = 400
)

func (s *Set) pbotSearch(ctx context.Context, c Caller, scope lookback.Scope, v values, warnings []string) (Result, error) {
	span, err := when(v, s.svc.Now())
	if err != nil {
		return Result{}, err
	}
	p := pbotSearch{s: s, scope: scope, span: span, query: strings.TrimSpace(v.str("query")), limit: v.num("limit", 20), offset: v.num("offset", 0)}
	p.out = Found{Matches: []Match{}, Warnings: warnings}
	if v.has("sessionId") {
		if err := p.narrow(ctx, v.str("sessionId")); err != nil {
			return Result{}, err
		}
	}
	terms := v.str("match") == "terms"
	root, _ := scope.Workspace()
	p.asked = fmt.Sprintf("%q %q %t %q %d %d", root, p.query, terms, p.session, span.From.UnixMilli(), span.To.UnixMilli())
	if v.has("cursor") {
		if p.cursor, p.offset, err = p.readCursor(v.str("cursor")); err != nil {
			return Result{}, err
		}
	}
	switch {
	case p.nowhere:
	case p.query == "":
		err = p.list(ctx)
	default:
		err = p.find(ctx, terms)
	}
	if errors.Is(err, errPage) {
		err = errPage
	}
	if err != nil {
		return Result{}, err
	}
	p.out.fit()
	r := Result{Structured: p.out, Text: p.out.text(c.textBudget())}
	for _, m := range append(p.out.Matches, p.out.Related...) {
		r.Links = append(r.Links, Link{Ref: m.Ref, Name: m.Kind + " in " + m.Name})
	}
	return r, nil
}

// pbotSearch is one search.
type pbotSearch struct {
	s             *Set
	scope         lookback.Scope
	span          lookback.Span
	query         string
	agent         string
	session       string
	nowhere       bool // the session that was asked for is none of this workspace
	limit, offset int
	cursor        string // of the index
	asked         string // all that decides what is found, for cursors
	out           Found
}

// narrow limits the search to one session, named by its id or ref.
func (p *pbotSearch) narrow(ctx context.Context, id string) error {
	p.session = strings.TrimSpace(id)
	if ref, err := lookback.ParseRef(p.session); err == nil {
		p.agent, p.session = ref.Session.Agent, ref.Session.Native
	}
	list, err := p.s.svc.Sessions(ctx, service.ListRequest{Scope: p.scope, Filters: p.filters(false), Limit: 1})
	if err != nil {
		return err
	}
	if p.nowhere = list.Total == 0 || p.session == ""; p.nowhere {
		p.out.Warnings = append(p.out.Warnings, fmt.Sprintf("No session %s in this workspace: leave sessionId out, or take one from a match.", clip(id, 80)))
	}
	return nil
}

func (p *pbotSearch) filters(timed bool) lookback.Filters {
	f := lookback.Filters{Agent: p.agent, Session: p.session}
	if timed {
		f.When = p.span
	}
	return f
}

// find looks the query up in exchanges and summaries.
func (p *pbotSearch) find(ctx context.Context, terms bool) error {
	q := lookback.Query{Text: p.query, Literal: true}
	if terms {
		q = lookback.ParseTerms(p.query)
		if len(q.Terms) == 0 {
			p.out.Warnings = append(p.out.Warnings, "The query holds nothing that can be looked up as terms: write words, or use match text.")
			return nil
		}
	}
	q.Filters = p.filters(true)
	q.Filters.Kinds = []lookback.Kind{lookback.KindExchange, lookback.KindSummary}
	found, err := p.s.svc.Search(ctx, service.Request{Scope: p.scope, Query: q, Limit: p.limit, Cursor: p.cursor, Offset: p.offset, Terse: true})
	if err != nil {
		return err
	}
	if p.out.Matches, err = p.matches(ctx, p.out.Matches, found.Hits); err != nil {
		return err
	}
	if p.out.Related, err = p.matches(ctx, nil, found.Related); err != nil {
		return err
	}
	p.page(found.Total, found.Next)
	if len(found.Missing) > 0 {
		p.out.Warnings = append(p.out.Warnings, "Found nowhere: "+clip(strings.Join(found.Missing, ", "), 600)+".")
	}
	for _, n := range found.Notes {
		p.out.Warnings = append(p.out.Warnings, sentence(valid(n)))
	}
	if found.AtLeast {
		p.out.Warnings = append(p.out.Warnings, "There are more matches than total says.")
	}
	return nil
}

// matches adds what hits show.
func (p *pbotSearch) matches(ctx context.Context, out []Match, hits []service.Hit) ([]Match, error) {
	begin, err := p.s.svc.Openings(ctx, hits, 8*previewUnits)
	if err != nil {
		return nil, err
	}
	for i := range hits {
		out = append(out, matchOf(&hits[i], begin[i]))
	}
	return out, nil
}

// list lists the sessions, newest first.
func (p *pbotSearch) list(ctx context.Context) error {
	list, err := p.s.svc.Sessions(ctx, service.ListRequest{Scope: p.scope, Filters: p.filters(true), Limit: p.limit, Cursor: p.cursor, Offset: p.offset})
	if err != nil {
		return err
	}
	open, err := p.s.svc.Unfinished(ctx, list.Sessions)
	if err != nil {
		return err
	}
	for i := range list.Sessions {
		x := &list.Sessions[i]
		m := Match{Head: headOf(x), Parents: []string{}, Ref: lookback.SessionRef(x.ID).String()}
		m.ID, m.Kind, m.Ready, m.Completed = x.Record, lookback.KindSession.String(), true, !open[x.Row]
		m.Preview, m.Snippet = flat(valid(x.Name), previewUnits), flat(valid(x.Name), snippetUnits)
		p.out.Matches = append(p.out.Matches, m)
	}
	p.page(list.Total, list.Next)
	return nil
}

// page fills in where the next page begins.
func (p *pbotSearch) page(total int, next string) {
	p.out.Total = total
	if next == "" {
		return
	}
	at := p.offset + len(p.out.Matches)
	cursor := p.writeCursor(next, at)
	p.out.NextOffset, p.out.NextCursor = &at, &cursor
}

// errPage tells what to do about a cursor that is of no use.
var errPage = errors.New(`argument "cursor" is malformed or was made for another search: pass on nextCursor exactly as the page before gave it, with the same other arguments, or leave it out`)

type pageCursor struct {
	Index  string `json:"i"`
	Offset int    `json:"o"`
	Sum    string `json:"s"`
}

func (p *pbotSearch) sum(index string, offset int) string {
	h := sha256.Sum256(fmt.Appendf(nil, "lookback page 1\n%s\n%s\n%d", p.asked, index, offset))
	return base64.RawURLEncoding.EncodeToString(h[:macSize])
}

func (p *pbotSearch) writeCursor(index string, offset int) string {
	b, err := json.Marshal(pageCursor{index, offset, p.sum(index, offset)})
	if err != nil {
		panic(err) // strings and numbers only
	}
	return base64.RawURLEncoding.EncodeToString(b)
}

func (p *pbotSearch) readCursor(s string) (index string, offset int, err error) {
	var c pageCursor
	b, err := base64.RawURLEncoding.Strict().DecodeString(s)
	if err != nil || json.Unmarshal(b, &c) != nil || c.Index == "" || c.Offset < 0 || c.Sum != p.sum(c.Index, c.Offset) {
		return "", 0, errPage
	}
	return c.Index, c.Offset, nil
}

// headOf is what a session says of all its nodes.
func headOf(x *service.Session) Head {
	return Head{SessionID: x.ID.Native, Name: flat(valid(x.Name), 2*previewUnits), From: stamp(x.First), To: stamp(x.Last)}
}

func matchOf(h *service.Hit, begin string) Match {
	m := Match{Head: headOf(&h.Session), Parents: []string{}, Ref: h.Ref.String(), Lacks: h.Lacks}
	m.ID, m.Kind, m.From, m.To, m.Ready, m.Completed = h.Node, h.Kind.String(), stamp(h.First), stamp(h.Last), h.Ready, h.Completed
	if m.ID == "" {
		m.ID = m.Ref
	}
	m.Parents = append(m.Parents, h.Parents[:min(len(h.Parents), maxParents)]...)
	m.Snippet = around(valid(h.Snippet), h.Marks, snippetUnits)
	m.Preview = flat(shownText(begin), previewUnits)
	return m
}

// around cuts a snippet to so many units without losing its first match.
func around(s string, marks []service.Mark, units int) string {
	if unitLen(s) <= units {
		return s
	}
	if len(marks) > 0 && marks[0].End <= len(s) && unitLen(s[:marks[0].End]) > units {
		from, _ := unitIndex(s, unitLen(s[:marks[0].Start])-units/4)
		s = s[from:]
	}
	return unitClip(s, units)
}

// fit shortens snippets and previews when a page would be larger than a call may
// be: fifty of a script of three bytes a character are.
func (f *Found) fit() {
	for units := snippetUnits; units > 50; units /= 2 {
		b, err := json.Marshal(f)
		if err != nil || len(b) <= maxBytes {
			return
		}
		for _, list := range [][]Match{f.Matches, f.Related} {
			for i := range list {
				m := &list[i]
				m.Snippet, m.Preview, m.Name = unitClip(m.Snippet, units/2), unitClip(m.Preview, units/4), unitClip(m.Name, units/4)
			}
		}
	}
}

// text is the form for a model.
func (f *Found) text(budget int) string {
	var b strings.Builder
	shown := 0
	row := func(m *Match) bool {
		line := m.line() + "\n"
		if m.Kind != lookback.KindSession.String() {
			line += "  " + m.Snippet + "\n"
		}
		if len(m.Lacks) > 0 {
			line += "  (lacks: " + clip(strings.Join(m.Lacks, ", "), 200) + ")\n"
		}
		if b.Len()+len(defuse(line)) > budget-spareBytes {
			return false
		}
		b.WriteString(line)
		shown++
		return true
	}
	for i := range f.Matches {
		if !row(&f.Matches[i]) {
			break
		}
	}
	notes := []string{fmt.Sprintf("%d of %d shown.", shown, f.Total)}
	if len(f.Related) > 0 {
		notes[0] = "Nothing holds all of it; the above holds some."
		for i := range f.Related {
			if !row(&f.Related[i]) {
				break
			}
		}
	} else if f.Total == 0 {
		notes[0] = "Nothing found. Try other words, or match terms."
	}
	if shown < len(f.Matches) {
		notes = append(notes, fmt.Sprintf("The rest of this page was left out for its length: ask with a limit of %d.", max(shown, 1)))
	} else if f.NextCursor != nil {
		notes = append(notes, "For more pass cursor "+*f.NextCursor)
	}
	return frame("workspace", b.String(), append(notes, f.Warnings...)...)
}
