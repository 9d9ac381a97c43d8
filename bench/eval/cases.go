package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"lookback"
	"lookback/internal/pi"
	"lookback/internal/service"
)

// caseQuery is a query of the shared cases with the entries that it must find.
type caseQuery struct {
	ID       string   `json:"id"`
	Query    string   `json:"query"`
	Cwd      string   `json:"cwd"`
	Hits     []string `json:"hits"`
	Level    string   `json:"level"`
	Note     string   `json:"note"`
	Snippet  string   `json:"snippet"`
	Limit    int      `json:"limit"`
	Op       string   `json:"op"`
	Sessions []string `json:"sessions"`
	Error    bool     `json:"error"`
	Args     struct{ From, To, TZ string }
}

// verdicts count the cases of a level.
type verdicts struct {
	passed, all int
	skipped     []string // what only a tool can answer
	failed      []string
}

// cases runs the queries of the shared cases over their corpus, read by the
// product's own sync, the way an agent's tool asks.
func cases(ctx context.Context, shared, temp string) (map[string]*verdicts, error) {
	data, err := os.ReadFile(filepath.Join(shared, "cases", "cases.json"))
	if err != nil {
		return nil, err
	}
	var all struct{ Queries []caseQuery }
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, err
	}
	corpus := filepath.Join(shared, "cases", "corpus")
	src := pi.New(pi.Dirs{Home: temp, Roots: []string{corpus, filepath.Join(corpus, "atlas"), filepath.Join(corpus, "atlas-docs")}})
	svc, err := service.Open(ctx, service.Config{Index: filepath.Join(temp, "cases.db"), Sources: []service.Source{src}})
	if err != nil {
		return nil, err
	}
	defer svc.Close()
	if _, err := svc.Sync(ctx, service.SyncOptions{}); err != nil {
		return nil, err
	}
	ids, err := entryIDs(ctx, src)
	if err != nil {
		return nil, err
	}
	out := map[string]*verdicts{"must": {}, "should": {}}
	for i := range all.Queries {
		q := &all.Queries[i]
		v := out[q.Level]
		if q.Error || strings.TrimSpace(q.Query) == "" && q.Op == "" || len([]rune(q.Query)) > lookback.MaxQueryChars {
			v.skipped = append(v.skipped, q.ID)
			continue
		}
		v.all++
		if fault := q.run(ctx, svc, ids); fault == "" {
			v.passed++
		} else {
			v.failed = append(v.failed, q.ID+" "+fault)
		}
	}
	return out, nil
}

// entryIDs reads the native ids of all entries.
func entryIDs(ctx context.Context, src *pi.Source) (map[place]string, error) {
	ids := map[place]string{}
	places, _ := src.Places(ctx)
	for _, p := range places {
		b, err := src.Read(ctx, p, nil, nil)
		if err != nil {
			return nil, err
		}
		for i := range b.Log.Entries {
			ids[place{b.Log.Session.ID.Native, i + 1}] = b.Log.Entries[i].ID
		}
	}
	if len(ids) == 0 {
		return nil, fmt.Errorf("the corpus of the cases holds no session")
	}
	return ids, nil
}

// run asks the query and says what is wrong with the answer, "" for nothing.
func (c *caseQuery) run(ctx context.Context, svc *service.Service, ids map[place]string) string {
	q := lookback.ParseTerms(c.Query)
	q.Filters.Kinds = []lookback.Kind{lookback.KindEntry}
	if err := c.span(&q.Filters.When); err != nil {
		return err.Error()
	}
	scope := lookback.InWorkspace(c.Cwd)
	if c.Op == "list_sessions" {
		list, err := svc.Sessions(ctx, service.ListRequest{Scope: scope, Filters: lookback.Filters{When: q.Filters.When}})
		if err != nil {
			return err.Error()
		}
		var got []string
		for _, s := range list.Sessions {
			got = append(got, s.ID.Native)
		}
		if !slices.Equal(got, c.Sessions) {
			return fmt.Sprintf("gives sessions %q, not %q", got, c.Sessions)
		}
		return ""
	}
	res, err := svc.Search(ctx, service.Request{Scope: scope, Query: q, Limit: max(c.Limit, 20*(1-min(1, c.Limit)))})
	if err != nil {
		return err.Error()
	}
	var got []string
	for _, h := range res.Hits {
		got = append(got, ids[place{h.Ref.Session.Native, h.Ref.Seq}])
		if c.Snippet != "" && !strings.Contains(h.Snippet, c.Snippet) {
			return fmt.Sprintf("snippet %q lacks %q", h.Snippet, c.Snippet)
		}
	}
	slices.Sort(got)
	want := slices.Sorted(slices.Values(c.Hits))
	switch {
	case c.Limit > 0: // any of the expected ones will do
		if len(got) != min(c.Limit, len(want)) || !slices.Contains(want, got[0]) {
			return fmt.Sprintf("finds %q, not one of %q", got, want)
		}
	case strings.Contains(c.Note, "may be too"):
		for _, id := range want {
			if !slices.Contains(got, id) {
				return fmt.Sprintf("finds %q, lacks %q", got, id)
			}
		}
	case !slices.Equal(got, want):
		return fmt.Sprintf("finds %q, not %q", got, want)
	}
	return ""
}

func (c *caseQuery) span(w *lookback.Span) error {
	zone, err := time.LoadLocation(c.Args.TZ)
	if err != nil {
		return err
	}
	now := time.Date(2026, 4, 1, 0, 0, 0, 0, zone)
	if c.Args.From != "" {
		if w.From, err = lookback.ParseTime(c.Args.From, now, false); err != nil {
			return err
		}
	}
	if c.Args.To != "" {
		w.To, err = lookback.ParseTime(c.Args.To, now, true)
	}
	return err
}
