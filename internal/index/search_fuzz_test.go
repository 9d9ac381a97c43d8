package index

import (
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"lookback"
)

// FuzzQuery checks that no query is an error of the engine, shows what lies out of
// scope, or makes a snippet that is no text.
func FuzzQuery(f *testing.F) {
	db := newTestDB(f)
	db.put(f,
		talk("pi", "in", "/w", day, [2]string{"relay voltage getUserName", "tx.draft 评审会议 café {col} ^start a+b"}),
		talk("pi", "out", "/secret", day, [2]string{"relay voltage dir2 s2 k1", "d2 scope words rowid"}))
	for _, s := range []string{
		"", "   ", "***", `""`, `"`, `"needle`, "a AND", "NOT", "NEAR(a b)", "scope:d2", "\x02d2", "\x02d1 \x01relai", "{user} : x", "^a", "a*b*", "-", "--", "(", "%_", "' OR 1=1 --",
		"\x00", "re\x00lay", "\x03relay\x1e", "relay\x1fvoltage", "评", "评审*", "\u202erelay", "👩‍👩‍👧", strings.Repeat("x", 10_000), strings.Repeat("relay ", 2000), "\xff\xfe", "user:relay", "words MATCH 'x'", hanzi(600), "what is " + hanzi(600) + "?",
	} {
		f.Add(s, 0)
		f.Add(s, 1)
		f.Add(s, 2)
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, s string, how int) {
		q := lookback.ParseTerms(s)
		req := Request{Scope: lookback.InWorkspace("/w"), Query: q, Limit: 5}
		switch how & 3 {
		case 1:
			req.Query.Question = true
		case 2:
			req.Query = lookback.Query{Literal: true, Text: s}
		case 3:
			req.Typing = true
			req.Scope = lookback.InConversation(piID("in"), 2, 3)
		}
		out, err := db.Search(context.Background(), req)
		if err != nil {
			t.Fatalf("%q: %v", s, err)
		}
		for _, h := range append(out.Hits, out.Related...) {
			if h.Session.ID.Native != "in" {
				t.Errorf("%q shows %v", s, h.Ref)
			}
			if !utf8.ValidString(h.Snippet) || utf8.RuneCountInString(h.Snippet) > 300 {
				t.Errorf("%q: snippet %q", s, h.Snippet)
			}
		}
	})
}

// hanzi writes many different characters without a blank.
func hanzi(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteRune('一' + rune(i*17))
	}
	return b.String()
}
