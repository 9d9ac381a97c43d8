package index

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"lookback"
	"lookback/internal/words"
)

// oracleWords are few, so that random queries hit; some are compounds, some are
// of scripts without blanks.
var oracleWords = strings.Fields("relay voltage getUserName user name tx.draft next/diff.ts session_store.go R6 评审会议 评审 会 サーバー café Straße 🚀 AND NOT OR NEAR don't http2 404 relays")

func oracleText(r *rand.Rand) string {
	var w []string
	for range 1 + r.IntN(8) {
		w = append(w, oracleWords[r.IntN(len(oracleWords))])
	}
	return strings.Join(w, [...]string{" ", ", ", "\n"}[r.IntN(3)])
}

// TestSearchAgreesWithScan compares searches in every scope with a loop over all
// texts that asks the matcher of package words.
func TestSearchAgreesWithScan(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	db := newTestDB(t)
	var all []Update
	for n := range 30 {
		var pairs [][2]string
		for range 1 + r.IntN(6) {
			pairs = append(pairs, [2]string{oracleText(r), oracleText(r)})
		}
		all = append(all, talk("pi", fmt.Sprintf("s%d", n), [...]string{"/w/a", "/w/a/b", "/w/ab", "/x"}[n%4], day.Add(time.Duration(n)*time.Hour), pairs...))
	}
	db.put(t, all...)
	queries := 300
	if testing.Short() {
		queries = 60
	}
	for range queries {
		query := oracleText(r)
		if f := strings.Fields(query); len(f) > 3 {
			query = strings.Join(f[:1+r.IntN(3)], " ")
		}
		if r.IntN(4) == 0 {
			query = `"` + query + `"`
		} else if r.IntN(4) == 0 {
			query += "*"
		}
		session := r.IntN(len(all))
		leaf := 1 + r.IntN(len(all[session].Entries))
		before := 1 + r.IntN(leaf+1)
		conversation := lookback.InConversation(all[session].Session.ID, leaf, before)
		for _, scope := range []lookback.Scope{lookback.Everything(), lookback.InWorkspace("/w/a"), lookback.InWorkspace("/w"), conversation} {
			q := lookback.ParseTerms(query)
			want := scan(all, scope, func(text string) bool { return holdsAll(q, text) })
			out := db.find(t, Request{Scope: scope, Query: q, Limit: 1000})
			sameRefs(t, out.Hits, want)
			literal := lookback.Query{Literal: true, Text: strings.Trim(query, `"*`)}
			want = scan(all, scope, func(text string) bool { return len(words.FindFold(text, literal.Text, 1)) > 0 })
			lit := db.find(t, Request{Scope: scope, Query: literal, Limit: 1000})
			sameRefs(t, lit.Hits, want)
			if t.Failed() {
				t.Fatalf("query %q in %v, literally %t", query, scope, out.Total == len(out.Hits))
			}
			for _, h := range append(out.Hits, out.Related...) {
				if !sees(scope, all, h.Ref) {
					t.Fatalf("query %q in %v shows %v", query, scope, h.Ref)
				}
			}
		}
	}
}

// holdsAll is the rule of a term query, by scanning.
func holdsAll(q lookback.Query, text string) bool {
	for _, term := range q.Terms {
		held := false
		for range words.NewMatcher(words.Phrases(term.Text, term.Prefix)).Find(text) {
			held = true
			break
		}
		if !held {
			return false
		}
	}
	return len(q.Terms) > 0
}

// scan lists what a scope shows of all that holds: exchanges, or in a
// conversation entries. In exchanges, terms may stand in different entries.
func scan(all []Update, scope lookback.Scope, holds func(string) bool) (refs []string) {
	id, leaf, before, conversation := scope.Conversation()
	for _, u := range all {
		for i, e := range u.Entries {
			if conversation && u.Session.ID == id && e.Seq <= leaf && e.Seq < before && holds(e.Words()) {
				refs = append(refs, lookback.EntryRef(id, e.Seq).String())
			}
			ref := lookback.NodeRef(u.Session.ID, u.Session.Record+":0:"+e.ID)
			if !conversation && e.Role == lookback.RoleAssistant && sees(scope, all, ref) &&
				(holds(u.Entries[i-1].Words()+"\n\x00\n"+e.Words()) && holdsSeparately(holds, u.Entries[i-1].Words(), e.Words())) {
				refs = append(refs, ref.String())
			}
		}
	}
	return refs
}

// holdsSeparately rules out what only holds because two texts were joined. The
// scanner makes no phrase across a NUL, but positions go on; a phrase of words at
// the seam is the one case, and then the texts alone tell.
func holdsSeparately(holds func(string) bool, a, b string) bool {
	return holds(a+"\n … \n"+strings.Repeat("zq ", 3)+b) || holds(a) || holds(b)
}

func sees(scope lookback.Scope, all []Update, ref lookback.Ref) bool {
	root, workspace := scope.Workspace()
	id, _, _, conversation := scope.Conversation()
	for _, u := range all {
		if u.Session.ID != ref.Session {
			continue
		}
		switch {
		case workspace:
			return u.Session.Cwd == root || strings.HasPrefix(u.Session.Cwd, root+"/")
		case conversation:
			return id == ref.Session
		}
		return scope.Everything()
	}
	return false
}
