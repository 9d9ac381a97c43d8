package tool

import (
	"context"
	"errors"
	"fmt"
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

func searchTool() *definition {
	hit := func(more props, required ...string) map[string]any {
		p := props{"entry": typed("integer"), "role": words("user", "assistant"), "author": typed("string"), "snippet": typed("string")}
		for name, s := range more {
			p[name] = s
		}
		return map[string]any{"type": "object", "properties": p, "required": append(required, "entry", "role", "snippet")}
	}
	return &definition{
		Spec: Spec{
			Name: Search, Title: "Search this conversation", Hints: Hints{ReadOnly: true, Idempotent: true},
			Description: "Search what was said earlier in this conversation and is no longer in your context: words of the user and of the " +
				"assistant before the last compaction, reset or handoff. Not searched: tool results, thinking, summaries, other " +
				"conversations. Every term is required; case and accents do not matter. `tx.draft` finds its parts in a row, `draft*` " +
				"a beginning, `\"two words\"` a phrase; AND, OR, NOT are plain words. Example: {\"query\":\"retry backoff\"}. When nothing holds " +
				"all terms, `related` shows what holds some. Then read around a hit with history_read. `before` searches before that " +
				"entry number instead. query: 1 to 500 characters; limit: 1 to 20, default 10.",
			Output: object(props{
				"hits": listOf(hit(nil)), "more": typed("boolean"), "through": typed("integer"), "note": typed("string"),
				"related": listOf(hit(props{"lacks": listOf(typed("string"))})),
			}, []string{"hits", "more"}),
			Guidelines: []string{"Use history_search before you answer from a summary; try other words when a search finds nothing."},
		},
		example: `{"query":"retry backoff"}`,
		params: []param{
			{name: "query", kind: text, min: 1, max: lookback.MaxQueryChars, required: true, about: "Words to find, 1 to 500 characters."},
			{name: "before", kind: integer, min: 1, max: maxEntry, about: "Search strictly before this entry number instead of before the last boundary."},
			{name: "limit", kind: integer, min: 1, max: 20, def: "10", about: "How many hits, 1 to 20."},
		},
		run: (*Set).search,
	}
}

func (s *Set) search(ctx context.Context, caller Caller, v values) (Result, error) {
	if strings.TrimSpace(v.str("query")) == "" {
		return Result{}, errors.New(`argument "query" is blank: write the words to find`)
	}
	c, err := s.conversation(ctx, caller)
	if err != nil {
		return Result{}, err
	}
	q := lookback.ParseTerms(v.str("query"))
	out := SearchResult{Hits: []SearchHit{}}
	bound, note, err := searchBound(c, v)
	if err != nil {
		return Result{}, err
	}
	notes := []string{note}
	switch {
	case note != "":
	case len(q.Terms) == 0:
		notes = append(notes, "The query holds nothing that can be looked up: write words, names or numbers.")
	default:
		more, err := s.searchBelow(ctx, c, q, bound, v.num("limit", 10), &out)
		if err != nil {
			return Result{}, err
		}
		notes = append(notes, more...)
	}
	out.Note = valid(joined(notes))
	return Result{Structured: out, Text: out.text(c)}, nil
}

// searchBound gives the position on the path that a search ends before. A note
// says why there is nothing to search.
func searchBound(c *service.Conversation, v values) (int, string, error) {
	if v.has("before") {
		at := c.At(v.num("before", 0))
		if at < 0 {
			return 0, "", notAnEntry("before", v.num("before", 0))
		}
		return at, "", nil
	}
	if c.Boundary == nil {
		return 0, "Nothing has left your context: this conversation has no compaction, reset or handoff yet, so there is nothing to " +
			"search. Pass before to search earlier entries all the same.", nil
	}
	return c.At(c.Boundary.Entry), "", nil
}

func notAnEntry(name string, n int) error {
	return fmt.Errorf("argument %q is %d, which is no entry of this conversation: use an entry number from history_search or history_read", name, n)
}

// searchBelow searches the beginning of the path up to a position.
func (s *Set) searchBelow(ctx context.Context, c *service.Conversation, q lookback.Query, bound, limit int, out *SearchResult) (notes []string, err error) {
	reach, err := s.svc.Indexed(ctx, c)
	if err == nil && reach < bound {
		notes, _ = s.catchUp(ctx, "file "+c.File, func(ctx context.Context) ([]string, error) { return s.svc.SyncConversation(ctx, c) })
		reach, err = s.svc.Indexed(ctx, c)
	}
	if err != nil {
		return notes, err
	}
	if reach < bound {
		through := 0
		if reach > 0 {
			through = c.Path[reach-1]
		}
		out.Through = &through
		notes = append(notes, fmt.Sprintf("The index lags behind: only entries up to %d were searched. Search again in a moment.", through))
		bound = reach
	} else {
		notes = nil // whatever kept the sync back, nothing is missing here
	}
	found, err := s.svc.SearchConversation(ctx, c, q, bound, limit)
	if err != nil {
		return notes, err
	}
	out.Hits = append(out.Hits, hitsOf(c, found.Hits, bound)...)
	out.Related = hitsOf(c, found.Related, bound)
	out.More = found.Next != ""
	if len(found.Missing) > 0 {
		notes = append(notes, "Found nowhere: "+clip(strings.Join(found.Missing, ", "), 600)+".")
	}
	for _, n := range found.Notes {
		notes = append(notes, sentence(n))
	}
	return notes, nil
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
	row := func(h SearchHit) {
		fmt.Fprintf(&b, "#%d %s: %s", h.Entry, speaker(h.Role, h.Author), h.Snippet)
		if len(h.Lacks) > 0 {
			fmt.Fprintf(&b, " (lacks: %s)", clip(strings.Join(h.Lacks, ", "), 200))
		}
		b.WriteByte('\n')
	}
	for _, h := range r.Hits {
		row(h)
	}
	var notes []string
	switch {
	case len(r.Related) > 0:
		b.WriteString("Nothing holds all terms. Related:\n")
		for _, h := range r.Related {
			row(h)
		}
	case len(r.Hits) == 0 && r.Note == "":
		notes = append(notes, "Nothing found. Try other or fewer words.")
	case r.More:
		notes = append(notes, "There are more hits: add a term, or raise limit (at most 20).")
	}
	return frame(conversationName(c), b.String(), append(notes, r.Note)...)
}

func conversationName(c *service.Conversation) string {
	return lookback.SessionRef(c.Session.ID).String()
}

func speaker(role, author string) string {
	if author == "" {
		return role
	}
	return role + " (" + clip(author, 80) + ")"
}

// joined joins the notes that are not empty.
func joined(notes []string) string {
	var out []string
	for _, n := range notes {
		if n != "" {
			out = append(out, sentence(n))
		}
	}
	return strings.Join(out, " ")
}

// sentence gives a note a capital and a full stop.
func sentence(s string) string {
	if s == "" {
		return ""
	}
	if !strings.HasSuffix(s, ".") {
		s += "."
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
