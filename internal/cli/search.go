package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"lookback"
	"lookback/internal/service"
)

// searchOptions are the flags of search.
type searchOptions struct {
	narrow
	literal, newest bool
	cursor          string
}

func (a *app) searchCommand() *cobra.Command {
	var o searchOptions
	cmd := &cobra.Command{
		Use:   "search QUERY…",
		Short: "find what was said",
		Long: `Search finds exchanges, summaries and entries that hold every word of the query.
When none does, it shows what comes near and says what is lacking. A question
typed as a sentence is ranked at once.

  lookback search retry backoff
  lookback search '"exact words" -not prefix* agent:pi after:7d'
  lookback search "why did we choose sqlite?" --all

It looks in the workspace of the working directory; --all looks everywhere. Words
are joined with blanks; "-" reads the query from standard input. Quote the whole
query to use quotes and minus signs in it. docs/query.md has all of the language.`,
		Example: `  lookback search "user message selector" --all
  lookback search --literal 'foo(bar' | cut -f1 | lookback read -`,
		Args: needArgs("a query"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.checkPage(&o.narrow, cmd.Flags().Changed("limit")); err != nil {
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
	o.filterFlags(cmd)
	o.pageFlags(cmd, true)
	f := cmd.Flags()
	f.StringVar(&o.role, "role", "", "only words of `ROLE`: user or assistant")
	f.StringSliceVar(&o.kinds, "kind", nil, "only `KIND`: exchange, summary, entry or session; may be given several times")
	f.BoolVarP(&o.literal, "literal", "l", false, "look for the query as one run of characters, case ignored")
	f.BoolVar(&o.newest, "newest", false, "newest first instead of best first")
	f.StringVar(&o.cursor, "cursor", "", "go on from the `NEXT` of an earlier answer")
	_ = cmd.RegisterFlagCompletionFunc("role", cobra.FixedCompletions([]string{"user", "assistant"}, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("kind", cobra.FixedCompletions([]string{"exchange", "summary", "entry", "session"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// needArgs refuses a command line without arguments and says what is missing.
func needArgs(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usage(fmt.Sprintf("%s needs %s", cmd.CommandPath(), what), cmd.CommandPath()+" --help shows examples")
		}
		return nil
	}
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
	results
	elsewhere int // hits outside of the scope, when there is none inside
	newer     int // rows before this page
	limit     int
}

type results = service.Results

func (a *app) search(ctx context.Context, text string, o *searchOptions) error {
	q := lookback.Query{Text: strings.TrimSpace(text), Literal: true}
	if !o.literal {
		var err error
		if q, err = lookback.ParseQuery(text, a.now()); err != nil {
			return err
		}
	}
	if err := o.apply(&q.Filters, a.now()); err != nil {
		return err
	}
	svc, err := a.fresh(ctx)
	if err != nil {
		return err
	}
	p, err := a.where(ctx, svc, &o.narrow, &q.Filters)
	if err != nil {
		return err
	}
	r := service.Request{Scope: p.scope, Query: q, Limit: o.limit, Offset: o.offset, Cursor: o.cursor, Newest: o.newest}
	if r.Cursor != "" && o.offset > 0 {
		return usage("--cursor and --offset cannot go together", "use one of them")
	}
	res, err := svc.Search(ctx, r)
	if err != nil {
		return err
	}
	f := found{query: q, place: p, results: res, newer: o.offset, limit: o.limit}
	if len(res.Hits)+len(res.Related) == 0 && p.root != "" && o.offset == 0 && o.cursor == "" {
		r.Scope, r.Limit = lookback.Everything(), 1
		if wide, err := svc.Search(ctx, r); err == nil {
			f.elsewhere = wide.Total
		}
	}
	return a.showFound(ctx, svc, &f)
}

func (a *app) showFound(ctx context.Context, svc *service.Service, f *found) error {
	if a.g.json {
		return a.print(foundJSON(f))
	}
	for _, n := range f.Notes {
		a.note(n)
	}
	if len(f.Hits)+len(f.Related) == 0 {
		return a.nothing(ctx, svc, f)
	}
	var err error
	if a.c.Terminal.Out {
		err = a.hitScreen(f)
	} else {
		err = errors.Join(a.hitRows(f.Hits, "full"), a.hitRows(f.Related, "related"))
	}
	if err == nil && f.Next != "" && (a.c.Terminal.Out || a.c.Terminal.Err) {
		fmt.Fprintf(a.c.Err, "%s\n", a.errStyle().Dim("more: the same with --offset "+fmt.Sprint(f.newer+len(f.Hits)+len(f.Related))))
	}
	return err
}

// nothing says that nothing was found, where, how fresh that is, and what to try.
func (a *app) nothing(ctx context.Context, svc *service.Service, f *found) error {
	w := a.c.Err
	if f.newer > 0 {
		fmt.Fprintln(w, "Nothing more was found.")
		return nil
	}
	what := f.query.Text
	if what == "" {
		what = "these filters"
	}
	fmt.Fprintf(w, "Nothing found for %s in %s", quoted(what), cleaned(a.placeName(f.place)))
	if f.place.root != "" {
		fmt.Fprintf(w, " (%s)", count(f.place.sessions, "session", "sessions"))
	}
	fmt.Fprintf(w, ", index %s.\n", a.freshness(ctx, svc))
	if len(f.Missing) > 0 {
		fmt.Fprintf(w, "  Nowhere in it: %s\n", cleaned(strings.Join(f.Missing, ", ")))
	}
	for _, hint := range a.widen(ctx, svc, f) {
		fmt.Fprintf(w, "  %s\n", cleaned(hint))
	}
	return nil
}

// freshness says how old the answer's knowledge is.
func (a *app) freshness(ctx context.Context, svc *service.Service) string {
	if !a.g.noSync && !a.stale {
		return "checked just now"
	}
	h, err := svc.Check(ctx, false)
	if err != nil || h.Synced.IsZero() {
		return "not up to date"
	}
	return "last synced " + a.ago(h.Synced)
}

// widen lists what would look further.
func (a *app) widen(ctx context.Context, svc *service.Service, f *found) []string {
	var out []string
	all, err := svc.Sessions(ctx, service.ListRequest{Scope: lookback.Everything(), Limit: 1})
	switch n := all.Total - f.place.sessions; {
	case f.elsewhere > 0:
		out = append(out, fmt.Sprintf("%s elsewhere: add --all.", count(f.elsewhere, "result is", "results are")))
	case err != nil:
	case all.Total == 0:
		return append(out, "No sessions are known at all: lookback doctor says where they are looked for.")
	case f.place.root != "" && n > 0:
		out = append(out, fmt.Sprintf("%s elsewhere, without it either (--all).", count(n, "session is", "sessions are")))
	}
	fl := f.query.Filters
	if fl.Agent != "" || fl.Role != lookback.RoleNone || len(fl.Kinds) > 0 || fl.Session != "" || fl.Name != "" || fl.In != "" || !fl.When.IsZero() {
		out = append(out, "Leave filters out to look further.")
	}
	for _, t := range f.query.Terms {
		if t.Not {
			out = append(out, "Leave exclusions out to look further.")
			break
		}
	}
	if f.query.Literal {
		out = append(out, "Without --literal the words may stand apart and in any order.")
	}
	return out
}
