package words

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// FindFold gives the places where needle stands in text, letters of either case
// taken as one by Unicode's simple case folding; accents and blanks count. Places
// are in order and don't overlap; at most limit are given, all when limit is 0.
// Invalid bytes of the text match nothing. An empty needle is nowhere.
func FindFold(text, needle string, limit int) []Span {
	want := []rune(needle)
	if len(want) == 0 {
		return nil
	}
	pivot := rarest(want)
	cursors := orbit(want[pivot])
	var found []Span
	free := 0 // end of the last place found
	for {
		at, first := len(text), -1
		for i := range cursors {
			if p := cursors[i].from(text, free); p < at {
				at, first = p, i
			}
		}
		if first < 0 {
			return found
		}
		cursors[first].spent = true
		start, ok := matchBack(text[free:at], want[:pivot])
		if !ok {
			continue
		}
		end, ok := matchOn(text, at, want[pivot:])
		if !ok {
			continue
		}
		found = append(found, Span{free + start, end})
		if len(found) == limit {
			return found
		}
		free = end
	}
}

// cursor runs over the places of one spelling of the pivot character.
type cursor struct {
	spelling string
	at       int  // the place found last; len(text) when there are no more
	spent    bool // look for the next
}

// from gives the next place at or after min.
func (c *cursor) from(text string, min int) int {
	if !c.spent && c.at >= min {
		return c.at
	}
	if c.spent {
		c.at++ // never lands inside another place: spellings don't overlap
	}
	c.spent = false
	c.at = max(c.at, min)
	if c.at >= len(text) {
		c.at = len(text)
		return c.at
	}
	i := strings.Index(text[c.at:], c.spelling)
	if i < 0 {
		c.at = len(text)
	} else {
		c.at += i
	}
	return c.at
}

// orbit gives a cursor for every spelling of a character.
func orbit(r rune) []cursor {
	cs := []cursor{{spelling: string(r), at: -1, spent: true}}
	for o := unicode.SimpleFold(r); o != r; o = unicode.SimpleFold(o) {
		cs = append(cs, cursor{spelling: string(o), at: -1, spent: true})
	}
	return cs
}

// common lists characters by how little they tell, worst first.
const common = " etaoinsrhldcumfpgwybvk.,-_/:\n()'\"0123456789xjqz"

// rarest picks the character that is worth looking for: the rest is compared
// only where that one stands.
func rarest(want []rune) int {
	best, score := 0, -1
	for i, r := range want {
		s := len(common) + 1
		if r < utf8.RuneSelf {
			if n := strings.IndexRune(common, unicode.ToLower(r)); n >= 0 {
				s = n
			}
		}
		if r == utf8.RuneError {
			s = 0
		}
		if s > score {
			best, score = i, s
		}
	}
	return best
}

// matchBack compares want with the end of text and gives where it begins.
func matchBack(text string, want []rune) (int, bool) {
	at := len(text)
	for i := len(want) - 1; i >= 0; i-- {
		r, w := utf8.DecodeLastRuneInString(text[:at])
		if !sameFold(r, w, want[i]) {
			return 0, false
		}
		at -= w
	}
	return at, true
}

// matchOn compares want with text from at on and gives where it ends.
func matchOn(text string, at int, want []rune) (int, bool) {
	for _, r := range want {
		c, w := utf8.DecodeRuneInString(text[at:])
		if !sameFold(c, w, r) {
			return 0, false
		}
		at += w
	}
	return at, true
}

// sameFold reports whether a decoded character is r but for case.
func sameFold(c rune, width int, r rune) bool {
	if width == 0 || c == utf8.RuneError && width == 1 {
		return false
	}
	if c == r {
		return true
	}
	if c < utf8.RuneSelf && r < utf8.RuneSelf {
		return asciiLower[c] == asciiLower[r]
	}
	for o := unicode.SimpleFold(r); o != r; o = unicode.SimpleFold(o) {
		if o == c {
			return true
		}
	}
	return false
}
