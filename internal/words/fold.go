package words

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold gives the folding alone: lower case, no accents, compatible forms made
// one, marks that only decorate dropped. What is no letter, digit or mark stays
// as it is, except that invalid UTF-8 becomes U+FFFD.
func Fold(s string) string {
	i := 0
	for i < len(s) && asciiLower[s[i]] == s[i] && s[i] < utf8.RuneSelf {
		i++
	}
	if i == len(s) {
		return s
	}
	out := make([]byte, i, len(s)+8)
	copy(out, s[:i])
	for i < len(s) {
		r, w, k := peek(s, i)
		switch {
		case r < utf8.RuneSelf:
			out = append(out, asciiLower[s[i]])
		case k == wide:
			w = clusterEnd(s, i, w) - i
			out = appendCluster(out, s[i:i+w])
		case k&wordy != 0:
			out = appendFold(out, r)
		case k == mark:
			if !isAccent(r) {
				out = utf8.AppendRune(out, r)
			}
		case k == symbol:
			out = utf8.AppendRune(out, unicode.ToLower(r))
		default:
			out = utf8.AppendRune(out, r)
		}
		i += w
	}
	return string(out)
}

// foldTable has the folded form of the common letters that fold to one letter,
// else 0.
var foldTable = func() (t [tableSize]uint16) {
	var buf [32]byte
	for r := range rune(tableSize) {
		if kindTable[r]&wordy == 0 {
			continue
		}
		f := slowFold(buf[:0], r)
		if one, n := utf8.DecodeRune(f); n == len(f) {
			t[r] = uint16(one)
		}
	}
	return t
}()

// appendFold appends the folded form of a letter, digit or number.
func appendFold(dst []byte, r rune) []byte {
	if r < tableSize && foldTable[r] != 0 {
		return utf8.AppendRune(dst, rune(foldTable[r]))
	}
	return slowFold(dst, r)
}

// slowFold decomposes rather than composes: with accents gone the two differ
// only in letters whose marks are kept, and taking a letter apart needs no look
// at its neighbours, which keeps offsets exact.
func slowFold(dst []byte, r rune) []byte {
	var enc [utf8.UTFMax]byte
	n := utf8.EncodeRune(enc[:], r)
	d := norm.NFKD.Properties(enc[:n]).Decomposition()
	if d == nil {
		return appendLower(dst, r)
	}
	at := len(dst)
	for i := 0; i < len(d); {
		c, w := utf8.DecodeRune(d[i:])
		i += w
		switch {
		case unicode.IsMark(c):
			if !isAccent(c) {
				dst = utf8.AppendRune(dst, c)
			}
		case unicode.IsLetter(c) || unicode.IsDigit(c):
			dst = appendLower(dst, c)
		default: // ½ is not 12: what falls apart into more than a word stays whole
			return appendLower(dst[:at], r)
		}
	}
	if len(dst) == at {
		return appendLower(dst, r)
	}
	return dst
}

func appendLower(dst []byte, r rune) []byte {
	r = unicode.ToLower(r)
	if s, ok := apart[r]; ok {
		return append(dst, s...)
	}
	return utf8.AppendRune(dst, r)
}

// apart folds letters that have no decomposition but that people type without
// their stroke, bar or ligature.
var apart = map[rune]string{
	'ß': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'ł': "l", 'đ': "d", 'ð': "d", 'þ': "th",
	'ħ': "h", 'ı': "i", 'ȷ': "j", 'ŧ': "t", 'ŋ': "n", 'ĸ': "k", 'ƒ': "f", 'ƀ': "b", 'ɨ': "i",
	'ς': "σ",
}

// isAccent says which marks are dropped: those of Latin, Greek and Cyrillic,
// the vowel points of Hebrew and Arabic, those set on symbols, and variation
// selectors. Vowel signs that are letters in all but name stay.
func isAccent(r rune) bool {
	switch {
	case 0x300 <= r && r <= 0x36f, 0x1ab0 <= r && r <= 0x1aff, 0x1dc0 <= r && r <= 0x1dff,
		0x20d0 <= r && r <= 0x20ff, 0xfe20 <= r && r <= 0xfe2f,
		0x591 <= r && r <= 0x5c7, 0x64b <= r && r <= 0x65f, r == 0x670:
		return true
	}
	return isVariation(r)
}

func isVariation(r rune) bool {
	return 0xfe00 <= r && r <= 0xfe0f || 0xe0100 <= r && r <= 0xe01ef
}
