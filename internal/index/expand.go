package index

import (
	"slices"
	"strings"

	"github.com/ncruces/go-sqlite3"

	"lookback"
	"lookback/internal/words"
)

// Bounds of what the dictionary of terms is asked for.
const (
	// maxBeginnings is how many terms a prefix is taken apart into. More are left
	// to the engine, which merges them all: 46 ms at a million exchanges for a
	// usual prefix, 1.5 s for the worst.
	maxBeginnings = 128
	maxBegun      = 32      // the same for a term that nobody marked as a beginning
	maxInside     = 24      // terms that hold a piece
	maxScanned    = 200_000 // terms looked through for a piece
	maxNear       = 12      // terms spelled nearly alike
	maxNearLooked = 20_000  // terms looked at for that
	minPrefix     = 3       // letters of a word that is taken for a beginning
	minPiece      = 4       // letters of a word that is looked for inside others
	minNear       = 4       // letters of a word that may be misspelled
)

// unfold replaces beginnings of words by the words that begin so, as long as
// there are not too many.
func (s *search) unfold(wants []want) error {
	for n := range wants {
		var out []words.Phrase
		for _, p := range wants[n].phrases {
			if !p.Prefix {
				out = append(out, p)
				continue
			}
			more, err := s.beginnings(p, maxBeginnings)
			if err != nil {
				return err
			}
			out = append(out, more...)
		}
		wants[n].phrases = out
	}
	return nil
}

// beginnings gives the phrases that a phrase with an unfinished last word stands
// for: itself when they are too many, and with no end when there are none.
func (s *search) beginnings(p words.Phrase, most int) ([]words.Phrase, error) {
	head, last := p.Tokens[:len(p.Tokens)-1], p.Tokens[len(p.Tokens)-1]
	terms, err := s.dictionary("SELECT term FROM term WHERE term >= ?1 AND term < ?2 LIMIT ?3", last, after(last), most+1)
	if err != nil || len(terms) > most {
		return []words.Phrase{p}, err
	}
	if len(terms) == 0 {
		return []words.Phrase{{Tokens: p.Tokens}}, nil
	}
	for i := range terms {
		terms[i].Tokens = slices.Concat(head, terms[i].Tokens)
	}
	return terms, nil
}

// after is the first string that sorts after all that begin with prefix.
func after(prefix string) string { return prefix + "\U0010FFFF" }

// dictionary gives the terms that a query of the table of terms selects.
func (s *search) dictionary(sql string, args ...any) (terms []words.Phrase, err error) {
	err = s.c.query(sql, func(st *sqlite3.Stmt) error {
		terms = append(terms, words.Phrase{Tokens: []string{st.ColumnText(0)}})
		return nil
	}, args...)
	return terms, err
}

// prefixed gives the ways in which a text may hold words that begin with a term.
func (s *search) prefixed(t lookback.Term) (out []words.Phrase, err error) {
	if letters(t.Text) < minPrefix {
		return nil, nil
	}
	for _, p := range words.Phrases(t.Text, true) {
		if !p.Prefix {
			return nil, nil
		}
		more, err := s.beginnings(p, maxBegun)
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	return out, nil
}

// inside gives the words that a term is a piece of.
func (s *search) inside(t lookback.Term) (out []words.Phrase, err error) {
	piece := joined(t.Text)
	if letters(piece) < minPiece {
		return nil, nil
	}
	all, err := s.c.wholeDictionary()
	if err != nil || all == "" {
		return s.dictionary("SELECT term FROM (SELECT term FROM term LIMIT ?3) WHERE instr(term, ?1) > 0 LIMIT ?2", piece, maxInside, maxScanned)
	}
	for at := 0; len(out) < maxInside; {
		i := strings.Index(all[at:], piece)
		if i < 0 {
			break
		}
		from := strings.LastIndexByte(all[:at+i], '\n') + 1
		to := at + i + strings.IndexByte(all[at+i:], '\n')
		out = append(out, words.Phrase{Tokens: []string{all[from:to]}})
		at = to
	}
	return out, nil
}

// wholeDictionary is what a connection keeps of the table of terms, each ended by
// LF, for looking through it: 1 ms instead of 40 in the engine. Reading it takes
// longer than one look, so it is read at the third one at the same state of the
// index, and a process that asks once never does; until then it is "".
func (c *conn) wholeDictionary() (string, error) {
	changes, err := c.fact("changes")
	if err != nil {
		return "", err
	}
	d := &c.terms
	if d.changes != changes {
		*d = termCache{changes: changes}
	}
	if d.looks++; d.looks < 3 || d.text != "" {
		return d.text, nil
	}
	var b strings.Builder
	err = c.query("SELECT term FROM term LIMIT ?", func(st *sqlite3.Stmt) error {
		b.Write(st.ColumnRawText(0))
		b.WriteByte('\n')
		return nil
	}, maxScanned)
	if err == nil {
		d.text = b.String()
	}
	return d.text, err
}

// termCache is the table of terms at one state of the index, and how often it was
// wanted.
type termCache struct {
	changes int64
	looks   int
	text    string
}

// near gives the words that a term may be a misspelling of: those that one slip
// makes of it, two in a long word. The first or the second letter must be right,
// since the dictionary is searched by its order.
func (s *search) near(t lookback.Term) (out []words.Phrase, err error) {
	word := joined(t.Text)
	if letters(word) < minNear || len(word) > words.MaxToken {
		return nil, nil
	}
	slips := 1
	if letters(word) >= 8 {
		slips = 2
	}
	runes := []rune(word)
	for _, begin := range []string{string(runes[:2]), string(runes[1]) + string(runes[0]), string(runes[1:3])} {
		terms, err := s.dictionary("SELECT term FROM term WHERE term >= ?1 AND term < ?2 AND length(term) BETWEEN ?3 AND ?4 LIMIT ?5",
			begin, after(begin), len(runes)-slips, len(runes)+slips, maxNearLooked)
		if err != nil {
			return nil, err
		}
		for _, p := range terms {
			if term := p.Tokens[0]; term != word && len(out) < maxNear && slipsBetween([]rune(term), runes, slips) <= slips {
				out = append(out, p)
			}
		}
	}
	return out, nil
}

// slipsBetween counts the letters added, left out, replaced or swapped with their
// neighbour between two words; more than most are not told apart.
func slipsBetween(a, b []rune, most int) int {
	before, last, now := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		now[0] = i
		best := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			now[j] = min(last[j]+1, now[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				now[j] = min(now[j], before[j-2]+1)
			}
			best = min(best, now[j])
		}
		if best > most {
			return most + 1
		}
		before, last, now = last, now, before
	}
	return last[len(b)]
}

// joined is a term as the one token that it would be without separators.
func joined(text string) string {
	if p := words.Phrases(text, false); len(p) > 0 {
		return strings.Join(p[len(p)-1].Tokens, "")
	}
	return ""
}

func letters(s string) int { return len([]rune(s)) }
