package words

import (
	"slices"
	"strings"
)

// Phrase is a way to ask for one term: tokens that stand at consecutive
// positions. It is never empty.
type Phrase struct {
	Tokens []string
	Prefix bool // the last token need only begin a token
}

// Phrases gives the ways in which a text may hold a term as it was typed; any
// of them will do. They are at most three, the narrowest first: compounds whole,
// compounds cut at _ and -, all parts. With prefix the term's last word need not
// be finished; characters of scripts without blanks and symbols are always
// complete, so a term that ends in one has no prefix. A term without words gives
// nil.
func Phrases(term string, prefix bool) []Phrase {
	toks := collect(term)
	if len(toks) == 0 {
		return nil
	}
	if form := toks[len(toks)-1].Form; form == Gram || form == Symbol {
		prefix = false
	}
	var out []Phrase
	for depth := range 3 {
		p := Phrase{Tokens: phrase(term, toks, depth), Prefix: prefix}
		if !slices.ContainsFunc(out, func(q Phrase) bool { return slices.Equal(p.Tokens, q.Tokens) }) {
			out = append(out, p)
		}
	}
	return out
}

// StemPhrases gives the ways in which a text may hold a word in any of its
// inflections: the stem as a word and as a stem. What isn't one plain word of
// ASCII letters is asked for as Phrases does.
func StemPhrases(word string) []Phrase {
	toks := collect(word)
	if len(toks) != 1 || toks[0].Form != Word || len(toks[0].Text) < minStem || !isPlain(toks[0].Text) {
		return Phrases(word, false)
	}
	stem := Stem(string(toks[0].Text))
	return []Phrase{{Tokens: []string{stem}}, {Tokens: []string{string(StemMark) + stem}}}
}

// collect gives the tokens of a term, kept.
func collect(term string) (toks []Token) {
	for t := range Each(term, false) {
		t.Text = slices.Clone(t.Text)
		toks = append(toks, t)
	}
	return toks
}

// phrase picks one token per position: at depth 0 the widest compounds, at 1
// those inside _ and -, at 2 the parts.
func phrase(term string, toks []Token, depth int) (out []string) {
	covered := false // the character at hand ends the last pair picked
	for len(toks) > 0 {
		n := 1 // tokens at this position
		for n < len(toks) && toks[n].Pos == toks[0].Pos {
			n++
		}
		pick, skip := toks[0], 0
		switch {
		case pick.Form == Gram && covered && len(toks) == 1:
			return out
		case pick.Form == Gram:
			pick = toks[n-1]
		case n > 1 && depth < 2:
			pick, skip = widest(term, toks[:n], depth)
		}
		covered = pick.Form == Pair
		out = append(out, string(pick.Text))
		for toks = toks[n:]; len(toks) > 0 && toks[0].Start < skip; {
			toks = toks[1:]
		}
	}
	return out
}

// widest picks the compound of a position for depth 0 or 1, and says where the
// words it covers end; 0 when it is the part itself.
func widest(term string, here []Token, depth int) (pick Token, end int) {
	for _, t := range slices.Backward(here[1:]) {
		if depth == 0 || !strings.ContainsAny(term[t.Start:t.End], "_-") {
			return t, t.End
		}
	}
	return here[0], 0
}
