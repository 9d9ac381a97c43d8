package index

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"lookback"
	"lookback/internal/pi"
	"lookback/internal/testkit"
)

// caseQuery is a query of shared/cases.
type caseQuery struct {
	ID, Query, Cwd, Level, Op, Snippet string
	Hits                               []string
	HitsAny                            []string `json:"hits_any"`
	Error                              bool
	Limit                              int
	Note                               string
	Args                               struct{ From, To, TZ string }
}

// TestCaseQueries runs the queries of shared/cases the way history_search's parser
// reads them, over the workspace, for entries and for exchanges.
func TestCaseQueries(t *testing.T) {
	var cases struct{ Queries []caseQuery }
	data, err := os.ReadFile(testkit.SharedFile(t, "cases/cases.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	db, ids := caseIndex(t)
	for _, c := range cases.Queries {
		if c.Error || c.Op != "" {
			continue // matters of the tools
		}
		t.Run(c.ID, func(t *testing.T) { runCase(t, db, ids, c) })
	}
}

func runCase(t *testing.T, db *testDB, ids map[lookback.SessionID][]lookback.Entry, c caseQuery) {
	req := Request{Scope: lookback.InWorkspace(c.Cwd), Query: lookback.ParseTerms(c.Query), Limit: 20}
	req.Query.Filters.Kinds = []lookback.Kind{lookback.KindEntry}
	req.Query.Filters.When = c.span(t)
	var got []string
	out := db.find(t, req)
	for _, h := range out.Hits {
		got = append(got, ids[h.Session.ID][h.Ref.Seq-1].ID)
		if c.Snippet != "" && !strings.Contains(h.Snippet, c.Snippet) {
			t.Errorf("snippet %q", h.Snippet)
		}
	}
	slices.Sort(got)
	want := slices.Sorted(slices.Values(c.Hits))
	if strings.Contains(c.Note, "others") || strings.Contains(c.Note, "other messages") {
		got = slices.DeleteFunc(got, func(id string) bool { return !slices.Contains(want, id) })
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s %q: entries %v, want %v", c.Level, c.Query, got, want)
	}
	req.Query.Filters.Kinds = nil
	for _, h := range db.find(t, req).Hits {
		if h.Seq != 0 && len(want) > 0 && strings.Count(c.Query, " ") == 0 && !slices.Contains(want, ids[h.Session.ID][h.Seq-1].ID) && c.Note == "" {
			t.Errorf("%s %q: exchange %v shows entry %d", c.Level, c.Query, h.Ref, h.Seq)
		}
	}
}

// span is the time that the arguments name, to the end of the upper date.
func (c *caseQuery) span(t *testing.T) (span lookback.Span) {
	if c.Args.From == "" && c.Args.To == "" {
		return span
	}
	zone, err := time.LoadLocation(c.Args.TZ)
	if err != nil {
		t.Skip(err)
	}
	now := time.Now().In(zone)
	if c.Args.From != "" {
		span.From, err = lookback.ParseTime(c.Args.From, now, false)
	}
	if c.Args.To != "" && err == nil {
		span.To, err = lookback.ParseTime(c.Args.To, now, true)
	}
	if err != nil {
		t.Fatal(err)
	}
	return span
}

// caseIndex indexes the corpus of the cases.
func caseIndex(t *testing.T) (*testDB, map[lookback.SessionID][]lookback.Entry) {
	db := newTestDB(t)
	ids := map[lookback.SessionID][]lookback.Entry{}
	source := pi.New(pi.Dirs{})
	for _, path := range testkit.Glob(t, "cases/corpus/*/*.jsonl") {
		batch, err := source.Read(context.Background(), lookback.Place{Path: path}, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		u := Update{From: 1, Entries: batch.Log.Entries, Session: Session{Session: batch.Log.Session}}
		u.Session.Record = "pi." + u.Session.ID.Native
		db.put(t, withDocs(u))
		ids[u.Session.ID] = u.Entries
	}
	return db, ids
}
