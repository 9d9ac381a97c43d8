package index

import (
	"slices"
	"strings"

	"lookback/internal/words"
)

// The columns of the words table, in order.
const (
	fieldUser = iota
	fieldAssistant
	fieldSteps
	fieldMeta
	fields // how many columns hold words; the scope column follows
)

// ask is what one query looks for: of each group of wants one must match, and none
// of nots. Wants that stand in several groups count for the score once.
type ask struct {
	wants []want
	all   [][]int
	nots  []want
	judge judge // nil for none
	lax   bool  // the wants take liberties: how many decides before any score
}

// matcher writes the text of one MATCH. It is the only writer of such text: every
// token is quoted, and only the operators below stand outside of quotes, so
// nothing that anybody types is ever read as syntax.
//
// It numbers the phrases as FTS5 does, in the order in which they are written,
// and remembers which want each of them belongs to.
type matcher struct {
	b     strings.Builder
	owner []int // by phrase: index of its want, -1 for none that is scored
}

// match writes the query, inside the bounds.
func (a *ask) match(b *bounds) *matcher {
	m := &matcher{}
	if len(a.nots) > 0 {
		m.b.WriteByte('(')
	}
	for i, group := range a.all {
		if i > 0 {
			m.b.WriteString(" AND ")
		}
		m.any(b.columns, a.wants, group, func(w int) int {
			if slices.ContainsFunc(a.all[i+1:], func(later []int) bool { return slices.Contains(later, w) }) {
				return -1
			}
			return w
		})
	}
	for _, tokens := range b.groups {
		m.scope(tokens)
	}
	if len(a.nots) > 0 {
		m.b.WriteString(") NOT ")
		m.any(b.columns, a.nots, indexes(len(a.nots)), func(int) int { return -1 })
	}
	return m
}

// any writes the alternatives of wants: one of all these phrases must match. owner
// says which want each is counted for.
func (m *matcher) any(columns string, wants []want, group []int, owner func(int) int) {
	m.b.WriteString(columns)
	m.b.WriteString(" : (")
	or := ""
	for _, n := range group {
		for _, p := range wants[n].phrases {
			m.b.WriteString(or)
			or = " OR "
			m.phrase(p)
			m.owner = append(m.owner, owner(n))
		}
	}
	m.b.WriteByte(')')
}

// phrase writes tokens that must stand in a row. They are passed as split before:
// FTS5 would take a token that is split again for several at one place, any of
// which may match.
func (m *matcher) phrase(p words.Phrase) {
	m.b.WriteByte('"')
	m.b.WriteByte(tokenMark)
	for _, tok := range p.Tokens {
		m.token(tok)
		m.b.WriteByte(endToken)
	}
	m.b.WriteByte('"')
	if p.Prefix {
		m.b.WriteString(" *")
	}
}

// token writes a token so that it can neither end the string nor the token.
func (m *matcher) token(tok string) {
	for i := range len(tok) {
		switch c := tok[i]; c {
		case '"':
			m.b.WriteString(`""`)
		case 0, endToken, endAlike:
		default:
			m.b.WriteByte(c)
		}
	}
}

// scope adds a bound: one of the tokens, which are our own, must stand in the
// scope column.
func (m *matcher) scope(tokens []string) {
	m.b.WriteString(` AND scope : ("` + strings.Join(tokens, `" OR "`) + `")`)
	m.owner = append(m.owner, slices.Repeat([]int{-1}, len(tokens))...)
}

// satisfied reports whether something that holds wants as said is what is asked for.
func (a *ask) satisfied(holds func(int) bool) bool {
	for _, group := range a.all {
		if !slices.ContainsFunc(group, holds) {
			return false
		}
	}
	return true
}

// each makes every index a group of its own.
func each(n int) [][]int {
	out := make([][]int, n)
	for i := range out {
		out[i] = []int{i}
	}
	return out
}

func indexes(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}
