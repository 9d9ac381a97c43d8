package index

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"lookback"
)

// grow makes a session that branches at random.
func grow(r *rand.Rand, native string) Update {
	u := Update{From: 1}
	u.Session.ID, u.Session.Cwd, u.Session.Record = piID(native), "/w", "pi."+native
	for seq := 1; seq <= 5+r.IntN(40); seq++ {
		e := lookback.Entry{Seq: seq, ID: fmt.Sprintf("%s-%d", native, seq), Parent: seq - 1, Message: true, Role: lookback.RoleUser, Time: day.Add(time.Duration(seq) * time.Minute)}
		if seq > 2 && r.IntN(5) == 0 {
			e.Parent = 1 + r.IntN(seq-1)
		}
		switch r.IntN(6) {
		case 0, 1:
			e.Role, e.Stop = lookback.RoleAssistant, lookback.StopFinal
		case 2:
			e.Role, e.Stop, e.Calls = lookback.RoleAssistant, lookback.StopTools, []lookback.Call{{Name: "bash"}}
		case 3:
			e.Role, e.Message = lookback.RoleNone, r.IntN(2) == 0
		}
		if e.Role != lookback.RoleNone {
			e.Parts = []lookback.Part{{Text: oracleText(r)}}
		}
		u.Entries = append(u.Entries, e)
	}
	return withDocs(u)
}

// TestConversationIsThePath compares searches of conversations in branching
// sessions with a walk along the path.
func TestConversationIsThePath(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	db := newTestDB(t)
	found, missed := 0, 0
	sessions := 60
	if testing.Short() {
		sessions = 12
	}
	for n := range sessions {
		u := grow(r, fmt.Sprintf("t%d", n))
		db.put(t, u)
		for range 20 {
			leaf := 1 + r.IntN(len(u.Entries))
			before := 1 + r.IntN(leaf+2)
			q := lookback.ParseTerms(oracleWords[r.IntN(len(oracleWords))])
			scope := lookback.InConversation(u.Session.ID, leaf, before)
			var want []string
			for _, seq := range lookback.Path(u.Entries, leaf) {
				if e := &u.Entries[seq-1]; seq < before && e.Spoken() && holdsAll(q, e.Words()) {
					want = append(want, lookback.EntryRef(u.Session.ID, seq).String())
				}
			}
			out := db.find(t, Request{Scope: scope, Query: q, Limit: 1000})
			found, missed = found+len(out.Hits), missed+len(want)-len(out.Hits)
			literal := lookback.Query{Literal: true, Text: q.Terms[0].Text}
			for _, h := range db.find(t, Request{Scope: scope, Query: literal, Limit: 1000}).Hits {
				if h.Ref.Seq >= before {
					t.Errorf("literally: %v is not before %d", h.Ref, before)
				}
			}
			sameRefs(t, out.Hits, want)
			if t.Failed() {
				for i := range u.Entries {
					e := &u.Entries[i]
					t.Logf("%d < %d %s stop %d", e.Seq, e.Parent, e.Role, e.Stop)
				}
				t.Fatalf("%q, leaf %d, before %d", q.Text, leaf, before)
			}
		}
	}
	t.Logf("%d found, %d missed", found, missed)
}
