package lookback

import (
	"errors"
	"fmt"
	"slices"
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
// where a value may be quoted. A bare date is its beginning: after includes the
// day, before does not. A session may be a ref or the beginning of one. A word
// before a colon that is a filter's name mistyped is an error that suggests it;
// any other, and a filter's name before more words, is looked up as it stands; at
// the end of the query a filter without a value is an error. Times are
// read in now's zone, ages count back from now. Errors are *QueryError.
func ParseQuery(s string, now time.Time) (Query, error) {
	var q Query
	var kept []string // what stands between the filters
	from := 0
	words := lex(s)
	for i := 0; i < len(words); i++ {
		w, next := words[i], i+1
		glued := !w.quoted && next < len(words) && words[next].quoted && words[next].at == w.end
		if name, value, ok := strings.Cut(w.text, ":"); ok && !w.quoted {
			end := i
			if value == "" && glued {
				value, end = words[next].text, next
			}
			name = strings.ToLower(name)
			used, err := q.Filters.Set(name, value, now)
			if value == "" && i == len(words)-1 && slices.Contains(filterNames, name) {
				err = &QueryError{Problem: name + ": has no value", Hint: "write it right after the colon"}
			}
			if err != nil {
				var fault *QueryError
				if errors.As(err, &fault) {
					fault.Hint += fmt.Sprintf("; to look the words up, quote them: \"%s:%s\"", name, value)
				}
				return Query{}, err
			}
			if used {
				kept = append(kept, s[from:w.at])
				i, from = end, words[end].end
				continue
			}
		}
		not := false
		switch {
		case w.text == "-" && glued:
			i, w, not = next, words[next], true
		case !w.quoted && len(w.text) > 1 && w.text[0] == '-' && w.text[1] != '-':
			w.text, not = w.text[1:], true
		}
		if t, ok := w.term(); ok {
			t.Not = not
			q.Terms = append(q.Terms, t)
		}
	}
	if err := q.Filters.Check(); err != nil {
		return Query{}, err
	}
	q.Text = joinTrimmed(append(kept, s[from:]))
	q.keepExclusions()
	q.Question = isQuestion(q)
	return q, nil
}

// joinTrimmed joins the pieces that are not blank by one blank each.
func joinTrimmed(pieces []string) string {
	out := pieces[:0]
	for _, p := range pieces {
		if p = strings.TrimFunc(p, blank); p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, " ")
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

// Set takes one filter by its name. used is false when there is no such filter or
// no value. Errors are *QueryError.
func (f *Filters) Set(name, value string, now time.Time) (used bool, err error) {
	if value == "" {
		return false, nil
	}
	switch name {
	case "agent":
		f.Agent = strings.ToLower(value)
	case "session":
		f.Session = value
		if ref, err := ParseRef(value); err == nil {
			f.Agent, f.Session = ref.Session.Agent, ref.Session.Native
		}
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
		meant := mistyped(name)
		if meant == "" {
			return false, nil
		}
		err = &QueryError{Problem: fmt.Sprintf("%q is not a filter", name+":"), Hint: fmt.Sprintf("did you mean %s: ?", meant)}
	}
	return err == nil, err
}

// Check refuses filters that leave nothing. The error is a *QueryError.
func (f *Filters) Check() error {
	if !f.When.reversed() {
		return nil
	}
	return &QueryError{Problem: fmt.Sprintf("after: %s is not earlier than before: %s",
		f.When.From.Format(time.RFC3339), f.When.To.Format(time.RFC3339)), Hint: "swap the two"}
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

// mistyped gives the filter name that s is with one slip of the fingers, or "".
// Three letters and less, another letter in place of one and an added one are no
// slips: kin, find, rule, same and names are words that people look up.
func mistyped(s string) string {
	for _, name := range filterNames {
		if len(s) >= 4 && slip(s, name) {
			return name
		}
	}
	return ""
}

// slip reports whether typed is name with one letter left out or doubled, or two
// neighbours swapped.
func slip(typed, name string) bool {
	i := 0 // the first difference
	for i < len(typed) && i < len(name) && typed[i] == name[i] {
		i++
	}
	switch len(typed) - len(name) {
	case -1:
		return typed[i:] == name[i+1:]
	case 0:
		return i+1 < len(name) && typed[i] == name[i+1] && typed[i+1] == name[i] && typed[i+2:] == name[i+2:]
	case 1:
		return i > 0 && typed[i] == typed[i-1] && typed[i+1:] == name[i:]
	}
	return false
}
