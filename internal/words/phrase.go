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

// String gives the phrase for tests and logs.
func (p Phrase) String() string {
	s := strings.Join(p.Tokens, " ")
	if p.Prefix {
		s += "*"
	}
	return s
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
	switch toks[len(toks)-1].form {
	case Gram, Pair, Symbol:
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
	if len(toks) != 1 || toks[0].form != Word || len(toks[0].text) < minStem || !isPlain(toks[0].text) {
		return Phrases(word, false)
	}
	stem := Stem(toks[0].text)
	return []Phrase{{Tokens: []string{stem}}, {Tokens: []string{string(StemMark) + stem}}}
}

// typed is a token of a term, kept.
type typed struct {
	text       string
	start, end int
	pos        int
	form       Form
}

func collect(term string) (toks []typed) {
	for t := range Each(term, false) {
		toks = append(toks, typed{string(t.Text), t.Start, t.End, t.Pos, t.Form})
	}
	return toks
}

// phrase picks one token per position: at depth 0 the widest compounds, at 1
// those inside _ and -, at 2 the parts.
func phrase(term string, toks []typed, depth int) (out []string) {
	covered := false // the character at hand ends the last pair picked
	for i := 0; i < len(toks); {
		j := i + 1
		for j < len(toks) && toks[j].pos == toks[i].pos {
			j++
		}
		pick, skip := toks[i], 0
		switch here := toks[i:j]; {
		case pick.form == Gram:
			if len(here) > 1 {
				pick = here[1]
			} else if covered && j == len(toks) {
				return out
			}
			covered = len(here) > 1
		case len(here) > 1 && depth < 2:
			pick, skip = widest(term, here, depth)
			covered = false
		default:
			covered = false
		}
		out = append(out, pick.text)
		for i = j; i < len(toks) && toks[i].start < skip; {
			i++
		}
	}
	return out
}

// widest picks the compound of a position for depth 0 or 1, and says where the
// words it covers end; 0 when it is the part itself.
func widest(term string, here []typed, depth int) (pick typed, end int) {
	for _, t := range slices.Backward(here[1:]) {
		if depth == 0 || !strings.ContainsAny(term[t.start:t.end], "_-") {
			return t, t.end
		}
	}
	return here[0], 0
}
