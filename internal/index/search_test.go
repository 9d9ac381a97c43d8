package index

import (
	"testing"
	"time"

	"lookback"
)

var day = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// piID gives the scope-independent id of a session of these tests.
func piID(native string) lookback.SessionID { return lookback.SessionID{Agent: "pi", Native: native} }

func TestSearchFindsInScope(t *testing.T) {
	db := newTestDB(t)
	db.put(t,
		talk("pi", "one", "/w/a", day, [2]string{"where does the relay live", "In relay.go next to the getUserName helper."}, [2]string{"and the voltage", "The relay voltage is 12."}),
		talk("pi", "two", "/w/a/sub", day.Add(time.Hour), [2]string{"relay relay relay", "relay"}),
		talk("pi", "three", "/w/ab", day.Add(2*time.Hour), [2]string{"relay voltage relay voltage", "relay voltage"}),
	)
	for _, c := range []struct {
		name  string
		scope lookback.Scope
		query string
		want  []string
	}{
		{"everything", lookback.Everything(), "voltage", []string{"pi:one@0:one-4", "pi:three@0:three-2"}},
		{"workspace with a directory below", lookback.InWorkspace("/w/a"), "relay", []string{"pi:one@0:one-2", "pi:one@0:one-4", "pi:two@0:two-2"}},
		{"a name that goes on is another workspace", lookback.InWorkspace("/w/ab"), "relay", []string{"pi:three@0:three-2"}},
		{"all terms", lookback.InWorkspace("/w/a"), "relay voltage", []string{"pi:one@0:one-4"}},
		{"parts of a name", lookback.InWorkspace("/w/a"), "user name", []string{"pi:one@0:one-2"}},
		{"conversation gives entries", lookback.InConversation(piID("one"), 4, 4), "relay", []string{"pi:one#1", "pi:one#2"}},
		{"an entry has all terms or is none", lookback.InConversation(piID("one"), 4, 5), "relay voltage", []string{"pi:one#4"}},
		{"before is exclusive", lookback.InConversation(piID("one"), 4, 2), "relay", []string{"pi:one#1"}},
		{"another session's leaf", lookback.InConversation(piID("none"), 4, 4), "relay", nil},
		{"a leaf that is no entry", lookback.InConversation(piID("one"), 40, 40), "relay", nil},
		{"nothing", lookback.Scope{}, "relay", nil},
		{"nowhere", lookback.InWorkspace("/x"), "relay", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := db.find(t, Request{Scope: c.scope, Query: lookback.ParseTerms(c.query)})
			sameRefs(t, out.Hits, c.want)
			if out.Total != len(c.want) || out.AtLeast {
				t.Errorf("total %d (at least: %t), want %d", out.Total, out.AtLeast, len(c.want))
			}
			literal := db.find(t, Request{Scope: c.scope, Query: lookback.Query{Literal: true, Text: "ELAY"}})
			if (len(literal.Hits) > 0) != (len(c.want) > 0) {
				t.Errorf("literally: %v", refsOf(literal.Hits))
			}
		})
	}
}

func refsOf(hits []Hit) (refs []string) {
	for _, h := range hits {
		refs = append(refs, h.Ref.String())
	}
	return refs
}

// sameRefs compares hits with refs, whatever their order.
func sameRefs(t *testing.T, hits []Hit, want []string) {
	t.Helper()
	got := refsOf(hits)
	seen := map[string]int{}
	for _, r := range got {
		seen[r]++
	}
	for _, r := range want {
		seen[r]--
	}
	for _, n := range seen {
		if n != 0 {
			t.Errorf("got %q, want %q", got, want)
			return
		}
	}
}
