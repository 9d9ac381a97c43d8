package tool

import (
	"unicode/utf16"
	"unicode/utf8"
)

// unitText is a text as pbot_history counts it, as JavaScript does: characters
// beyond the basic plane are two units, a surrogate pair.
type unitText []uint16

func unitsOf(s string) unitText { return utf16.Encode([]rune(s)) }

func (u unitText) String() string { return string(utf16.Decode(u)) }

// start steps back from inside of a pair. Past the end it gives the end.
func (u unitText) start(at int) int {
	at = min(max(at, 0), len(u))
	if at > 0 && at < len(u) && utf16.DecodeRune(rune(u[at-1]), rune(u[at])) != utf8.RuneError {
		at--
	}
	return at
}

// end is where a page of at most limit units ends that begins at from. It steps
// back from inside of a pair, but forward when the page would be empty.
func (u unitText) end(from, limit int) int {
	to := u.start(from + limit)
	if to <= from && from < len(u) {
		to = min(from+2, len(u))
	}
	return to
}

// unitClip cuts s to at most n units.
func unitClip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	u := unitsOf(s)
	return u[:u.start(n)].String()
}
