package index

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"lookback"
)

func TestSessions(t *testing.T) {
	db := open(t)
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for i, cwd := range []string{"/w/a", "/w/a/sub", "/w/ab", "/w", "", "/w/a"} {
		s, entries := session(fmt.Sprintf("s%d", i), "u apple", "a pear")
		s.Cwd, s.Name = cwd, fmt.Sprintf("Name %d of ANN", i)
		u := update(s, entries, 1)
		u.Session.First, u.Session.Last = at.AddDate(0, 0, i%3), at.AddDate(0, 0, i%3+1)
		if i == 4 {
			u.Homes = []string{"/w/a"}
		}
		put(t, db, u)
	}
	ids := func(p SessionPage) string {
		var out []string
		for _, s := range p.Sessions {
			out = append(out, s.ID.Native)
		}
		return strings.Join(out, " ")
	}
	id := lookback.SessionID{Agent: "pi", Native: "s2"}
	for _, tt := range []struct {
		name  string
		scope lookback.Scope
		f     lookback.Filters
		want  string
	}{
		{"nothing", lookback.Scope{}, lookback.Filters{}, ""},
		{"everything", lookback.Everything(), lookback.Filters{}, "s5 s2 s4 s1 s3 s0"},
		{"workspace", lookback.InWorkspace("/w/a"), lookback.Filters{}, "s5 s4 s1 s0"},
		{"workspace with a slash", lookback.InWorkspace("/"), lookback.Filters{}, "s5 s2 s4 s1 s3 s0"},
		{"unknown workspace", lookback.InWorkspace("/x"), lookback.Filters{}, ""},
		{"conversation", lookback.InConversation(id, 2, 9), lookback.Filters{}, "s2"},
		{"in", lookback.Everything(), lookback.Filters{In: "/w/a/sub"}, "s1"},
		{"in, outside the scope", lookback.InWorkspace("/w/ab"), lookback.Filters{In: "/w/a"}, ""},
		{"prefix", lookback.Everything(), lookback.Filters{Session: "s4"}, "s4"},
		{"prefix with a wildcard", lookback.Everything(), lookback.Filters{Session: "s%"}, ""},
		{"agent", lookback.Everything(), lookback.Filters{Agent: "claude"}, ""},
		{"name", lookback.Everything(), lookback.Filters{Name: "ann 5"}, "s5"},
		{"from", lookback.Everything(), lookback.Filters{When: lookback.Span{From: at.AddDate(0, 0, 3)}}, "s5 s2"},
		{"to", lookback.Everything(), lookback.Filters{When: lookback.Span{To: at.AddDate(0, 0, 1)}}, "s3 s0"},
	} {
		page, err := db.Sessions(t.Context(), SessionQuery{Scope: tt.scope, Filters: tt.f})
		if err != nil || ids(page) != tt.want || page.Total != len(page.Sessions) || page.Next != "" {
			t.Errorf("%s: %q of %d, %q, %v, want %q", tt.name, ids(page), page.Total, page.Next, err, tt.want)
		}
		visible, err := db.Visible(t.Context(), tt.scope, 3)
		if want := tt.scope.Everything() || tt.name == "conversation" || tt.name == "workspace with a slash" || tt.name == "in, outside the scope"; visible != want || err != nil {
			t.Errorf("%s: visible %v, %v", tt.name, visible, err)
		}
	}
	var got []string
	q := SessionQuery{Scope: lookback.Everything(), Limit: 4}
	for range 3 {
		page, err := db.Sessions(t.Context(), q)
		if err != nil || page.Total != 6 {
			t.Fatal(page.Total, err)
		}
		got = append(got, ids(page))
		if q.Cursor = page.Next; q.Cursor == "" {
			break
		}
	}
	if fmt.Sprint(got) != "[s5 s2 s4 s1 s3 s0]" {
		t.Errorf("pages %q", got)
	}
	if page, err := db.Sessions(t.Context(), SessionQuery{Scope: lookback.Everything(), Offset: 4}); err != nil || ids(page) != "s3 s0" {
		t.Errorf("offset: %q, %v", ids(page), err)
	}
	if _, err := db.Sessions(t.Context(), SessionQuery{Scope: lookback.Everything(), Cursor: "1' OR 1"}); !errors.Is(err, ErrCursor) {
		t.Errorf("bad cursor: %v", err)
	}
	if ok, err := db.HasDir(t.Context(), "/w/ab"); !ok || err != nil {
		t.Errorf("dir: %v, %v", ok, err)
	}
	if dirs, err := db.Dirs(t.Context()); err != nil || len(dirs) != 4 {
		t.Errorf("dirs %q, %v", dirs, err)
	}
}

func TestWithin(t *testing.T) {
	for _, tt := range []struct {
		root, path string
		want       bool
	}{
		{"/w/a", "/w/a", true}, {"/w/a", "/w/a/b", true}, {"/w/a", "/w/ab", false}, {"/w/a", "/w", false},
		{"/", "/w", true}, {"/", "/", true}, {"", "/w", false}, {"", "", false}, {"/w", "", false},
	} {
		if got := within(tt.root, tt.path); got != tt.want {
			t.Errorf("%q in %q: %v", tt.path, tt.root, got)
		}
	}
}
