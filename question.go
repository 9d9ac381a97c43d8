package lookback

import "strings"

// isQuestion reports whether a person's query is a sentence and not a list of
// keywords: it holds a question mark, or four words or more of which one is a
// closed-class word. Quoted, excluded and starred terms are never a sentence's.
func isQuestion(q Query) bool {
	closed := false
	for _, t := range q.Terms {
		if t.Phrase || t.Not || t.Prefix {
			return false
		}
		closed = closed || closedClass[strings.ToLower(strings.TrimRight(t.Text, "?,.!"))]
	}
	if len(q.Terms) == 0 {
		return false
	}
	return strings.ContainsAny(q.Text, "?？") && len(q.Terms) > 1 || strings.Contains(q.Text, "？") || len(q.Terms) >= 4 && closed
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
