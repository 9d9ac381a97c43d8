package words

import "bytes"

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
	var buf [MaxToken]byte
	if stem := porter(append(buf[:0], word...)); string(stem) != word {
		return string(stem)
	}
	return word
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
type swap struct {
	suffix, with string
}

// The paper's steps 2 to 4, by the letter before the last, longer suffixes
// before those they end in. No other suffix of the same step can match.
var (
	step2 = map[byte][]swap{
		'a': {{"ational", "ate"}, {"tional", "tion"}},
		'c': {{"enci", "ence"}, {"anci", "ance"}},
		'e': {{"izer", "ize"}},
		'l': {{"abli", "able"}, {"alli", "al"}, {"entli", "ent"}, {"eli", "e"}, {"ousli", "ous"}},
		'o': {{"ization", "ize"}, {"ation", "ate"}, {"ator", "ate"}},
		's': {{"alism", "al"}, {"iveness", "ive"}, {"fulness", "ful"}, {"ousness", "ous"}},
		't': {{"aliti", "al"}, {"iviti", "ive"}, {"biliti", "ble"}},
	}
	step3 = map[byte][]swap{
		't': {{"icate", "ic"}, {"iciti", "ic"}},
		'v': {{"ative", ""}},
		'z': {{"alize", "al"}},
		'a': {{"ical", "ic"}},
		'u': {{"ful", ""}},
		's': {{"ness", ""}},
	}
	step4 = map[byte][]swap{
		'a': {{"al", ""}},
		'c': {{"ance", ""}, {"ence", ""}},
		'e': {{"er", ""}},
		'i': {{"ic", ""}},
		'l': {{"able", ""}, {"ible", ""}},
		'n': {{"ant", ""}, {"ement", ""}, {"ment", ""}, {"ent", ""}},
		'o': {{"ou", ""}},
		's': {{"ism", ""}},
		't': {{"ate", ""}, {"iti", ""}},
		'u': {{"ous", ""}},
		'v': {{"ive", ""}},
		'z': {{"ize", ""}},
	}
)

// porter stems a word in place. A stem is never longer than its word.
func porter(w []byte) []byte {
	w = plurals(w)
	w = pastAndGerund(w)
	if n := len(w) - 1; w[n] == 'y' && hasVowel(w[:n]) {
		w[n] = 'i'
	}
	w = step(w, step2, 0)
	w = step(w, step3, 0)
	if ends(w, "ion") {
		w = dropIon(w)
	} else {
		w = step(w, step4, 1)
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

// plurals is step 1a.
func plurals(w []byte) []byte {
	n := len(w)
	switch {
	case w[n-1] != 's' || ends(w, "ss") && !ends(w, "sses"):
		return w
	case ends(w, "sses"), ends(w, "ies"):
		return w[:n-2]
	}
	return w[:n-1]
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

// step applies the one rule whose suffix w has, if what is left before it has a
// measure above min.
func step(w []byte, rules map[byte][]swap, min int) []byte {
	if len(w) < 3 {
		return w
	}
	for _, r := range rules[w[len(w)-2]] {
		if !ends(w, r.suffix) {
			continue
		}
		keep := len(w) - len(r.suffix)
		if measure(w[:keep]) <= min {
			return w
		}
		return append(w[:keep], r.with...)
	}
	return w
}

// dropIon is the rule of step 4 that also asks for an s or t before the suffix.
func dropIon(w []byte) []byte {
	n := len(w) - 3
	if n > 0 && (w[n-1] == 's' || w[n-1] == 't') && measure(w[:n]) > 1 {
		return w[:n]
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
		now := w[i] == 'a' || w[i] == 'e' || w[i] == 'i' || w[i] == 'o' || w[i] == 'u' || w[i] == 'y' && i > 0 && !was
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
