package index

import (
	"fmt"
	"testing"
	"time"

	"lookback"
)

// TestCommonWordsDoNotFlood asks for a rare and some common words where more
// documents hold a common one than are ranked. The old document with the rare one,
// and the old one with all the others, must still be found.
func TestCommonWordsDoNotFlood(t *testing.T) {
	db := newTestDB(t)
	pairs := func(n int, text string) (out [][2]string) {
		for i := range n {
			out = append(out, [2]string{fmt.Sprintf("%s %d", text, i), "ok"})
		}
		return out
	}
	db.put(t,
		talk("pi", "rare", "/w", day, [2]string{"the relay has a flurbinator", "yes"}),
		talk("pi", "both", "/w", day, [2]string{"the relay loses voltage", "yes"}),
		talk("pi", "flood", "/w", day.Add(time.Hour), pairs(maxRanked+300, "relay")...),
		talk("pi", "more", "/w", day.Add(2*time.Hour), pairs(maxRanked+300, "voltage")...))
	out := db.find(t, Request{Scope: lookback.InWorkspace("/w"), Query: question("relay voltage flurbinator")})
	if !out.AtLeast || len(out.Notes) == 0 {
		t.Errorf("at least %t, notes %q", out.AtLeast, out.Notes)
	}
	first := map[string]bool{}
	for _, h := range out.Hits[:2] {
		first[h.Session.ID.Native] = true
	}
	if !first["rare"] || !first["both"] {
		t.Errorf("first are %v", refsOf(out.Hits[:2]))
	}
	terms := db.find(t, Request{Scope: lookback.InWorkspace("/w"), Query: lookback.ParseTerms("relay")})
	if terms.Total != maxRanked || !terms.AtLeast || len(terms.Notes) == 0 {
		t.Errorf("total %d, at least %t, notes %q", terms.Total, terms.AtLeast, terms.Notes)
	}
}
