package index

import (
	"slices"
	"testing"
	"time"

	"lookback"
)

// fork makes a session that begins with the first n entries of another.
func fork(u Update, native string, n int, more ...[2]string) Update {
	v := talk("pi", native, u.Session.Cwd, day.Add(time.Hour), more...)
	v.Session.Parent = u.Session.ID.Native
	head := slices.Clone(u.Entries[:n])
	for i := range v.Entries {
		e := v.Entries[i]
		e.Seq += n
		e.Parent += n
		head = append(head, e)
	}
	v.Entries = head
	return withDocs(v)
}

func TestCopiesShowOnce(t *testing.T) {
	db := newTestDB(t)
	one := talk("pi", "one", "/w", day, [2]string{"the relay", "is here"}, [2]string{"the voltage", "is there"})
	db.put(t, one, fork(one, "two", 2, [2]string{"the relay again", "elsewhere"}), talk("pi", "three", "/w", day, [2]string{"the relay", "is here"}))
	req := Request{Scope: lookback.InWorkspace("/w"), Query: lookback.ParseTerms("relay")}
	for _, q := range []lookback.Query{req.Query, {Literal: true, Text: "RELAY"}} {
		req.Query = q
		out := db.find(t, req)
		sameRefs(t, out.Hits, []string{"pi:one@0:one-2", "pi:two@0:two-2", "pi:three@0:three-2"})
		if out.Total != 3 {
			t.Errorf("total %d", out.Total)
		}
		for _, h := range out.Hits {
			copies := 0
			if h.Session.ID.Native == "one" {
				copies = 1
			}
			if len(h.AlsoIn) != copies {
				t.Errorf("%v is also in %v", h.Ref, h.AlsoIn)
			}
		}
	}
	req.Query = lookback.ParseTerms("relay")
	req.Query.Filters.Kinds = []lookback.Kind{lookback.KindEntry}
	sameRefs(t, db.find(t, req).Hits, []string{"pi:one#1", "pi:two#3", "pi:three#1"})
	req = Request{Scope: lookback.InConversation(piID("two"), 4, 4), Query: lookback.ParseTerms("relay")}
	sameRefs(t, db.find(t, req).Hits, []string{"pi:two#1", "pi:two#3"})
}

func TestFilters(t *testing.T) {
	db := newTestDB(t)
	named := talk("pi", "abc-1", "/w/a", day, [2]string{"relay one", "answer relay"})
	named.Session.Name, named.Session.Named = "Voltage talk", true
	db.put(t, named,
		talk("claude", "abd-2", "/w/a", day.AddDate(0, 0, 1), [2]string{"relay two", "answer"}),
		talk("pi", "xyz-3", "/w/b", day.AddDate(0, 0, 2), [2]string{"two", "relay answer"}))
	for _, c := range []struct {
		query string
		want  []string
	}{
		{"relay", []string{"pi:abc-1@0:abc-1-2", "claude:abd-2@0:abd-2-2", "pi:xyz-3@0:xyz-3-2"}},
		{"relay agent:claude", []string{"claude:abd-2@0:abd-2-2"}},
		{"relay agent:none", nil},
		{"relay role:user", []string{"pi:abc-1@0:abc-1-2", "claude:abd-2@0:abd-2-2"}},
		{"relay role:assistant", []string{"pi:abc-1@0:abc-1-2", "pi:xyz-3@0:xyz-3-2"}},
		{"relay session:ab", []string{"pi:abc-1@0:abc-1-2", "claude:abd-2@0:abd-2-2"}},
		{"relay name:voltage", []string{"pi:abc-1@0:abc-1-2"}},
		{"relay in:/w/b", []string{"pi:xyz-3@0:xyz-3-2"}},
		{"relay after:2026-03-02", []string{"claude:abd-2@0:abd-2-2", "pi:xyz-3@0:xyz-3-2"}},
		{"relay before:2026-03-02", []string{"pi:abc-1@0:abc-1-2"}},
		{"relay kind:entry", []string{"pi:abc-1#1", "pi:abc-1#2", "claude:abd-2#1", "pi:xyz-3#2"}},
		{"relay kind:summary", nil},
		{"relay kind:summary kind:entry", nil},
		{"relay -two", []string{"pi:abc-1@0:abc-1-2"}},
		{"voltage", nil},
	} {
		q, err := lookback.ParseQuery(c.query, day)
		if err != nil {
			t.Fatal(err)
		}
		out := db.find(t, Request{Scope: lookback.Everything(), Query: q})
		sameRefs(t, out.Hits, c.want)
		if q.Terms = nil; c.query != "relay -two" && c.query != "voltage" {
			q.Literal, q.Text = true, "RELAY"
			sameRefs(t, db.find(t, Request{Scope: lookback.Everything(), Query: q}).Hits, c.want)
		}
		if t.Failed() {
			t.Fatalf("query %q", c.query)
		}
	}
}
