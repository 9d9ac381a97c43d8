package lookback

import (
	"fmt"
	"strings"
	"time"
)

// QueryError is a fault in a query that its writer can mend. Hint says how.
type QueryError struct{ Problem, Hint string }

func (e *QueryError) Error() string { return e.Problem }

// ParseQuery reads a query as a person types it: the words of ParseTerms, and
// also -word or -"a phrase" to exclude, when something else is looked up, and
// the filters
//
//	agent:pi  role:user  kind:summary  session:ID  name:WORDS  in:DIR
//	after:2026-01-31  before:7d
//
// where a value may be quoted. A word before a colon that is nearly the name of
// a filter is an error that suggests it; any other is looked up as it stands.
// Times are read in now's zone, ages count back from now. Errors are *QueryError.
func ParseQuery(s string, now time.Time) (Query, error) {
	q := Query{Text: strings.TrimSpace(s)}
	var rest []string
	words := lex(s)
	for i := 0; i < len(words); i++ {
		w := words[i]
		name, value, ok := strings.Cut(w.text, ":")
		if !w.quoted && ok && isFilterName(name) {
			if value == "" && i+1 < len(words) && words[i+1].quoted {
				i++
				value = words[i].text
			}
			used, err := q.Filters.set(strings.ToLower(name), value, now)
			if err != nil {
				return q, err
			}
			if used {
				continue
			}
		}
		not := !w.quoted && len(w.text) > 1 && w.text[0] == '-' && w.text[1] != '-'
		if !w.quoted && w.text == "-" && i+1 < len(words) && words[i+1].quoted {
			i++
			w, not = words[i], true
		} else if not {
			w.text = w.text[1:]
		}
		if t, ok := w.term(); ok {
			t.Not = not
			q.Terms = append(q.Terms, t)
		}
		rest = append(rest, w.text)
	}
	q.keepExclusions()
	q.Question = isQuestion(q)
	q.Text = strings.Join(rest, " ")
	return q, nil
}

// keepExclusions turns exclusions into plain terms when nothing else is asked
// for: a leading minus alone does not negate.
func (q *Query) keepExclusions() {
	for _, t := range q.Terms {
		if !t.Not {
			return
		}
	}
	for i := range q.Terms {
		q.Terms[i].Not = false
	}
}

// filterNames are the filters of ParseQuery, in the order that help shows them.
var filterNames = []string{"agent", "role", "kind", "session", "name", "in", "after", "before"}

// FilterNames lists the names that ParseQuery knows before a colon.
func FilterNames() []string { return append([]string(nil), filterNames...) }

func isFilterName(s string) bool {
	s = strings.ToLower(s)
	for _, name := range filterNames {
		if s == name || (len(s) >= 4 && near(s, name)) {
			return true
		}
	}
	return false
}

// set takes one filter. used is false when the word is no filter after all.
func (f *Filters) set(name, value string, now time.Time) (used bool, err error) {
	if value == "" {
		return false, nil
	}
	switch name {
	case "agent":
		f.Agent = strings.ToLower(value)
	case "session":
		f.Session = strings.TrimPrefix(value, "pi:")
	case "name":
		f.Name = value
	case "in":
		f.In = value
	case "role":
		f.Role, err = ParseRole(value)
	case "kind":
		var k Kind
		k, err = ParseKind(value)
		f.Kinds = append(f.Kinds, k)
	case "after":
		f.When.From, err = ParseTime(value, now, false)
	case "before":
		f.When.To, err = ParseTime(value, now, false)
	default:
		return false, &QueryError{
			Problem: fmt.Sprintf("%q is not a filter", name+":"),
			Hint:    fmt.Sprintf("did you mean %s: ? To look the word up, quote it: %q", nearest(name), name+":"+value),
		}
	}
	if err == nil && !f.When.From.IsZero() && !f.When.To.IsZero() && !f.When.From.Before(f.When.To) {
		err = &QueryError{Problem: fmt.Sprintf("after: %s is not earlier than before: %s",
			f.When.From.Format(time.RFC3339), f.When.To.Format(time.RFC3339)), Hint: "swap the two"}
	}
	return true, err
}

// ParseRole reads "user" or "assistant". Errors are *QueryError.
func ParseRole(s string) (Role, error) {
	switch strings.ToLower(s) {
	case "user":
		return RoleUser, nil
	case "assistant":
		return RoleAssistant, nil
	}
	return RoleNone, &QueryError{Problem: fmt.Sprintf("no role is called %q", s), Hint: "use user or assistant"}
}

// ParseKind reads the name of a kind, singular or plural. Errors are *QueryError.
func ParseKind(s string) (Kind, error) {
	for k := KindSession; k <= KindEntry; k++ {
		if l := strings.ToLower(s); l == k.String() || l == k.String()+"s" || l == "entries" && k == KindEntry || l == "summaries" && k == KindSummary {
			return k, nil
		}
	}
	return 0, &QueryError{Problem: fmt.Sprintf("no kind is called %q", s), Hint: "use exchange, summary, entry or session"}
}

func nearest(s string) string {
	for _, name := range filterNames {
		if near(s, name) {
			return name
		}
	}
	return filterNames[0]
}

// near reports whether two short names differ by one letter added, left out,
// replaced or swapped with its neighbour.
func near(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	switch len(b) - len(a) {
	case 0:
		return i == len(a) || a[i+1:] == b[i+1:] ||
			i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
	case 1:
		return a[i:] == b[i+1:]
	}
	return false
}
