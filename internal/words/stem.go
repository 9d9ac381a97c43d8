package words

import (
	"bytes"
	"strings"
)

// minStem is the shortest word that has a stem, in letters.
const minStem = 3

// Stem gives the stem of a lower-case word of ASCII letters, and any other word
// as it is. It is written from the description of the algorithm in M. F. Porter,
// "An algorithm for suffix stripping", Program 14(3), 1980, and follows the paper
// where later implementations depart from it.
func Stem(word string) string {
	if len(word) < minStem || !isPlain(word) {
		return word
	}
	return string(porter([]byte(word)))
}

// isPlain reports whether a word is lower-case ASCII letters only.
func isPlain[T ~string | ~[]byte](word T) bool {
	for i := range len(word) {
		if word[i]-'a' > 'z'-'a' {
			return false
		}
	}
	return true
}

// swap is one rule of a step: a suffix and what takes its place.
type swap struct{ suffix, with string }

// The paper's steps 2 to 4, longer suffixes before those they end in.
var (
	step2 = swaps(`ational/ate tional/tion enci/ence anci/ance izer/ize abli/able alli/al entli/ent eli/e ousli/ous
		ization/ize ation/ate ator/ate alism/al iveness/ive fulness/ful ousness/ous aliti/al iviti/ive biliti/ble`)
	step3 = swaps(`icate/ic iciti/ic ative/ alize/al ical/ic ful/ ness/`)
	step4 = swaps(`al/ ance/ ence/ er/ ic/ able/ ible/ ant/ ement/ ment/ ent/ ou/ ism/ ate/ iti/ ous/ ive/ ize/`)
)

func swaps(list string) (out []swap) {
	for rule := range strings.FieldsSeq(list) {
		suffix, with, _ := strings.Cut(rule, "/")
		out = append(out, swap{suffix, with})
	}
	return out
}

// porter stems a word in place. A stem is never longer than its word.
func porter(w []byte) []byte {
	switch n := len(w); {
	case ends(w, "sses"), ends(w, "ies"):
		w = w[:n-2]
	case ends(w, "s") && !ends(w, "ss"):
		w = w[:n-1]
	}
	w = pastAndGerund(w)
	if n := len(w) - 1; w[n] == 'y' && hasVowel(w[:n]) {
		w[n] = 'i'
	}
	w = step(w, step2, 0)
	w = step(w, step3, 0)
	if n := len(w) - 3; !ends(w, "ion") {
		w = step(w, step4, 1)
	} else if n > 0 && (w[n-1] == 's' || w[n-1] == 't') && measure(w[:n]) > 1 {
		w = w[:n]
	}
	if n := len(w) - 1; w[n] == 'e' {
		if m := measure(w[:n]); m > 1 || m == 1 && !shortEnd(w[:n]) {
			w = w[:n]
		}
	}
	if n := len(w) - 1; w[n] == 'l' && double(w) && measure(w) > 1 {
		w = w[:n]
	}
	return w
}

// pastAndGerund is step 1b.
func pastAndGerund(w []byte) []byte {
	n := len(w)
	switch {
	case ends(w, "eed"):
		if measure(w[:n-3]) > 0 {
			return w[:n-1]
		}
		return w
	case ends(w, "ed") && hasVowel(w[:n-2]):
		w = w[:n-2]
	case ends(w, "ing") && hasVowel(w[:n-3]):
		w = w[:n-3]
	default:
		return w
	}
	switch last := w[len(w)-1]; {
	case ends(w, "at") || ends(w, "bl") || ends(w, "iz"):
		return append(w, 'e')
	case double(w) && last != 'l' && last != 's' && last != 'z':
		return w[:len(w)-1]
	case measure(w) == 1 && shortEnd(w):
		return append(w, 'e')
	}
	return w
}

// step applies the first rule whose suffix w has, if what is left before it has
// a measure above min.
func step(w []byte, rules []swap, min int) []byte {
	for _, r := range rules {
		if !ends(w, r.suffix) {
			continue
		}
		if keep := w[:len(w)-len(r.suffix)]; measure(keep) > min {
			return append(keep, r.with...)
		}
		return w
	}
	return w
}

func ends(w []byte, suffix string) bool { return bytes.HasSuffix(w, []byte(suffix)) }

// vowel reports whether the letter at i is one; a y is after a consonant.
func vowel(w []byte, i int) bool {
	switch w[i] {
	case 'a', 'e', 'i', 'o', 'u':
		return true
	case 'y':
		return i > 0 && !vowel(w, i-1)
	}
	return false
}

func hasVowel(w []byte) bool {
	for i := range w {
		if vowel(w, i) {
			return true
		}
	}
	return false
}

// measure counts the vowel runs that a consonant follows: the paper's m.
func measure(w []byte) int {
	m, was := 0, false
	for i := range w {
		now := vowel(w, i)
		if was && !now {
			m++
		}
		was = now
	}
	return m
}

// double is the paper's *d: two equal consonants at the end.
func double(w []byte) bool {
	n := len(w)
	return n > 1 && w[n-1] == w[n-2] && !vowel(w, n-1)
}

// shortEnd is the paper's *o: consonant, vowel, consonant at the end, the last
// not w, x or y.
func shortEnd(w []byte) bool {
	n := len(w)
	if n < 3 || vowel(w, n-1) || !vowel(w, n-2) || vowel(w, n-3) {
		return false
	}
	return w[n-1] != 'w' && w[n-1] != 'x' && w[n-1] != 'y'
}

// stemCache answers nearly every question in prose, where words repeat: it has
// the marked stems of words, nil for a word that is its own stem.
type stemCache map[string][]byte

// maxStems bounds a cache, in words. A full one is emptied.
const maxStems = 4096

// marked gives StemMark and the stem of a word; nil when the word is its own stem
// or is not made of ASCII letters.
func (c stemCache) marked(word []byte) []byte {
	if stem, ok := c[string(word)]; ok || !isPlain(word) {
		return stem
	}
	if len(c) == maxStems {
		clear(c)
	}
	key := string(word)
	marked := append([]byte{StemMark}, word...)
	marked = marked[:1+len(porter(marked[1:]))]
	if string(marked[1:]) == key {
		marked = nil
	}
	c[key] = marked
	return marked
}
