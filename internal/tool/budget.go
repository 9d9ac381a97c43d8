package tool

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// Budgets of one call, in bytes, for each form.
const (
	maxBytes   = 50_000
	maxForPi   = 20_000 // Pi cuts longer texts in the middle
	spareBytes = 2_000  // for what stands around rows: frame, notes, cursor
	minCut     = 80     // a cut that would leave less of a text leaves the row to the next page
)

// textBudget is the largest text that a caller's client takes.
func (c *Caller) textBudget() int {
	if c.Client == "pi" {
		return maxForPi
	}
	return maxBytes
}

// budget is what is left of both forms.
type budget struct{ structured, text int }

func (c *Caller) budget() budget {
	return budget{maxBytes - spareBytes, c.textBudget() - spareBytes}
}

// take spends what a row costs. A row that does not fit is cut, see cutRow; none
// is left when not even a piece of it fits.
func (b *budget) take(r Row) (fit Row, all bool, some bool) {
	s, t := r.around()
	for _, c := range r.Text {
		cs, ct := runeCost(c)
		s, t = s+cs, t+ct
		if s > b.structured || t > b.text {
			return b.cutRow(r)
		}
	}
	if s > b.structured || t > b.text {
		return Row{}, false, false
	}
	b.structured -= s
	b.text -= t
	return r, true, true
}

// cutRow takes as much of the beginning of a row's text as fits and leaves nothing
// for further rows.
func (b *budget) cutRow(r Row) (fit Row, all bool, some bool) {
	s, t := r.around()
	end := 0
	for i, c := range r.Text {
		cs, ct := runeCost(c)
		s, t = s+cs, t+ct
		if s > b.structured || t > b.text {
			break
		}
		end = i + utf8.RuneLen(c)
	}
	if end < minCut {
		return Row{}, false, false
	}
	*b = budget{}
	r.Text = r.Text[:end]
	return r, false, true
}

// around is what a row costs without its text.
func (r *Row) around() (structured, text int) {
	bare := *r
	bare.Text = ""
	j, err := json.Marshal(bare)
	if err != nil {
		return maxBytes, maxBytes // it cannot happen: strings and numbers only
	}
	var w strings.Builder
	bare.write(&w)
	return len(j) + 1, len(defuse(w.String())) + 3
}

// runeCost is the most that a character takes in JSON, however its writer escapes,
// and in the text, where a "<" may be written as a longer character.
func runeCost(c rune) (structured, text int) {
	n := utf8.RuneLen(c)
	switch {
	case c == '<':
		return 6, 3
	case c == '"', c == '\\', c == '\n', c == '\r', c == '\t':
		return 2, n
	case c < ' ', c == '>', c == '&', c == 0x2028, c == 0x2029, c == 0x7f:
		return 6, n
	}
	return n, n
}
