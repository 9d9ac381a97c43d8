package index

import (
	"slices"
	"strings"

	"lookback"
	"lookback/internal/words"
)

// maxWants bounds what one query may ask for; a query of 500 characters of
// English has about 90 words, of Chinese 500 characters and as many pairs.
const maxWants = 64

// maxLoose is maxWants for questions, which may be pasted dialogues: 62 of 100
// questions of the Chinese set need more than 64.
const maxLoose = 400

// want is one thing that a query asks for.
type want struct {
	text    string         // as typed
	phrases []words.Phrase // ways in which a text may hold it; any of them will do
	term    lookback.Term  // the term it was made for
	n       int            // the term's number, where terms are judged
	how     int            // asAsked and so on
	gram    bool           // a character or pair of a script without blanks
}

// wantSet is a list of wants, each once.
type wantSet struct {
	list []want
	keys []string
}

func (l *wantSet) add(w want) {
	key := w.key()
	if len(w.phrases) > 0 && !slices.Contains(l.keys, key) {
		l.keys = append(l.keys, key)
		l.list = append(l.list, w)
	}
}

// strict gives what a query of terms asks for, and what it excludes: the terms,
// phrases and code parts as typed, each once. dropped says that the query had
// more terms than are looked up.
func strict(q lookback.Query) (wants, nots []want, dropped bool) {
	var asked, excluded wantSet
	for _, t := range q.Terms {
		w := want{text: t.Text, term: t, phrases: words.Phrases(t.Text, t.Prefix)}
		if t.Not {
			excluded.add(w)
		} else {
			asked.add(w)
		}
	}
	wants, nots = asked.list, excluded.list
	dropped = max(len(wants), len(nots)) > maxWants
	return wants[:min(len(wants), maxWants)], nots[:min(len(nots), maxWants)], dropped
}

// exactly groups strict wants. A compound is joined by a want for itself as it is
// written, which counts beside the one for its parts: the exact name comes before
// longer names that hold it.
func exactly(wants *[]want) (groups [][]int) {
	groups = each(len(*wants))
	for i, group := range groups {
		w := (*wants)[i]
		if len(w.phrases) > 1 {
			w.phrases = w.phrases[:1]
			groups[i] = append(group, len(*wants))
			*wants = append(*wants, w)
		}
	}
	return groups
}

// loose gives what a question asks for: words by their stems, the grammar left
// out if something remains, scripts without blanks by characters and pairs.
func loose(q lookback.Query) []want {
	var all wantSet
	for _, t := range q.Terms {
		switch {
		case t.Not:
		case t.Phrase || t.Prefix:
			all.add(want{text: t.Text, term: t, phrases: words.Phrases(t.Text, t.Prefix)})
		default:
			for _, w := range pieces(t.Text) {
				all.add(w)
			}
		}
	}
	wants := topical(all.list)
	return wants[:min(len(wants), maxLoose)]
}

// topical leaves out the wants that are nothing but grammar, if others remain.
// What was quoted or starred is meant.
func topical(wants []want) []want {
	rest := slices.DeleteFunc(slices.Clone(wants), func(w want) bool { return !w.term.Phrase && !w.term.Prefix && w.isStop() })
	if len(rest) == 0 {
		return wants
	}
	return rest
}

// pieces cuts one typed word into what a question looks for: every plain word
// and every compound by itself, every character and every pair.
func pieces(text string) (out []want) {
	end := 0 // what the last compound covers
	var toks []words.Token
	for t := range words.Each(text, false) {
		t.Text = append([]byte(nil), t.Text...)
		toks = append(toks, t)
	}
	for i := 0; i < len(toks); {
		wide, j := toks[i], i
		for ; j < len(toks) && toks[j].Pos == toks[i].Pos; j++ {
			if toks[j].End > wide.End {
				wide = toks[j]
			}
		}
		switch {
		case toks[i].Form == words.Gram:
			for _, t := range toks[i:j] {
				out = append(out, want{gram: true, text: string(t.Text), phrases: []words.Phrase{{Tokens: []string{string(t.Text)}}}})
			}
		case toks[i].Start >= end:
			end = wide.End
			w := want{text: text[wide.Start:wide.End]}
			w.phrases = words.StemPhrases(w.text)
			out = append(out, w)
		}
		i = j
	}
	return out
}

// isStop reports whether the want is grammar: a word, a character, or a pair of
// characters of which each is (R@10 +2 on the Chinese sets).
func (w want) isStop() bool {
	text := words.Fold(w.text)
	if words.IsStop(text) {
		return true
	}
	if !w.gram {
		return false
	}
	for _, r := range text {
		if !words.IsStop(string(r)) {
			return false
		}
	}
	return true
}

// key makes wants equal that look for the same tokens.
func (w want) key() string {
	var b strings.Builder
	for _, p := range w.phrases {
		b.WriteString(strings.Join(p.Tokens, "\x00"))
		if p.Prefix {
			b.WriteByte('*')
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// phrasesOf lists the phrases of all wants and which want each belongs to.
func phrasesOf(wants []want) (phrases []words.Phrase, owner []int) {
	for n, w := range wants {
		phrases = append(phrases, w.phrases...)
		owner = append(owner, slices.Repeat([]int{n}, len(w.phrases))...)
	}
	return phrases, owner
}
