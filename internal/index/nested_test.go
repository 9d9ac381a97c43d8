package index

import (
	"testing"
	"time"

	"lookback"
)

// A workspace with an archive of its own is no part of the one above it; a filter
// still reaches it.
func TestDeepestWorkspaceWins(t *testing.T) {
	db := newTestDB(t)
	began := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	for dir, native := range map[string]string{"/srv/app": "outer", "/srv/app/lib": "inner", "/srv/app/lib/deep": "deep"} {
		db.put(t, talk("pi", native, dir, began, [2]string{"a capstan of " + native, "yes"}))
	}
	find := func(scope lookback.Scope, in string) (n int) {
		t.Helper()
		q := lookback.ParseTerms("capstan")
		q.Filters.In = in
		res, err := db.Search(t.Context(), Request{Scope: scope, Query: q, Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		page, err := db.Sessions(t.Context(), SessionQuery{Scope: scope, Filters: lookback.Filters{In: in}})
		if err != nil {
			t.Fatal(err)
		}
		if page.Total != res.Total {
			t.Errorf("%d sessions are listed and %d found", page.Total, res.Total)
		}
		return res.Total
	}
	app, lib := lookback.InWorkspace("/srv/app"), lookback.InWorkspace("/srv/app/lib")
	if got := find(app, ""); got != 3 {
		t.Errorf("before the inner archive: %d found, want 3", got)
	}
	write(t, db.DB, func(w *Writer) error {
		return w.SetFolder(t.Context(), "/srv/app/lib/"+lookback.WorkspaceArchive, "seen")
	})
	for _, tt := range []struct {
		name  string
		scope lookback.Scope
		in    string
		want  int
	}{
		{"outer", app, "", 1},
		{"inner", lib, "", 2},
		{"everything", lookback.Everything(), "", 3},
		{"a filter reaches below", lookback.Everything(), "/srv/app", 3},
		{"a filter never widens", app, "/srv/app/lib", 0},
	} {
		if got := find(tt.scope, tt.in); got != tt.want {
			t.Errorf("%s: %d found, want %d", tt.name, got, tt.want)
		}
	}
}
