package words

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// FindFold gives the places where needle stands in text, letters of either case
// taken as one by Unicode's simple case folding; accents and blanks count. Places
// are in order and don't overlap; at most limit are given, all when limit is 0.
// Invalid bytes of the text match nothing. An empty needle is nowhere.
func FindFold(text, needle string, limit int) (found []Span) {
	want := []rune(needle)
	if len(want) == 0 {
		return nil
	}
	for i, r := range want {
		want[i] = oneCase(r)
	}
	// Only where the pivot stands is the rest compared. Blanks and digits come
	// before letters, and _ and what is no ASCII after them, so it is rather rare.
	pivot := slices.Index(want, slices.Max(want))
	cases := spellings(want[pivot])
	next := make([]int, len(cases)) // where each spelling of the pivot stands next
	for i := range cases {
		next[i] = indexFrom(text, cases[i], 0)
	}
	free := 0 // end of the last place found
	for {
		at := slices.Min(next)
		if at == len(text) || limit > 0 && len(found) == limit {
			return found
		}
		i := slices.Index(next, at)
		next[i] = indexFrom(text, cases[i], at+1)
		if at < free {
			continue
		}
		start := at
		for range pivot {
			_, w := utf8.DecodeLastRuneInString(text[free:start])
			start -= w
		}
		if end, ok := matchOn(text, start, want); ok {
			found = append(found, Span{start, end})
			free = end
		}
	}
}

// indexFrom gives the first place of part at or after i; the length of text when
// there is none.
func indexFrom(text, part string, i int) int {
	if n := strings.Index(text[i:], part); n >= 0 {
		return i + n
	}
	return len(text)
}

// spellings gives the cases of a character.
func spellings(r rune) []string {
	out := []string{string(r)}
	for o := unicode.SimpleFold(r); o != r; o = unicode.SimpleFold(o) {
		out = append(out, string(o))
	}
	return out
}

// oneCase makes all cases of a character one.
func oneCase(r rune) rune {
	if r < utf8.RuneSelf {
		return unicode.ToUpper(r)
	}
	least := r
	for o := unicode.SimpleFold(r); o != r; o = unicode.SimpleFold(o) {
		least = min(least, o)
	}
	return least
}

// matchOn compares want, of one case, with text from at on and gives where it
// ends.
func matchOn(text string, at int, want []rune) (int, bool) {
	for _, r := range want {
		c, w := utf8.DecodeRuneInString(text[at:])
		if w == 0 || c == utf8.RuneError && w == 1 || oneCase(c) != r {
			return 0, false
		}
		at += w
	}
	return at, true
}
