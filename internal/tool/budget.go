package tool

import (
	"encoding/json"
	"unicode/utf8"
)

// Budgets of one call, in bytes.
const (
	maxBytes   = 50_000
	maxForPi   = 20_000 // Pi cuts longer texts in the middle
	spareBytes = 2_000  // for what stands around rows: frame, notes, cursor
	minCut     = 80     // a cut that would leave less of a text leaves the row to the next page
)

// maxText is the largest text that a caller's client takes.
func (c *Caller) maxText() int {
	if c.Client == "pi" {
		return maxForPi
	}
	return maxBytes
}

// bareCost is the most that a row takes without its text, in JSON or as text.
func (r *Row) bareCost() int {
	bare := *r
	bare.Text = ""
	b, _ := json.Marshal(bare) // strings and numbers only
	return len(b) + len("handoff: a new context began here with this text\n\n")
}

// fitting gives the length of the beginning of s that costs no more than room, and
// its cost.
func fitting(s string, room int) (end, used int) {
	for i, c := range s {
		n := cost(c)
		if used+n > room {
			return i, used
		}
		used += n
	}
	return len(s), used
}

// cost is the most that a character takes, as text or in JSON, however its writer
// escapes.
func cost(c rune) int {
	switch c {
	case '"', '\\', '\n', '\r', '\t':
		return 2
	case '<', '>', '&', 0x2028, 0x2029, 0x7f:
		return 6
	}
	if c < ' ' {
		return 6
	}
	return utf8.RuneLen(c)
}
