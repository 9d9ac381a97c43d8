package index

import (
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

// columnSets name the columns that a query may look at. The scope column is in
// none of them: no words of a query ever reach it.
type columnSet string

const (
	allWords   columnSet = "{user assistant steps}"
	nodeWords  columnSet = "{user assistant}" // what nodes show
	userWords  columnSet = "{user}"
	replyWords columnSet = "{assistant steps}"
	replyOnly  columnSet = "{assistant}"
	withMeta   columnSet = "{user assistant steps meta}"
	onlyMeta   columnSet = "{meta}" // where a session's name stands
)

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

// phrase writes tokens that must stand in a row. They are passed as split before:
// FTS5 would take a token that is split again for several at one place, any of
// which may match.
func (m *matcher) phrase(p words.Phrase, owner int) {
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
	m.owner = append(m.owner, owner)
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

// any writes the alternatives of wants: one of all these phrases must match.
// What is not scored only drives or excludes.
func (m *matcher) any(wants []want, only []int, scored bool) {
	m.b.WriteByte('(')
	first := true
	for _, n := range only {
		owner := n
		if !scored {
			owner = -1
		}
		for _, p := range wants[n].phrases {
			if !first {
				m.b.WriteString(" OR ")
			}
			first = false
			m.phrase(p, owner)
		}
	}
	m.b.WriteByte(')')
}

// scope adds a bound: one of the tokens must stand in the scope column.
func (m *matcher) scope(tokens []string) {
	m.b.WriteString(" AND scope : (")
	for i, tok := range tokens {
		if i > 0 {
			m.b.WriteString(" OR ")
		}
		m.b.WriteByte('"')
		m.token(tok)
		m.b.WriteByte('"')
		m.owner = append(m.owner, -1)
	}
	m.b.WriteByte(')')
}

// ask is what one query looks for: of each of all, one want must match; of some,
// if there are any, one; none of nots. The wants of extra are counted where they
// stand but make no difference to what is found, so that a common word costs no
// more than the rare one beside it.
type ask struct {
	wants []want
	all   [][]int
	some  []int
	extra []int
	nots  []want
	set   columnSet
	lax   bool // the wants take liberties: how many decides before any score
}

// match writes the query, inside the bounds.
func (a *ask) match(b *bounds) *matcher {
	m := &matcher{}
	if len(a.nots) > 0 {
		m.b.WriteByte('(')
	}
	sep := ""
	group := func(only []int, scored bool) {
		m.b.WriteString(sep)
		sep = " AND "
		m.b.WriteString(string(a.set))
		m.b.WriteString(" : ")
		m.any(a.wants, only, scored)
	}
	for _, only := range a.all {
		group(only, true)
	}
	if len(a.some) > 0 && len(a.extra) > 0 {
		group(a.some, false)
	}
	if len(a.some) > 0 || len(a.extra) > 0 {
		group(append(append([]int(nil), a.some...), a.extra...), true)
	}
	for _, tokens := range b.groups {
		m.scope(tokens)
	}
	if len(a.nots) > 0 {
		m.b.WriteString(") NOT ")
		m.b.WriteString(string(a.set))
		m.b.WriteString(" : ")
		m.any(a.nots, indexes(len(a.nots)), false)
	}
	return m
}

// each makes every index a group of its own.
func each(n int) [][]int {
	out := make([][]int, n)
	for i := range out {
		out[i] = []int{i}
	}
	return out
}

func (m *matcher) text() string { return m.b.String() }

func indexes(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}
