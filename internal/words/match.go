package words

import (
	"iter"
	"strings"
)

// Match is one place where a phrase stands in a text.
type Match struct {
	Phrase int // index into the phrases the Matcher was made of
	Span
}

// Matcher finds phrases in texts, by the rules that a full-text index of the
// same tokens follows. It is safe for concurrent use.
type Matcher struct {
	exact  map[string][]place // by token
	prefix []place            // whose token need only begin one
	begins [256]bool          // first bytes of the tokens asked for
	places int
	stems  bool
}

// place is one token of one phrase.
type place struct {
	text        string
	id          int // counts the tokens of all phrases; the one before it is id-1
	phrase      int
	first, last bool
}

// NewMatcher compiles phrases. Stems are looked at if a phrase asks for one.
func NewMatcher(phrases []Phrase) *Matcher {
	m := &Matcher{exact: map[string][]place{}}
	for n, p := range phrases {
		for i, t := range p.Tokens {
			at := place{text: t, id: m.places, phrase: n, first: i == 0, last: i == len(p.Tokens)-1}
			m.places++
			if t == "" {
				continue // stands nowhere
			}
			m.begins[t[0]] = true
			m.stems = m.stems || t[0] == StemMark
			if at.last && p.Prefix {
				m.prefix = append(m.prefix, at)
			} else {
				m.exact[t] = append(m.exact[t], at)
			}
		}
	}
	return m
}

// progress is how far the tokens up to a place have matched: where the phrase
// stands so far, and where it must go on.
type progress struct {
	next  int // position of the next token plus 1, so that 0 is no position
	begun Span
}

// Find gives every place where a phrase stands in text, in the order in which
// they end; places may overlap. One that several forms of the same word satisfy
// is given once, with the first form.
func (m *Matcher) Find(text string) iter.Seq[Match] {
	return func(yield func(Match) bool) {
		if m.places == 0 {
			return
		}
		// Forms of one word share a position and must all see the state the
		// position before left, so states alternate between two rows.
		rows := [2][]progress{make([]progress, m.places), make([]progress, m.places)}
		for t := range Each(text, m.stems) {
			if !m.begins[t.Text[0]] {
				continue
			}
			for _, at := range m.exact[string(t.Text)] {
				if !advance(&rows, at, t, yield) {
					return
				}
			}
			for _, p := range m.prefix {
				if strings.HasPrefix(string(t.Text), p.text) && !advance(&rows, p, t, yield) {
					return
				}
			}
		}
	}
}

// advance notes that a token matches a place of a phrase. It gives false when
// the caller wants no more.
func advance(rows *[2][]progress, at place, t Token, yield func(Match) bool) bool {
	now := &rows[t.Pos&1][at.id]
	if now.next == t.Pos+2 {
		return true // another form of the word was here before
	}
	span := Span{t.Start, t.End}
	if !at.first {
		before := rows[1-t.Pos&1][at.id-1]
		if before.next != t.Pos+1 {
			return true
		}
		span = Span{before.begun.Start, max(before.begun.End, t.End)}
	}
	*now = progress{next: t.Pos + 2, begun: span}
	return !at.last || yield(Match{Phrase: at.phrase, Span: span})
}

// Spans gives the places of matches as Snippet takes them.
func Spans(matches iter.Seq[Match]) (out []Span) {
	for m := range matches {
		out = append(out, m.Span)
	}
	return out
}
