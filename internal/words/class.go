package words

import (
	"unicode"
	"unicode/utf8"
)

// kind is what a character is to the scanner. Letters and digits are bits, so
// that a run of them can be summed up.
type kind uint8

const (
	lower kind = 1 << iota // also letters of scripts without case
	upper                  // also title case
	digit                  // also other numbers
	mark                   // combining or invisible: belongs to the character before it
	wide                   // of a script written without blanks
	symbol
	blank kind = 0 // separates and is no token

	wordy = lower | upper | digit
)

// tableSize ends the alphabets looked up in tables: Latin with most of its
// extensions, Greek, Cyrillic.
const tableSize = 0x530

var kindTable = func() (t [tableSize]kind) {
	for r := range rune(tableSize) {
		t[r] = slowKind(r)
	}
	return t
}()

// ascii has the kinds of single bytes; asciiLower folds them.
var ascii, asciiLower = func() (k [256]kind, low [256]byte) {
	for c := range rune(utf8.RuneSelf) {
		k[c], low[c] = kindTable[c], byte(unicode.ToLower(c))
	}
	return k, low
}()

// peek decodes the character at i and says what it is; width 0 at the end.
// Invalid bytes decode to U+FFFD, a blank.
func peek(text string, i int) (r rune, width int, k kind) {
	if i >= len(text) {
		return 0, 0, blank
	}
	if c := text[i]; c < utf8.RuneSelf {
		return rune(c), 1, ascii[c]
	}
	r, width = utf8.DecodeRuneInString(text[i:])
	return r, width, kindOf(r)
}

func kindOf(r rune) kind {
	switch {
	case r < tableSize:
		return kindTable[r]
	case isCommonWide(r):
		return wide
	}
	return slowKind(r)
}

func slowKind(r rune) kind {
	switch {
	case r == utf8.RuneError || r == '\ufffc': // the image placeholder is no word
		return blank
	case unicode.IsLetter(r) && unicode.In(r, wideScripts...) || r == 'ー' || r == 'ｰ' || r == '〇':
		return wide
	case unicode.IsUpper(r) || unicode.IsTitle(r):
		return upper
	case unicode.IsLetter(r):
		return lower
	case unicode.IsNumber(r):
		return digit
	case unicode.IsMark(r) || isJoiner(r):
		return mark
	case isSymbol(r):
		return symbol
	}
	return blank
}

// wideScripts set no blanks between words, or stick endings to them: only
// characters and pairs let a word be found inside a sentence.
var wideScripts = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo}

// isCommonWide has most characters of these, and only such that no normalisation
// changes.
func isCommonWide(r rune) bool {
	return 0x4e00 <= r && r <= 0x9fff || 0x3041 <= r && r <= 0x3096 || 0x30a1 <= r && r <= 0x30fa || 0xac00 <= r && r <= 0xd7a3
}

// isJoiner has the soft hyphen and what else stands invisibly inside words.
func isJoiner(r rune) bool {
	return r == 0xad || r == 0x200c || r == 0x200d || r == 0x2060 || r == 0xfeff
}

// isSymbol takes what people would look for. Lines, blocks and Braille frames
// of terminal output are left out: they are drawn by the thousand, nobody asks
// for them, and words in neighbouring cells should stay neighbours.
func isSymbol(r rune) bool {
	switch {
	case 0x2500 <= r && r <= 0x259f, 0x2800 <= r && r <= 0x28ff, 0x1f3fb <= r && r <= 0x1f3ff: // the last are skin tones
		return false
	case 0x1f300 <= r && r <= 0x1faff: // emoji newer than Go's tables too
		return true
	}
	return unicode.Is(unicode.So, r)
}

// isFlag reports whether a character is one half of a flag.
func isFlag(r rune) bool { return 0x1f1e6 <= r && r <= 0x1f1ff }
