package tool

import (
	"unicode/utf16"
	"unicode/utf8"
)

// pbot_history counts as JavaScript does, in UTF-16 units: characters beyond the
// basic plane are two.

// unitLen is the length of a text in UTF-16 units.
func unitLen(s string) int {
	n := len(s)
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			n = i
			for _, r := range s[i:] {
				n += unitsOf(r)
			}
			return n
		}
	}
	return n
}

func unitsOf(r rune) int {
	if n := utf16.RuneLen(r); n > 0 {
		return n
	}
	return 1
}

// unitPage cuts the page of at most limit units that begins at offset out of s,
// which is valid UTF-8. A surrogate pair is never split: an offset inside one steps
// back, and so does an end, but forward when the page would be empty. next is where
// the next page begins, -1 at the end; ok is false for an offset past the end.
func unitPage(s string, offset, limit int) (page string, next int, ok bool) {
	from, at := unitIndex(s, offset)
	if at < offset && from == len(s) {
		return "", 0, false
	}
	end, to := unitIndex(s[from:], limit)
	if end == 0 && from < len(s) { // inside of the first pair
		_, w := utf8.DecodeRuneInString(s[from:])
		end, to = w, 2
	}
	if from+end == len(s) {
		return s[from:], -1, true
	}
	return s[from : from+end], at + to, true
}

// unitIndex gives the byte at which unit n of s begins, and the number of that
// unit: one less than n inside of a pair, and the length of s past its end.
func unitIndex(s string, n int) (index, unit int) {
	if n <= 0 {
		return 0, 0
	}
	for i, r := range s {
		w := unitsOf(r)
		if unit+w > n {
			return i, unit
		}
		unit += w
		if unit == n {
			return i + utf8.RuneLen(r), unit
		}
	}
	return len(s), unit
}

// unitClip cuts s to at most n units.
func unitClip(s string, n int) string {
	i, _ := unitIndex(s, n)
	return s[:i]
}
