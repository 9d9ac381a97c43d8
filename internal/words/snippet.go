package words

import (
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

const (
	imageText   = "[image]" // what the placeholder of an image, U+FFFC, reads as
	ellipsis    = "…"
	reach       = 12   // bytes per character to show that are looked at around a match, blanks included
	maxBack     = 4096 // bytes within which a blank is looked for
	maxWordBack = 24   // graphemes of context that are given up to end at a blank
)

// Snippet gives a piece of text to show: around the spans where they stand
// closest together, the most different ones first, or from the beginning when
// there are none. It has at most maxChars characters (code points), an ellipsis
// at each end that is cut included. Marks are the bytes of the snippet that the
// spans cover.
//
// It cuts at grapheme boundaries only, and between words where one is near; a
// match that is too long itself is cut at its end. White space and control
// characters become one blank, an image becomes "[image]", invalid UTF-8 becomes
// U+FFFD. Of a long text only the parts around spans are looked at. Spans may be
// in any order and may overlap; what of them lies outside the text is ignored.
func Snippet(text string, spans []Span, maxChars int) (snippet string, marks []Span) {
	if maxChars <= 0 {
		return "", nil
	}
	spans = valid(text, spans)
	focus := densest(text, spans, maxChars)
	v := flatten(text, focus, maxChars)
	if v.text == "" {
		return "", nil
	}
	from, to := v.place(focus)
	lo, hi := from, to
	for hi > lo && v.size(lo, hi) > maxChars {
		hi--
	}
	if hi == to { // else the match itself is cut
		lo, hi = v.grow(from, to, maxChars)
	}
	if lo == hi {
		return ellipsis, nil
	}
	return v.cutOut(lo, hi, spans)
}

// valid gives the parts of spans inside text, without blanks before them, in order
// and those that overlap joined.
func valid(text string, spans []Span) []Span {
	var in []Span
	for _, s := range spans {
		s = Span{max(s.Start, 0), min(s.End, len(text))}
		if s.Start < s.End {
			s.Start = s.End - len(strings.TrimLeftFunc(text[s.Start:s.End], isBlank))
		}
		if s.Start < s.End {
			in = append(in, s)
		}
	}
	slices.SortFunc(in, func(a, b Span) int { return a.Start - b.Start })
	out := in[:0]
	for _, s := range in {
		if n := len(out); n > 0 && s.Start < out[n-1].End {
			out[n-1].End = max(out[n-1].End, s.End)
		} else {
			out = append(out, s)
		}
	}
	return out
}

// densest gives the piece from a span to another that fits into maxChars and
// holds the most different words, then the most spans, then comes first.
func densest(text string, spans []Span, maxChars int) (best Span) {
	first, bestKinds, bestCount := 0, 0, 0
	kinds := map[string]int{}
	for n, s := range spans {
		kinds[kindKey(text, s)]++
		for ; first < n && !fits(text[spans[first].Start:s.End], maxChars); first++ {
			k := kindKey(text, spans[first])
			if kinds[k]--; kinds[k] == 0 {
				delete(kinds, k)
			}
		}
		if count := n - first + 1; len(kinds) > bestKinds || len(kinds) == bestKinds && count > bestCount {
			best, bestKinds, bestCount = Span{spans[first].Start, s.End}, len(kinds), count
		}
	}
	return best
}

// kindKey makes spans over the same word equal.
func kindKey(text string, s Span) string {
	return strings.ToLower(text[s.Start:min(s.End, s.Start+24)])
}

// fits reports whether s has at most that many characters; it looks at no more.
func fits(s string, chars int) bool {
	return len(s) <= chars*utf8.UTFMax && utf8.RuneCountInString(s) <= chars
}

// view is the neighbourhood of a match as it is shown: one line of valid UTF-8.
type view struct {
	text  string
	at    []int   // for each byte of text, and for its end, the byte it stands for
	more  [2]bool // there is text before and after it
	cuts  []int   // bytes of text where a grapheme begins, and the end
	chars []int   // characters before each cut
}

func flatten(text string, focus Span, maxChars int) *view {
	near := maxChars * reach
	lo := lastBlank(text, max(0, focus.Start-near))
	hi := min(len(text), focus.End+near, focus.Start+2*near)
	if b := lastBlank(text, hi); hi < len(text) && b > min(focus.End, hi-1) {
		hi = b
	}
	v := &view{more: [2]bool{lo > 0, hi < len(text)}, cuts: []int{0}, chars: []int{0}}
	var out []byte
	blank := lo == 0 // no further one
	for i := lo; i < hi; {
		r, w := utf8.DecodeRuneInString(text[i:hi])
		switch {
		case isBlank(r) && blank:
		case isBlank(r):
			out = append(out, ' ')
		case r == '\ufffc':
			out = append(out, imageText...)
		default:
			out = utf8.AppendRune(out, r)
		}
		blank = isBlank(r)
		for len(v.at) < len(out) {
			v.at = append(v.at, i)
		}
		i += w
	}
	if blank && !v.more[1] {
		out = out[:max(0, len(out)-1)]
	}
	v.text, v.at = string(out), append(v.at[:len(out)], hi)
	for g := graphemes.FromString(v.text); g.Next(); {
		n := v.chars[len(v.chars)-1] + utf8.RuneCountInString(g.Value())
		v.cuts, v.chars = append(v.cuts, g.End()), append(v.chars, n)
	}
	return v
}

// isBlank reports what a snippet shows as a blank.
func isBlank(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }

// lastBlank moves back from i to a blank, where a grapheme begins whatever stands
// before it; without one nearby, to the beginning of a character.
func lastBlank(text string, i int) int {
	from := max(0, i-maxBack)
	if n := strings.LastIndexFunc(text[from:i], isBlank); n >= 0 || from == 0 {
		return from + max(n, 0)
	}
	for i > from && i < len(text) && !utf8.RuneStart(text[i]) {
		i--
	}
	return i
}

// place gives the graphemes that a span of the given text covers.
func (v *view) place(s Span) (lo, hi int) {
	start := max(0, sort.SearchInts(v.at, s.Start+1)-1)
	end := sort.SearchInts(v.at, min(s.End, v.at[len(v.text)]))
	return sort.SearchInts(v.cuts, start+1) - 1, sort.SearchInts(v.cuts, end)
}

// grow adds context to a match: a third before, the rest after, and what one
// side has no use for to the other.
func (v *view) grow(from, to, maxChars int) (lo, hi int) {
	lo, hi = from, to
	last := len(v.cuts) - 1
	spare := maxChars - v.size(lo, hi)
	right := v.chars[hi] + spare - spare/3
	for hi < last && v.chars[hi+1] <= right && v.size(lo, hi+1) <= maxChars {
		hi++
	}
	for lo > 0 && v.size(lo-1, hi) <= maxChars {
		lo--
	}
	lo = v.toWord(lo, from, 1)
	for hi < last && v.size(lo, hi+1) <= maxChars {
		hi++
	}
	return lo, v.toWord(hi, to, -1)
}

// toWord moves a cut out of a word and past blanks, by step, at most to limit.
func (v *view) toWord(at, limit, step int) int {
	near := at
	for n := 0; n < maxWordBack && near != limit && !v.between(near); n++ {
		near += step
	}
	if v.between(near) {
		at = near
	}
	for at != limit && v.text[v.cuts[at]+min(step, 0)] == ' ' {
		at += step
	}
	return at
}

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

func (v *view) cutBefore(lo int) bool { return lo > 0 || v.more[0] }
func (v *view) cutAfter(hi int) bool  { return hi < len(v.cuts)-1 || v.more[1] }

// between reports whether the cut at i is between two words. Those of scripts
// without blanks are one character long.
func (v *view) between(i int) bool {
	at := v.cuts[i]
	if at == 0 {
		return !v.more[0]
	}
	if at == len(v.text) {
		return !v.more[1]
	}
	before, _ := utf8.DecodeLastRuneInString(v.text[:at])
	after, _ := utf8.DecodeRuneInString(v.text[at:])
	return kindOf(before)&(wordy|mark) == 0 || kindOf(after)&(wordy|mark) == 0
}

// cutOut gives the piece with its ellipses, and the marks of the spans in it,
// which cover whole graphemes.
func (v *view) cutOut(lo, hi int, spans []Span) (string, []Span) {
	start, end := v.cuts[lo], v.cuts[hi]
	out, shift := v.text[start:end], -start
	if v.cutBefore(lo) {
		out = ellipsis + out
		shift += len(ellipsis)
	}
	if v.cutAfter(hi) {
		out += ellipsis
	}
	var marks []Span
	done := start
	for _, s := range spans {
		if s.End <= v.at[start] || s.Start >= v.at[end] {
			continue
		}
		from, to := v.place(s)
		m := Span{max(v.cuts[from], done), min(v.cuts[to], end)}
		if m.Start < m.End {
			marks = append(marks, Span{m.Start + shift, m.End + shift})
			done = m.End
		}
	}
	return out, marks
}
