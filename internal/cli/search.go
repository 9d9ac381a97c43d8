package cli

import (
	"context"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"lookback"
	"lookback/internal/render"
	"lookback/internal/service"
)

// searchOptions are the flags of search.
type searchOptions struct {
	narrow
	literal, newest, explain bool
	cursor                   string
}

func (a *app) searchCommand() *cobra.Command {
	var o searchOptions
	cmd := &cobra.Command{
		Use:   "search QUERY…",
		Short: "find what was said",
		Long: `Search finds exchanges, summaries and entries that hold every word of the
query. When none does, it shows what comes near and says what is lacking. A
question typed as a sentence is ranked at once.

  lookback search retry backoff
  lookback search '"exact words" -not prefix* agent:pi after:7d'
  lookback search "why did we choose sqlite?" --all

It looks in the workspace of the working directory; --all looks everywhere.
Words are joined with blanks; "-" reads the query from standard input. Quote
the whole query to use quotes and minus signs in it. docs/query.md has all of
the language.`,
		Example: `  lookback search "user message selector" --all
  lookback search --literal 'foo(bar' | cut -f1 | lookback read -`,
		Args: args(1, math.MaxInt, "a query"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.checkPage(cmd, &o.narrow); err != nil {
				return err
			}
			text, err := a.queryText(args)
			if err != nil {
				return err
			}
			return a.search(cmd.Context(), text, &o)
		},
	}
	o.scopeFlags(cmd)
	o.filterFlags(cmd, "agent", "session", "name", "after", "before", "role", "kind")
	o.pageFlags(cmd)
	f := cmd.Flags()
	f.BoolVarP(&o.literal, "literal", "l", false, "look for the query as one run of characters")
	f.BoolVar(&o.newest, "newest", false, "newest first instead of best first")
	f.BoolVar(&o.explain, "explain", false, "show which terms, fields and neighbours made each hit's place")
	f.StringVar(&o.cursor, "cursor", "", "go on from the `NEXT` of an earlier JSON answer")
	completeWith(cmd, "role", "user", "assistant")
	completeWith(cmd, "kind", "exchange", "summary", "entry", "session")
	return cmd
}

// maxStdin bounds what is read from standard input, in bytes.
const maxStdin = 1 << 20

func (a *app) queryText(args []string) (string, error) {
	text := strings.Join(args, " ")
	if text == "-" {
		b, err := io.ReadAll(io.LimitReader(a.c.In, maxStdin))
		if err != nil {
			return "", fmt.Errorf("read query: %w", err)
		}
		text = string(b)
	}
	if strings.TrimSpace(text) == "" {
		return "", usage("the query is empty", "write what to look for; lookback sessions lists sessions without a query")
	}
	if n := len([]rune(text)); n > lookback.MaxQueryChars {
		return "", usage(fmt.Sprintf("the query has %d characters, more than %d", n, lookback.MaxQueryChars), "leave out what is common")
	}
	return text, nil
}

// found is an answer with all that is said around it.
type found struct {
	query lookback.Query
	place place
	service.Results
	elsewhere int // hits outside of the scope, when there is none inside
}

func (a *app) search(ctx context.Context, text string, o *searchOptions) error {
	q := lookback.Query{Text: strings.TrimSpace(text), Literal: true}
	var err error
	if !o.literal {
		if q, err = lookback.ParseQuery(text, a.now()); err != nil {
			return err
		}
	}
	if err := o.apply(&q.Filters, a.now()); err != nil {
		return err
	}
	f := found{query: q}
	if f.place, err = a.where(ctx, &o.narrow, &f.query.Filters); err != nil {
		return err
	}
	r := service.Request{Scope: f.place.scope, Query: f.query, Limit: o.limit, Offset: o.offset, Cursor: o.cursor, Newest: o.newest}
	if f.Results, err = a.find(ctx, r); err != nil {
		return a.emptied(err)
	}
	shown := len(f.Hits) + len(f.Related)
	if shown == 0 && f.place.root != "" && o.offset == 0 && o.cursor == "" {
		r.Scope, r.Limit = lookback.Everything(), 1
		if wide, err := a.find(ctx, r); err == nil {
			f.elsewhere = wide.Total
		}
	}
	if a.g.json {
		return a.print(foundJSON(&f, o.explain))
	}
	for _, n := range f.Notes {
		a.note(n)
	}
	switch {
	case shown == 0:
		a.nothingFound(ctx, &f, o)
	case a.c.Terminal.Out || o.explain: // an explanation is for people, wherever it goes
		a.hitScreen(&f, o.explain)
	default:
		a.hitRows(f.Hits, "full")
		a.hitRows(f.Related, "related")
	}
	if f.Next != "" {
		a.more(o.offset + shown)
	}
	return nil
}

