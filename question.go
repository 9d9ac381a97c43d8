package lookback

import "strings"

// isQuestion reports whether a person's query is a sentence and not a list of
// keywords: two words or more of which one ends in a question mark, or four or
// more of which one is a closed-class word. Scripts without blanks make a whole
// sentence one word, so their question mark counts wherever it stands. A sentence
// may quote something; excluded and starred terms are never a sentence's.
func isQuestion(q Query) bool {
	closed, words := false, 0
	for _, t := range q.Terms {
		if t.Not || t.Prefix {
			return false
		}
		if t.Phrase {
			continue
		}
		words++
		closed = closed || closedClass[strings.ToLower(strings.Trim(t.Text, "?,.!:;()"))]
	}
	if words < len(q.Terms) { // keywords beside a quotation are no sentence yet
		return words >= 3 && closed && (asks(q.Text) || words >= 4)
	}
	switch words {
	case 0:
		return false
	case 1:
		return strings.Contains(q.Text, "？")
	}
	return asks(q.Text) || words >= 4 && closed
}

// asks reports whether a word of s ends in a question mark. One inside a word is
// code: a URL's query, an optional field.
func asks(s string) bool {
	for _, w := range strings.Fields(s) {
		if strings.HasSuffix(strings.TrimRight(w, "!.)"), "?") {
			return true
		}
	}
	return strings.ContainsAny(s, "？؟")
}

// closedClass holds English words that sentences have and keyword lists lack.
var closedClass = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`a an the and or but of in on at to for from with by about as is are was were be been
		do does did has have had can could will would should may might must i you he she it we they me him her us them my your
		his its our their this that these those what which who whom whose when where why how not no there here if then than so`) {
		m[w] = true
	}
	return m
}()
