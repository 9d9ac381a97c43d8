package tool

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"lookback"
	"lookback/internal/service"
)

// SearchResult is what history_search gives.
type SearchResult struct {
	Hits    []SearchHit `json:"hits"`
	More    bool        `json:"more"`
	Related []SearchHit `json:"related,omitempty"`
	Through *int        `json:"through,omitempty"`
	Note    string      `json:"note,omitempty"`
}

// SearchHit is one entry of the caller's conversation.
type SearchHit struct {
	Entry   int      `json:"entry"`
	Role    string   `json:"role"`
	Author  string   `json:"author,omitempty"`
	Snippet string   `json:"snippet"`
	Lacks   []string `json:"lacks,omitempty"`
}

type searchArgs struct {
	Query         string
	Before, Limit int
}

func (s *Set) search(ctx context.Context, caller Caller, a searchArgs) (Result, error) {
	if strings.TrimSpace(a.Query) == "" {
		return Result{}, errors.New(`argument "query" is blank: write the words to find`)
	}
	c, err := s.conversation(ctx, caller)
	if err != nil {
		return Result{}, err
	}
	bound := -1 // position on the path that the search ends before
	if a.Before > 0 {
		if bound = c.At(a.Before); bound < 0 {
			return Result{}, notAnEntry("before", a.Before)
		}
	} else if c.Boundary != nil {
		bound = c.At(c.Boundary.Entry)
	}
	out := SearchResult{Hits: []SearchHit{}}
	q := lookback.ParseTerms(a.Query)
	switch {
	case bound < 0:
		out.Note = "Nothing has left your context: this conversation has no compaction, reset or handoff yet, so there is nothing to " +
			"search. Pass before to search earlier entries all the same."
	case len(q.Terms) == 0:
		out.Note = "The query holds nothing that can be looked up: write words, names or numbers."
	default:
		if err := s.searchBelow(ctx, c, q, bound, a.Limit, &out); err != nil {
			return Result{}, err
		}
	}
	return Result{Structured: out, Text: out.text(c)}, nil
}

func notAnEntry(name string, n int) error {
	return fmt.Errorf("argument %q is %d, which is no entry of this conversation: use an entry number from history_search or history_read", name, n)
}

// searchBelow searches the beginning of the path up to a position.
func (s *Set) searchBelow(ctx context.Context, c *service.Conversation, q lookback.Query, bound, limit int, out *SearchResult) error {
	reach, err := s.svc.Indexed(ctx, c)
	if err == nil && reach < bound {
		out.note(s.catchUp(ctx, "file "+c.File, func(ctx context.Context) error { return s.svc.SyncConversation(ctx, c) }))
		reach, err = s.svc.Indexed(ctx, c)
	}
	if err != nil {
		return err
	}
	if reach < bound {
		through := 0
		if reach > 0 {
			through = c.Path[reach-1]
		}
		out.Through, bound = &through, reach
		out.note(fmt.Sprintf("The index lags behind: only entries up to %d were searched. Search again in a moment.", through))
	} else {
		out.Note = "" // whatever kept the sync back, nothing is missing here
	}
	found, err := s.svc.SearchConversation(ctx, c, q, bound, limit)
	if err != nil {
		return err
	}
	out.Hits = append(out.Hits, hitsOf(c, found.Hits, bound)...)
	out.Related = hitsOf(c, found.Related, bound)
	out.More = found.Next != ""
	for _, n := range remarks(&found) {
		out.note(n)
	}
	return nil
}

func (r *SearchResult) note(s string) { r.Note = strings.TrimSpace(r.Note + " " + s) }

// remarks are what a search says besides its hits, as sentences.
func remarks(found *service.Results) (out []string) {
	if len(found.Missing) > 0 {
		out = append(out, "Found nowhere: "+clip(strings.Join(found.Missing, ", "), 300)+".")
	}
	for _, n := range found.Notes {
		n = valid(n)
		out = append(out, strings.ToUpper(n[:1])+strings.TrimSuffix(n[1:], ".")+".")
	}
	return out
}

// hitsOf takes over hits. One that does not stand inside the bound, which the
// index promises not to give, is dropped.
func hitsOf(c *service.Conversation, hits []service.Hit, bound int) (out []SearchHit) {
	for i := range hits {
		seq := hits[i].Ref.Seq
		at := c.At(seq)
		if at < 0 || at >= bound || !c.Entry(seq).Spoken() {
			continue
		}
		e := c.Entry(seq)
		out = append(out, SearchHit{Entry: seq, Role: e.Role.String(), Author: valid(e.Author), Snippet: valid(hits[i].Snippet), Lacks: hits[i].Lacks})
	}
	return out
}

// text is the form for a model.
func (r *SearchResult) text(c *service.Conversation) string {
	var b strings.Builder
	if len(r.Related) > 0 {
		b.WriteString("Nothing holds all terms. Related:\n")
	}
	for _, h := range slices.Concat(r.Hits, r.Related) {
		fmt.Fprintf(&b, "#%d %s: %s%s\n", h.Entry, speaker(h.Role, h.Author), h.Snippet, lacking(h.Lacks))
	}
	note := ""
	switch {
	case len(r.Hits)+len(r.Related) == 0 && r.Note == "":
		note = "Nothing found. Try other or fewer words."
	case r.More:
		note = "There are more hits: add a term, or raise limit (at most 20)."
	}
	return frame(nameOf(c.Session.ID), b.String(), note, r.Note)
}

func nameOf(id lookback.SessionID) string { return lookback.SessionRef(id).String() }

func speaker(role, author string) string {
	if author == "" {
		return role
	}
	return role + " (" + clip(author, 80) + ")"
}

// lacking says which terms a related hit lacks, "" for none.
func lacking(terms []string) string {
	if len(terms) == 0 {
		return ""
	}
	return " (lacks: " + clip(strings.Join(terms, ", "), 200) + ")"
}
