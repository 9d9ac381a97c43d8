package index

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"lookback"
)

// TestPagesStayWhileTheIndexGrows reads all pages while better and newer hits come
// in, and expects every hit of the first page's state exactly once.
func TestPagesStayWhileTheIndexGrows(t *testing.T) {
	for _, query := range []lookback.Query{lookback.ParseTerms("relay"), {Literal: true, Text: "relay"}, question("relay voltage")} {
		t.Run(fmt.Sprintf("literal %t question %t", query.Literal, query.Question), func(t *testing.T) {
			db := newTestDB(t)
			want := map[string]bool{}
			for n := range 23 {
				u := talk("pi", fmt.Sprintf("s%d", n), "/w", day.Add(time.Duration(n)*time.Minute), [2]string{"relay", fmt.Sprintf("relay number %d", n)})
				db.put(t, u)
				want[fmt.Sprintf("pi:s%d@0:s%d-2", n, n)] = true
			}
			req := Request{Scope: lookback.InWorkspace("/w"), Query: query, Limit: 5}
			for page := 0; ; page++ {
				out := db.find(t, req)
				if out.Total != 23 && page > 0 || page == 0 && out.Total != 23 {
					t.Errorf("page %d: total %d", page, out.Total)
				}
				for _, h := range out.Hits {
					if !want[h.Ref.String()] {
						t.Errorf("page %d: %v comes again or is new", page, h.Ref)
					}
					delete(want, h.Ref.String())
				}
				if out.Next == "" {
					break
				}
				req.Cursor = out.Next
				db.put(t, talk("pi", fmt.Sprintf("new%d", page), "/w", day.Add(time.Duration(page)*time.Hour), [2]string{"relay relay voltage", "relay"}))
			}
			if len(want) > 0 {
				t.Errorf("never shown: %v", want)
			}
		})
	}
}

// TestPagesFitTogether reads pages across the border between the candidates that
// are looked at closely and those that are not.
func TestPagesFitTogether(t *testing.T) {
	db := newTestDB(t)
	generate(t, db, 3*minWindow)
	for _, q := range []lookback.Query{lookback.ParseTerms(vocabulary(0)), question(vocabulary(0) + " " + vocabulary(9))} {
		seen := map[string]bool{}
		req := Request{Scope: lookback.Everything(), Query: q, Limit: 37}
		for {
			out := db.find(t, req)
			for _, h := range out.Hits {
				if seen[h.Ref.String()] {
					t.Errorf("%v comes again", h.Ref)
				}
				seen[h.Ref.String()] = true
			}
			if req.Cursor = out.Next; req.Cursor == "" {
				if len(seen) != out.Total || out.Total <= 2*minWindow {
					t.Errorf("%d hits, total %d", len(seen), out.Total)
				}
				break
			}
		}
	}
}

func TestCursorErrors(t *testing.T) {
	db := newTestDB(t)
	for n := range 3 {
		db.put(t, talk("pi", fmt.Sprintf("s%d", n), "/w", day, [2]string{"relay", "relay"}))
	}
	req := Request{Scope: lookback.InWorkspace("/w"), Query: lookback.ParseTerms("relay"), Limit: 1}
	good := db.find(t, req).Next
	if good == "" {
		t.Fatal("no next page")
	}
	other := req
	other.Query = lookback.ParseTerms("voltage")
	wider := req
	wider.Scope = lookback.Everything()
	for name, c := range map[string]struct {
		req    Request
		cursor string
	}{
		"not base64":       {req, "§"},
		"cut":              {req, good[:len(good)-4]},
		"changed":          {req, "B" + good[1:]},
		"of another query": {other, good},
		"of another scope": {wider, good},
	} {
		c.req.Cursor = c.cursor
		if _, err := db.Search(context.Background(), c.req); !errors.Is(err, ErrCursor) {
			t.Errorf("%s: %v", name, err)
		}
	}
	req.Cursor, req.Limit = good, 2
	if out := db.find(t, req); len(out.Hits) != 2 {
		t.Errorf("another page size: %d hits, want the other 2", len(out.Hits))
	}
	req.Cursor, req.Offset = "", 2
	if out := db.find(t, req); len(out.Hits) != 1 {
		t.Errorf("offset: %d hits, want 1", len(out.Hits))
	}
	for _, bad := range []Request{{Scope: req.Scope, Query: req.Query}, {Scope: req.Scope, Query: req.Query, Limit: 1001}, {Scope: req.Scope, Query: req.Query, Limit: 1, Offset: -1}} {
		if _, err := db.Search(context.Background(), bad); !errors.Is(err, ErrRequest) {
			t.Errorf("limit %d offset %d: %v", bad.Limit, bad.Offset, err)
		}
	}
}
