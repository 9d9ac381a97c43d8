package words

import (
	"sort"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

// view is the flattened neighbourhood of a match.
type view struct {
	text  string
	marks []Span  // bytes of text, in order
	focus Span    // what must be shown
	more  [2]bool // there is text before and after it

	cuts  []int // bytes where a grapheme begins, and the end
	chars []int // characters before each cut
}

// maxWordBack is how many graphemes of context are given up to end at a blank.
const maxWordBack = 24

// render cuts the view to maxChars characters.
func (v *view) render(maxChars int) (string, []Span) {
	if v.text == "" {
		return "", nil
	}
	v.measure()
	from := sort.SearchInts(v.cuts, v.focus.Start+1) - 1
	to := sort.SearchInts(v.cuts, v.focus.End)
	lo, hi := from, to
	for hi > lo && !v.fits(lo, hi, maxChars) {
		hi--
	}
	if hi < to { // the match itself is cut
		if lo == hi {
			return ellipsis, nil
		}
		return v.cutOut(lo, hi)
	}
	lo, hi = v.grow(lo, hi, maxChars)
	if lo == hi {
		return ellipsis, nil
	}
	return v.cutOut(lo, hi)
}

// grow adds context to a match: a third before, the rest after, and what one
// side has no use for to the other.
func (v *view) grow(from, to, maxChars int) (lo, hi int) {
	lo, hi = from, to
	spare := maxChars - v.size(lo, hi)
	right := v.chars[hi] + spare - spare/3
	for hi < v.last() && v.chars[hi+1] <= right && v.fits(lo, hi+1, maxChars) {
		hi++
	}
	for lo > 0 && v.fits(lo-1, hi, maxChars) {
		lo--
	}
	lo = v.wordStart(lo, from)
	for hi < v.last() && v.fits(lo, hi+1, maxChars) {
		hi++
	}
	return lo, v.wordEnd(hi, to)
}

// measure finds the graphemes.
func (v *view) measure() {
	v.cuts, v.chars = append(v.cuts, 0), append(v.chars, 0)
	n := 0
	for g := graphemes.FromString(v.text); g.Next(); {
		n += utf8.RuneCountInString(g.Value())
		v.cuts, v.chars = append(v.cuts, g.End()), append(v.chars, n)
	}
}

func (v *view) last() int { return len(v.cuts) - 1 }

func (v *view) cutBefore(lo int) bool { return lo > 0 || v.more[0] }
func (v *view) cutAfter(hi int) bool  { return hi < v.last() || v.more[1] }

// size gives the characters of a piece with its ellipses.
func (v *view) size(lo, hi int) int {
	n := v.chars[hi] - v.chars[lo]
	if v.cutBefore(lo) {
		n++
	}
	if v.cutAfter(hi) {
		n++
	}
	return n
}

func (v *view) fits(lo, hi, maxChars int) bool { return v.size(lo, hi) <= maxChars }

// wordStart moves the beginning of a piece past half a word and blanks, at most
// to from.
func (v *view) wordStart(lo, from int) int {
	if v.cutBefore(lo) && !v.between(lo) {
		for i := lo + 1; i <= min(from, lo+maxWordBack); i++ {
			if v.between(i) {
				lo = i
				break
			}
		}
	}
	for lo < from && v.text[v.cuts[lo]] == ' ' {
		lo++
	}
	return lo
}

// wordEnd moves the end of a piece before half a word and blanks, at most to to.
func (v *view) wordEnd(hi, to int) int {
	if v.cutAfter(hi) && !v.between(hi) {
		for i := hi - 1; i >= max(to, hi-maxWordBack); i-- {
			if v.between(i) {
				hi = i
				break
			}
		}
	}
	for hi > to && v.text[v.cuts[hi]-1] == ' ' {
		hi--
	}
	return hi
}

// between reports whether the cut at i is between two words.
func (v *view) between(i int) bool {
	at := v.cuts[i]
	if at == 0 || at == len(v.text) {
		return !v.more[0] && at == 0 || !v.more[1] && at == len(v.text)
	}
	before, _ := utf8.DecodeLastRuneInString(v.text[:at])
	after, _ := utf8.DecodeRuneInString(v.text[at:])
	return !inWord(before) || !inWord(after)
}

// inWord takes scripts without blanks for words of one character.
func inWord(r rune) bool { return kindOf(r)&(wordy|mark) != 0 }

// cutOut gives the piece with its ellipses, and the marks in it, which cover
// whole graphemes.
func (v *view) cutOut(lo, hi int) (string, []Span) {
	start, end := v.cuts[lo], v.cuts[hi]
	out, shift := v.text[start:end], -start
	var marks []Span
	if v.cutBefore(lo) {
		out = ellipsis + out
		shift += len(ellipsis)
	}
	for _, m := range v.marks {
		m.Start = v.cuts[sort.SearchInts(v.cuts, m.Start+1)-1]
		m.End = v.cuts[sort.SearchInts(v.cuts, m.End)]
		m = Span{max(m.Start, start) + shift, min(m.End, end) + shift}
		if m.Start < m.End {
			marks = append(marks, m)
		}
	}
	if v.cutAfter(hi) {
		out += ellipsis
	}
	return out, merge(marks)
}
