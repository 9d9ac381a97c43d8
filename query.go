package lookback

import (
	"strings"
	"unicode"
)

// Term is one thing to look up, as typed.
type Term struct {
	Text   string // without quotes, star and sign
	Phrase bool   // was quoted: its words must stand in a row
	Prefix bool   // ended in a star: its last word is a beginning
	Not    bool   // must not occur; only in queries of people
}

// Filters narrow a search. Zero fields do not. All are bounds of the search,
// applied before ranking and limits.
type Filters struct {
	Agent   string
	Role    Role   // RoleUser or RoleAssistant: only words of that side
	Kinds   []Kind // KindExchange, KindSummary, KindEntry; none means exchanges and summaries
	Session string // native session id or the beginning of one
	Name    string // part of a session's name
	In      string // directory: a workspace's root or a directory below it
	When    Span   // the time of a thing intersects it
}

// Query is a parsed query: what to look up and how to narrow it.
type Query struct {
	Text     string // as typed, trimmed, without filters
	Terms    []Term
	Literal  bool // Text is one case-insensitive run of characters; Terms is empty
	Question bool // typed as a sentence: rank at once, require nothing
	Filters  Filters
}

// MaxQueryChars bounds a query, in characters.
const MaxQueryChars = 500

// ParseTerms reads a query as a tool passes it: words and quoted phrases, a
// trailing star for a beginning. Signs, operators and filters are plain words,
// and nothing in it is an error; an unclosed quote runs to the end.
func ParseTerms(s string) Query {
	q := Query{Text: strings.TrimSpace(s)}
	for _, w := range lex(s) {
		if t, ok := w.term(); ok {
			q.Terms = append(q.Terms, t)
		}
	}
	return q
}

// word is one blank-separated or quoted piece of a query.
type word struct {
	text    string // as typed, quotes removed
	quoted  bool   // the whole word was quoted
	at, end int    // where it stands in the query, quotes included
}

// term makes the term of a word; ok is false when nothing of it can be looked up.
func (w word) term() (Term, bool) {
	t := Term{Text: w.text, Phrase: w.quoted}
	if !w.quoted {
		t.Text = strings.TrimRight(w.text, "*")
		t.Prefix = len(t.Text) < len(w.text)
	}
	return t, strings.ContainsFunc(t.Text, searchable)
}

// searchable reports whether a rune can be part of a token: letters, digits, and
// symbols such as emoji.
func searchable(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.So, r)
}

// lex splits at white space and quotes: a quote opens a phrase wherever it
// stands, and one that is never closed runs to the end.
func lex(s string) []word {
	var out []word
	rest := strings.TrimLeftFunc(s, blank)
	for rest != "" {
		w := word{at: len(s) - len(rest)}
		if rest[0] == '"' {
			w.quoted = true
			w.text, rest, _ = strings.Cut(rest[1:], `"`)
		} else {
			end := strings.IndexFunc(rest, func(r rune) bool { return blank(r) || r == '"' })
			if end < 0 {
				end = len(rest)
			}
			w.text, rest = rest[:end], rest[end:]
		}
		w.end = len(s) - len(rest)
		out = append(out, w)
		rest = strings.TrimLeftFunc(rest, blank)
	}
	return out
}

func blank(r rune) bool { return unicode.IsSpace(r) || r == 0 }
