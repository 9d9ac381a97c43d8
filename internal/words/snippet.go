package words

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// ImageText is what the placeholder of an image, U+FFFC, reads as in a snippet.
const ImageText = "[image]"

const ellipsis = "…"

// Snippet gives a piece of text to show: around the spans where they stand
// closest together, the most different ones first, or from the beginning when
// there are none. It has at most maxChars characters (code points), an ellipsis
// at each end that is cut included. Marks are the bytes of the snippet that the
// spans cover.
//
// It cuts at grapheme boundaries only, and between words where one is near; a
// match that is too long itself is cut at its end. White space and control
// characters become one blank, an image becomes ImageText, invalid UTF-8 becomes
// U+FFFD. Of a long text only the parts around spans are looked at. Spans may be
// in any order and may overlap; what of them lies outside the text is ignored.
func Snippet(text string, spans []Span, maxChars int) (snippet string, marks []Span) {
	if maxChars <= 0 {
		return "", nil
	}
	spans = valid(text, spans)
	focus := densest(text, spans, maxChars)
	v := flatten(text, focus, spans, maxChars)
	return v.render(maxChars)
}

// valid gives the parts of spans inside text, in order.
func valid(text string, spans []Span) []Span {
	out := make([]Span, 0, len(spans))
	for _, s := range spans {
		s = Span{max(s.Start, 0), min(s.End, len(text))}
		if s.Start < s.End {
			out = append(out, s)
		}
	}
	return merge(out)
}

// densest gives the piece from a span to another that fits into maxChars and
// holds the most different words, then the most spans, then comes first.
func densest(text string, spans []Span, maxChars int) Span {
	if len(spans) == 0 {
		return Span{}
	}
	best, bestKinds, bestCount := spans[0], 0, 0
	kinds := map[string]int{}
	tail, chars := 0, 0 // spans[tail:n+1] are chars long
	for n, s := range spans {
		if n > 0 {
			chars += charsUpTo(text[spans[n-1].End:s.Start], maxChars)
		}
		chars += charsUpTo(text[s.Start:s.End], maxChars)
		kinds[kindKey(text, s)]++
		for tail < n && chars > maxChars {
			t := spans[tail]
			chars -= charsUpTo(text[t.Start:t.End], maxChars) + charsUpTo(text[t.End:spans[tail+1].Start], maxChars)
			if k := kindKey(text, t); kinds[k] > 1 {
				kinds[k]--
			} else {
				delete(kinds, k)
			}
			tail++
		}
		if count := n - tail + 1; len(kinds) > bestKinds || len(kinds) == bestKinds && count > bestCount {
			best, bestKinds, bestCount = Span{spans[tail].Start, s.End}, len(kinds), count
		}
	}
	return best
}

// charsUpTo counts characters but gives up shortly after limit, so that the
// gaps between spans cost no more than what could be shown of them.
func charsUpTo(s string, limit int) int {
	if most := (limit + 1) * utf8.UTFMax; len(s) > most {
		return limit + 1
	}
	return utf8.RuneCountInString(s)
}

// kindKey makes spans over the same word equal.
func kindKey(text string, s Span) string {
	return strings.ToLower(text[s.Start:min(s.End, s.Start+24)])
}

// reach is how far around the spans a snippet looks, in bytes per character to
// show: enough for any script and for the white space of indented source.
const reach = 12

// flatten makes the neighbourhood of focus plain: one line of valid UTF-8 in
// which marks and focus have moved along.
func flatten(text string, focus Span, spans []Span, maxChars int) view {
	near := maxChars * reach
	lo := safeStart(text, max(0, focus.Start-near))
	hi := runeStart(text, min(len(text), focus.End+near, focus.Start+2*near))
	if safe := safeStart(text, hi); safe > min(focus.End, hi-1) {
		hi = safe
	}
	first, _ := slices.BinarySearchFunc(spans, lo, func(s Span, at int) int { return s.End - at })
	v := view{more: [2]bool{lo > 0, hi < len(text)}, focus: Span{-1, -1}}
	var out strings.Builder
	gap := false
	open := -1 // start of the mark under way
	spans = spans[first:]
	for i := lo; i < hi; {
		for len(spans) > 0 && spans[0].End <= i {
			if open >= 0 {
				v.marks = append(v.marks, Span{open, out.Len()})
			}
			open, spans = -1, spans[1:]
		}
		r, w := utf8.DecodeRuneInString(text[i:hi])
		if isBlank(r) {
			gap = out.Len() > 0
			i += w
			continue
		}
		if gap {
			out.WriteByte(' ')
			gap = false
		}
		if open < 0 && len(spans) > 0 && spans[0].Start < i+w {
			open = out.Len()
		}
		if v.focus.Start < 0 && i+w > focus.Start {
			v.focus.Start = out.Len()
		}
		if r == '\ufffc' {
			out.WriteString(ImageText)
		} else {
			out.WriteRune(r)
		}
		if i < focus.End {
			v.focus.End = out.Len()
		}
		i += w
	}
	if open >= 0 {
		v.marks = append(v.marks, Span{open, out.Len()})
	}
	v.text = out.String()
	v.focus.Start = min(max(v.focus.Start, 0), len(v.text))
	v.focus.End = max(v.focus.Start, v.focus.End)
	return v
}

// isBlank reports what a snippet shows as a blank.
func isBlank(r rune) bool {
	switch {
	case r <= ' ', 0x7f <= r && r <= 0xa0:
		return true
	case r < 0x1680:
		return false
	}
	return 0x2000 <= r && r <= 0x200a || r == 0x2028 || r == 0x2029 || r == 0x202f || r == 0x205f || r == 0x3000 || r == 0x1680
}

// maxBack bounds the search for a place where reading may begin, in bytes.
const maxBack = 4096

// safeStart moves back from i to where a grapheme is sure to begin whatever
// stands before it. Begun inside a row of flags or joined emoji, every boundary
// after it could be wrong. Without such a place within maxBack it gives i.
func safeStart(text string, i int) int {
	i = runeStart(text, i)
	if i == len(text) {
		return i
	}
	for at, stop := i, max(0, i-maxBack); at > stop; {
		before, w := utf8.DecodeLastRuneInString(text[:at])
		here, _ := utf8.DecodeRuneInString(text[at:])
		if isLoner(before) && (isLoner(here) || kindOf(here)&wordy != 0) {
			return at
		}
		at -= w
		if at == 0 {
			return 0
		}
	}
	return i
}

// runeStart moves back from i to the beginning of a character.
func runeStart(text string, i int) int {
	for n := 0; n < utf8.UTFMax && i > n && i < len(text); n++ {
		if utf8.RuneStart(text[i-n]) {
			return i - n
		}
	}
	return i
}

// isLoner reports whether a character never joins a neighbour of its like.
func isLoner(r rune) bool {
	switch {
	case r < 0x7f:
		return r >= ' ' || r == '\n' || r == '\t'
	case r < tableSize:
		return kindTable[r]&wordy != 0
	case isFlag(r):
		return false
	}
	return 0x5d0 <= r && r <= 0x5ea || 0x621 <= r && r <= 0x64a || 0x3041 <= r && r <= 0x3096 || 0x30a1 <= r && r <= 0x30fe ||
		0x4e00 <= r && r <= 0x9fff || 0xac00 <= r && r <= 0xd7a3 || isSymbol(r)
}