// find searches. Filters alone have nothing to rank: they find sessions.
func (a *app) find(ctx context.Context, r service.Request) (service.Results, error) {
	if r.Query.Text != "" {
		return a.svc.Search(ctx, r)
	}
	list, err := a.svc.Sessions(ctx, service.ListRequest{
		Scope: r.Scope, Filters: r.Query.Filters, Limit: r.Limit, Cursor: r.Cursor, Offset: r.Offset,
	})
	out := service.Results{Total: list.Total, Next: list.Next}
	if list.Total > 0 {
		out.Notes = []string{"no words to look up: these are the sessions that match, newest first"}
	}
	for _, s := range list.Sessions {
		out.Hits = append(out.Hits, service.Hit{
			Ref: lookback.SessionRef(s.ID), Kind: lookback.KindSession, Session: s, Snippet: s.Name,
			First: s.First, Last: s.Last, Ready: true, Completed: true,
		})
	}
	return out, err
}

// more says to a person how to see the next page.
func (a *app) more(offset int) {
	if a.c.Terminal.Out || a.c.Terminal.Err {
		a.talk("%s\n", a.style(a.c.Terminal.Err).Dim(fmt.Sprintf("more: the same with --offset %d", offset)))
	}
}

// nothingFound says what was looked for and what would look further.
func (a *app) nothingFound(ctx context.Context, f *found, o *searchOptions) {
	if o.offset > 0 {
		a.talk("Nothing more was found.\n")
		return
	}
	what := "these filters"
	if f.query.Text != "" {
		what = "“" + render.Fit(render.Clean(f.query.Text), 60) + "”"
	}
	var hints []string
	if len(f.Missing) > 0 && len(f.query.Terms) > 1 {
		hints = append(hints, "Nowhere in it: "+strings.Join(f.Missing, ", "))
	}
	if f.elsewhere > 0 {
		hints = append(hints, count(f.elsewhere, "result is", "results are")+" elsewhere: add --all.")
	} else if f.place.root != "" {
		hints = append(hints, "The sessions of other workspaces do not have it either.")
	}
	if !reflect.ValueOf(f.query.Filters).IsZero() {
		hints = append(hints, "Leave filters out to look further.")
	}
	if slices.ContainsFunc(f.query.Terms, func(t lookback.Term) bool { return t.Not }) {
		hints = append(hints, "Leave exclusions out to look further.")
	}
	if f.query.Literal {
		hints = append(hints, "Without --literal the words may stand apart and in any order.")
	}
	a.nothing(ctx, "Nothing found for "+what, f.place, hints)
}

// nothing says that there is nothing, where it was looked, how fresh that is, and
// what to try.
func (a *app) nothing(ctx context.Context, head string, p place, hints []string) {
	a.talk("%s in %s.\n", render.Clean(head), render.Clean(a.placeName(p)))
	in, err := a.svc.Sessions(ctx, service.ListRequest{Scope: p.scope, Limit: 1})
	all, allErr := a.svc.Sessions(ctx, service.ListRequest{Scope: lookback.Everything(), Limit: 1})
	switch {
	case err != nil || allErr != nil:
	case all.Total == 0 && a.asOf != upToDate:
		hints = []string{"No sessions are in the index yet; lookback sync --wait reads them."}
	case all.Total == 0:
		hints = append([]string{"No sessions are known at all. They were looked for in:"}, a.folders()...)
	default:
		hints = slices.Insert(hints, 0, fmt.Sprintf("Looked at %s, %s.", count(in.Total, "session", "sessions"), a.asOf))
	}
	for _, h := range hints {
		a.talk("  %s\n", render.Clean(h))
	}
}
