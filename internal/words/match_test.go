package words

import (
	"slices"
	"strings"
	"testing"
)

func TestMatcher(t *testing.T) {
	for _, c := range []struct {
		text  string
		terms []string // * for a prefix
		want  []string // phrase's term and the text found
	}{
		{"the needle, Needle", []string{"needle"}, []string{"needle=needle", "needle=Needle"}},
		{"relay relay relay", []string{"relay.relay"}, []string{"relay.relay=relay relay", "relay.relay=relay relay"}},
		{"a b a b c", []string{"a.b.a.b.c"}, []string{"a.b.a.b.c=a b a b c"}},
		{"a a b", []string{"a.b", "b"}, []string{"a.b=a b", "b=b"}},
		{"set max_retries now", []string{"maxRetries", "max*", "set.max"}, []string{"set.max=set max", "max*=max", "maxRetries=max_retries", "maxRetries=max_retries"}},
		{"get max_retries", []string{"get.maxRetries"}, []string{"get.maxRetries=get max_retries", "get.maxRetries=get max_retries"}},
		{"项目评审会议", []string{"评审会议", "会"}, []string{"会=会", "评审会议=评审会议"}},
		{"项目评审", []string{"评审会议"}, nil},
		{"naïve CAFÉ", []string{"cafe"}, []string{"cafe=CAFÉ"}},
		{"nothing", nil, nil},
	} {
		var phrases []Phrase
		var names []string
		for _, term := range c.terms {
			bare, prefix := strings.CutSuffix(term, "*")
			for _, p := range Phrases(bare, prefix) {
				phrases, names = append(phrases, p), append(names, term)
			}
		}
		var got []string
		for m := range NewMatcher(phrases).Find(c.text) {
			got = append(got, names[m.Phrase]+"="+c.text[m.Start:m.End])
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q %q: %q, want %q", c.text, c.terms, got, c.want)
		}
	}
}

func TestMatcherStops(t *testing.T) {
	m := NewMatcher(Phrases("a", false))
	n := 0
	for range m.Find("a a a a") {
		if n++; n == 2 {
			break
		}
	}
	if n != 2 {
		t.Errorf("%d matches", n)
	}
	for range NewMatcher([]Phrase{{Tokens: []string{"", ""}}}).Find("a") {
		t.Error("an empty token matches")
	}
}

// matchSlowly matches as a full-text index would: for every phrase and position,
// look at the sets of tokens there.
func matchSlowly(text string, phrases []Phrase) (out []Match) {
	var at [][]Token
	for tok := range Each(text, true) {
		if tok.Pos == len(at) {
			at = append(at, nil)
		}
		tok.Text = slices.Clone(tok.Text)
		at[tok.Pos] = append(at[tok.Pos], tok)
	}
	for n, p := range phrases {
		for pos := range at {
			m := Match{Phrase: n}
			for i, want := range p.Tokens {
				k := -1
				if pos+i < len(at) {
					k = slices.IndexFunc(at[pos+i], func(tok Token) bool {
						return string(tok.Text) == want || p.Prefix && i == len(p.Tokens)-1 && strings.HasPrefix(string(tok.Text), want)
					})
				}
				if k < 0 {
					m.End = 0
					break
				}
				tok := at[pos+i][k]
				if i == 0 {
					m.Start = tok.Start
				}
				m.End = max(m.End, tok.End)
			}
			if m.End > 0 {
				out = append(out, m)
			}
		}
	}
	return out
}

func FuzzMatcher(f *testing.F) {
	f.Add("set max_retries, maxRetries R6 评审会议", "max_re评审", uint8(3), uint8(9))
	f.Add(sample, "the reader", uint8(40), uint8(60))
	f.Add("relay relay relay a a b", "relay relay", uint8(0), uint8(11))
	f.Add("get_userName get-user_name", "user name", uint8(4), uint8(12))
	f.Fuzz(func(t *testing.T, text, term string, from, to uint8) {
		// A piece of the text is a term that has a chance.
		piece := text[min(int(from), len(text)):]
		piece = piece[:min(int(to), len(piece))]
		phrases := slices.Concat(Phrases(term, false), Phrases(term, true), Phrases(piece, false), Phrases(piece, true), StemPhrases(term))
		var got []Match
		for m := range NewMatcher(phrases).Find(text) {
			if m.Start < 0 || m.Start >= m.End || m.End > len(text) {
				t.Fatalf("bad match %v", m)
			}
			got = append(got, m)
		}
		want := matchSlowly(text, phrases)
		order := func(a, b Match) int {
			if a.Phrase != b.Phrase {
				return a.Phrase - b.Phrase
			}
			return a.Start - b.Start
		}
		slices.SortStableFunc(got, order)
		if !slices.Equal(got, want) {
			t.Errorf("%v in %q: got %v, want %v", phrases, text, got, want)
		}
		// A text always holds itself.
		for _, p := range Phrases(text, false) {
			found := false
			for range NewMatcher([]Phrase{p}).Find(text) {
				found = true
				break
			}
			if whole := slices.ContainsFunc(p.Tokens[:len(p.Tokens)-1], isCompoundOf(text)); !found && !whole {
				t.Errorf("%q does not hold %v", text, p)
			}
		}
	})
}

// isCompoundOf tells compounds, after which a phrase can't run on.
func isCompoundOf(text string) func(string) bool {
	whole := map[string]bool{}
	for tok := range Each(text, false) {
		if tok.Form == Whole {
			whole[string(tok.Text)] = true
		}
	}
	return func(s string) bool { return whole[s] }
}
