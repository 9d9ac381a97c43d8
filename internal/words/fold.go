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
	out := make([]byte, 0, len(s)+8)
	for i := 0; i < len(s); {
		r, w, k := peek(s, i)
		switch {
		case k == wide:
			w = clusterEnd(s, i) - i
			out = appendCluster(out, s[i:i+w])
		case k&wordy != 0:
			out = appendFold(out, r)
		case k == mark && isAccent(r):
		default:
			out = utf8.AppendRune(out, unicode.ToLower(r)) // some symbols have cases
		}
		i += w
	}
	return string(out)
}

// foldTable has the folded form of the common letters that fold to one letter,
// else 0.
var foldTable = func() (t [tableSize]uint16) {
	for r := range rune(tableSize) {
		if kindTable[r]&wordy == 0 {
			continue
		}
		f := slowFold(nil, r)
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
	d := norm.NFKD.Properties(enc[:utf8.EncodeRune(enc[:], r)]).Decomposition()
	at := len(dst)
	for i := 0; i < len(d); {
		c, w := utf8.DecodeRune(d[i:])
		i += w
		switch {
		case unicode.IsLetter(c) || unicode.IsDigit(c):
			dst = appendLower(dst, c)
		case !unicode.IsMark(c): // ½ is not 12: what falls apart into more than a word stays whole
			return appendLower(dst[:at], r)
		case !isAccent(c):
			dst = utf8.AppendRune(dst, c)
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
// the vowel points of Hebrew and Arabic, those set on symbols, variation selectors
// and joiners. Vowel signs that are letters in all but name stay.
func isAccent(r rune) bool {
	return 0x300 <= r && r <= 0x36f || 0x1ab0 <= r && r <= 0x1aff || 0x1dc0 <= r && r <= 0x1dff || 0x20d0 <= r && r <= 0x20ff ||
		0xfe00 <= r && r <= 0xfe0f || 0xfe20 <= r && r <= 0xfe2f || 0xe0100 <= r && r <= 0xe01ef ||
		0x591 <= r && r <= 0x5c7 || 0x64b <= r && r <= 0x65f || r == 0x670 || isJoiner(r)
}

// maxCluster bounds a character with its marks, in bytes: what is piled up
// beyond it is skipped as marks on nothing.
const maxCluster = 48

// clusterEnd gives the end of the wide character at i with what belongs to it:
// marks, the rest of a syllable spelled in jamo, the voice mark of half-width kana.
func clusterEnd(text string, i int) int {
	_, w := utf8.DecodeRuneInString(text[i:])
	end := i + w
	for end < len(text) && end-i < maxCluster {
		c := text[end]
		if c < 0xcc || 0xe4 <= c && c <= 0xe9 { // below U+0300, and Han: nothing that clings
			return end
		}
		r, w := utf8.DecodeRuneInString(text[end:])
		if !(0x1160 <= r && r <= 0x11ff || r == 0xff9e || r == 0xff9f || kindOf(r) == mark) {
			return end
		}
		end += w
	}
	return end
}

// appendCluster appends the folded form of such a character. Syllables and kana
// are composed, not taken apart: a character must stay one.
func appendCluster(dst []byte, s string) []byte {
	r, w := utf8.DecodeRuneInString(s)
	if w == len(s) && isCommonWide(r) {
		return append(dst, s...)
	}
	at := len(dst)
	dst = norm.NFKC.AppendString(dst, s)
	out := dst[:at]
	for i := at; i < len(dst); {
		r, w := utf8.DecodeRune(dst[i:])
		if !isAccent(r) {
			out = append(out, dst[i:i+w]...)
		}
		i += w
	}
	return out
}
