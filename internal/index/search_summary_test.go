package index

import (
	"strings"
	"testing"
	"time"

	"lookback"
)

// TestSummaries checks that summaries are hits of their own, lift what they cover
// at any level, and gate nothing.
func TestSummaries(t *testing.T) {
	db := newTestDB(t)
	for n, native := range []string{"plain", "told"} {
		u := talk("pi", native, "/w", day.Add(time.Duration(-n)*time.Hour), [2]string{"relay talk", "some answer"}, [2]string{"another", "thing"})
		if native == "told" {
			low, high := "1:told-4", "2:told-4"
			for i := range u.Docs {
				u.Docs[i].Parents = []string{low}
			}
			u.Docs = append(u.Docs,
				Doc{Kind: lookback.KindSummary, Node: low, Parents: []string{high}, Text: "they spoke of other things", Ready: true, First: day, Last: day},
				Doc{Kind: lookback.KindSummary, Node: high, Text: "all of it was about the relay", Ready: true, First: day, Last: day})
		}
		u.Docs = append(u.Docs, Doc{Kind: lookback.KindSession, Text: native + " relay session", Ready: true})
		db.put(t, u)
	}
	req := Request{Scope: lookback.InWorkspace("/w"), Query: question("relay")}
	out := db.find(t, req)
	sameRefs(t, out.Hits, []string{"pi:plain@0:plain-2", "pi:told@0:told-2", "pi:told@2:told-4"})
	for _, h := range out.Hits {
		if lifted := h.Score.Summary > 0; lifted != (h.Ref.String() == "pi:told@0:told-2") {
			t.Errorf("%v: %+v", h.Ref, h.Score)
		}
		if h.Kind == lookback.KindSummary && (!strings.Contains(h.Snippet, "relay") || h.Node != "pi.told:2:told-4" || h.Seq != 0) {
			t.Errorf("summary: %+v", h)
		}
	}
	for kind, want := range map[lookback.Kind][]string{
		lookback.KindSummary:  {"pi:told@2:told-4"},
		lookback.KindExchange: {"pi:plain@0:plain-2", "pi:told@0:told-2"},
		lookback.KindSession:  {"pi:plain", "pi:told"},
		lookback.KindEntry:    {"pi:plain#1", "pi:told#1"},
	} {
		for _, q := range []lookback.Query{lookback.ParseTerms("relay"), {Literal: true, Text: "relay"}} {
			req.Query = q
			req.Query.Filters.Kinds = []lookback.Kind{kind}
			out := db.find(t, req)
			sameRefs(t, out.Hits, want)
			if out.Total != len(want) {
				t.Errorf("%v, literal %t: total %d", kind, q.Literal, out.Total)
			}
		}
	}
}

// TestSessionsAreFoundByName checks that a session is found by its name whether
// somebody gave it or its first words serve as one, and by nothing else.
func TestSessionsAreFoundByName(t *testing.T) {
	db := newTestDB(t)
	for _, named := range []bool{true, false} {
		native := map[bool]string{true: "given", false: "derived"}[named]
		u := talk("pi", native, "/w", day, [2]string{"fix the flaky relay test", "the voltage was low"})
		u.Session.Name, u.Session.Named = "fix the flaky relay test", named
		u.Docs = append(u.Docs, Doc{Kind: lookback.KindSession, Text: u.Session.Name, Ready: true})
		db.put(t, u)
	}
	for query, want := range map[string][]string{
		"kind:session flaky relay":            {"pi:given", "pi:derived"},
		"kind:session which relay was flaky?": {"pi:given", "pi:derived"},
		"kind:session voltage":                nil,
	} {
		q, err := lookback.ParseQuery(query, day)
		if err != nil {
			t.Fatal(err)
		}
		sameRefs(t, db.find(t, Request{Scope: lookback.InWorkspace("/w"), Query: q}).Hits, want)
	}
}
