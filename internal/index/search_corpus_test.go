package index

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lookback"
)

// syllables make up the words of generated texts.
var syllables = strings.Fields("ba de fo gu ki la mo ne pi ro su ta ve wo xi yu za che dri flo gra pla ste tru")

// vocabulary gives the n-th word of the generated language; the lower n, the
// more common it is.
func vocabulary(n int) string {
	w := syllables[n%len(syllables)] + syllables[n/len(syllables)%len(syllables)]
	if n >= len(syllables)*len(syllables) {
		w += syllables[n/len(syllables)/len(syllables)%len(syllables)]
	}
	return w
}

// rareWord is a word of one session.
func rareWord(session int) string { return "zz" + vocabulary(session) + "zz" }

// prose writes words by Zipf's law.
func prose(r *rand.Rand, z *rand.Zipf, n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(" \n"[b2i(r.IntN(20) == 0)])
		}
		b.WriteString(vocabulary(int(z.Uint64())))
	}
	return b.String()
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// talk makes a session of exchanges out of pairs of question and answer.
func talk(agent, native, cwd string, start time.Time, pairs ...[2]string) Update {
	u := Update{From: 1}
	u.Session.ID = lookback.SessionID{Agent: agent, Native: native}
	u.Session.Cwd, u.Session.Started, u.Session.Record = cwd, start, agent+"."+native
	for i, p := range pairs {
		n := len(u.Entries)
		at := start.Add(time.Duration(i) * time.Minute)
		u.Entries = append(u.Entries,
			lookback.Entry{Seq: n + 1, ID: fmt.Sprintf("%s-%d", native, n+1), Parent: n, Role: lookback.RoleUser, Message: true, Time: at, Parts: []lookback.Part{{Text: p[0]}}},
			lookback.Entry{Seq: n + 2, ID: fmt.Sprintf("%s-%d", native, n+2), Parent: n + 1, Role: lookback.RoleAssistant, Message: true, Stop: lookback.StopFinal, Time: at.Add(time.Second), Parts: []lookback.Part{{Text: p[1]}}})
	}
	return withDocs(u)
}

// withDocs gives the session the documents of its exchanges.
func withDocs(u Update) Update {
	u.Docs = nil
	seen := map[int]bool{}
	f := lookback.Exchanges(u.Entries)
	for i := range f.Exchanges {
		x := &f.Exchanges[i]
		d := Doc{Kind: lookback.KindExchange, Node: "0:" + u.Entries[x.Last()-1].NodeID(), Users: x.Users, Steps: x.Steps, First: x.From, Last: x.To, Ready: true, Done: x.Completed}
		d.Answers = append(d.Answers, x.Pieces...)
		if x.Answer != 0 {
			d.Answers = append(d.Answers, x.Answer)
		}
		for _, l := range [][]int{d.Users, d.Answers, d.Steps} {
			for _, s := range l {
				seen[s] = true
			}
		}
		u.Docs = append(u.Docs, d)
		u.Session.Last = x.To
	}
	for i := range u.Entries {
		e := &u.Entries[i]
		if !e.Spoken() || seen[e.Seq] {
			continue
		}
		d := Doc{Kind: lookback.KindEntry, First: e.Time, Last: e.Time, Ready: true, Done: true}
		if e.Role == lookback.RoleUser {
			d.Users = []int{e.Seq}
		} else {
			d.Answers = []int{e.Seq}
		}
		u.Docs = append(u.Docs, d)
	}
	u.Session.Exchanges, u.Session.Entries = len(f.Exchanges), len(u.Entries)
	return u
}

// generate fills an index with about n exchanges in sessions of 4 to 30, and one
// session of a tenth of them.
func generate(tb testing.TB, db *testDB, n int) {
	tb.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	z := rand.NewZipf(r, 1.1, 2, 8000)
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var all []Update
	total := n
	for s := 0; n > 0; s++ {
		k := 4 + r.IntN(27)
		if s == 5 {
			k = total / 10
		}
		pairs := make([][2]string, min(k, n))
		for i := range pairs {
			pairs[i] = [2]string{prose(r, z, 5+r.IntN(30)), prose(r, z, 20+r.IntN(120))}
		}
		pairs[0][1] += " " + rareWord(s) // stands in one session only
		all = append(all, talk("pi", fmt.Sprintf("s%d", s), fmt.Sprintf("/w/p%d", s%50), start.Add(time.Duration(s)*time.Hour), pairs...))
		n -= len(pairs)
		if len(all) == 500 || n == 0 {
			db.put(tb, all...)
			all = nil
		}
	}
}

// testDB is an index with what tests need.
type testDB struct{ *DB }

func newTestDB(tb testing.TB) *testDB {
	tb.Helper()
	db, err := Open(context.Background(), filepath.Join(tb.TempDir(), "index.db"), Options{})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { db.Close() })
	return &testDB{db}
}

// put makes the updates the states of their sessions, in one commit.
func (db *testDB) put(tb testing.TB, updates ...Update) {
	tb.Helper()
	w, err := db.Writer(context.Background(), true)
	if err != nil {
		tb.Fatal(err)
	}
	for _, u := range updates {
		if err := w.Put(context.Background(), u); err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
}

// find searches and fails the test on an error.
func (db *testDB) find(tb testing.TB, req Request) Results {
	tb.Helper()
	if req.Limit == 0 {
		req.Limit = 20
	}
	out, err := db.Search(context.Background(), req)
	if err != nil {
		tb.Fatalf("Search(%q): %v", req.Query.Text, err)
	}
	return out
}
