package words

import (
	"unicode"
	"unicode/utf8"
)

// kind is what a character is to the scanner. Letters and digits are bits, so
// that a run of them can be summed up.
type kind uint8

const (
	lower  kind = 1 << iota // also letters of scripts without case
	upper                   // also title case
	digit                   // also other numbers
	mark                    // combining: belongs to the character before it
	joiner                  // invisible inside words, a separator elsewhere
	wide                    // of a script written without blanks
	symbol
	blank kind = 0 // separates and is no token

	wordy = lower | upper | digit
)

// ascii has the kinds of single bytes; asciiLower folds them.
var ascii, asciiLower = func() (k [256]kind, low [256]byte) {
	for i := range 256 {
		c := byte(i)
		low[i] = c
		switch {
		case 'a' <= c && c <= 'z':
			k[i] = lower
		case 'A' <= c && c <= 'Z':
			k[i] = upper
			low[i] = c | 0x20
		case '0' <= c && c <= '9':
			k[i] = digit
		}
	}
	return k, low
}()

// tableSize ends the alphabets looked up in tables: Latin with most of its
// extensions, Greek, Cyrillic.
const tableSize = 0x530

var kindTable = func() (t [tableSize]kind) {
	for r := range rune(tableSize) {
		t[r] = slowKind(r)
	}
	return t
}()

// kindOf classifies a character. Invalid bytes decode to U+FFFD, a blank.
func kindOf(r rune) kind {
	switch {
	case r < tableSize:
		return kindTable[r]
	case 0x4e00 <= r && r <= 0x9fff || 0xac00 <= r && r <= 0xd7a3:
		return wide
	}
	return slowKind(r)
}

func slowKind(r rune) kind {
	switch {
	case r == utf8.RuneError || r == '\ufffc': // the image placeholder is no word
		return blank
	case r == 0xad || r == 0x200c || r == 0x200d || r == 0x2060 || r == 0xfeff:
		return joiner
	case isWide(r):
		return wide
	case unicode.IsUpper(r) || unicode.IsTitle(r):
		return upper
	case unicode.IsLetter(r):
		return lower
	case unicode.IsNumber(r):
		return digit
	case unicode.IsMark(r):
		return mark
	case isSymbol(r):
		return symbol
	}
	return blank
}

// wideTable is Han, bopomofo, kana, hangul, and the scripts of South-East Asia
// that set no blanks between words either: there, too, only characters and
// pairs let a word be found inside a sentence.
var wideTable = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x0e01, Hi: 0x0e30, Stride: 1}, {Lo: 0x0e32, Hi: 0x0e33, Stride: 1}, {Lo: 0x0e40, Hi: 0x0e46, Stride: 1}, // Thai
		{Lo: 0x0e81, Hi: 0x0eb0, Stride: 1}, {Lo: 0x0eb2, Hi: 0x0eb3, Stride: 1}, {Lo: 0x0ebd, Hi: 0x0ec6, Stride: 1}, {Lo: 0x0edc, Hi: 0x0edf, Stride: 1}, // Lao
		{Lo: 0x1000, Hi: 0x102a, Stride: 1}, {Lo: 0x103f, Hi: 0x103f, Stride: 1}, {Lo: 0x1050, Hi: 0x1055, Stride: 1}, // Myanmar
		{Lo: 0x1100, Hi: 0x11ff, Stride: 1}, // hangul jamo
		{Lo: 0x1780, Hi: 0x17b3, Stride: 1}, // Khmer
		{Lo: 0x3005, Hi: 0x3007, Stride: 1}, {Lo: 0x3031, Hi: 0x3035, Stride: 1}, {Lo: 0x303b, Hi: 0x303c, Stride: 1},
		{Lo: 0x3041, Hi: 0x3096, Stride: 1}, {Lo: 0x309d, Hi: 0x309f, Stride: 1}, {Lo: 0x30a1, Hi: 0x30fa, Stride: 1}, {Lo: 0x30fc, Hi: 0x30ff, Stride: 1},
		{Lo: 0x3105, Hi: 0x312f, Stride: 1}, {Lo: 0x3131, Hi: 0x318e, Stride: 1}, {Lo: 0x31a0, Hi: 0x31bf, Stride: 1}, {Lo: 0x31f0, Hi: 0x31ff, Stride: 1},
		{Lo: 0x3400, Hi: 0x4dbf, Stride: 1}, {Lo: 0x4e00, Hi: 0x9fff, Stride: 1}, {Lo: 0xa960, Hi: 0xa97c, Stride: 1},
		{Lo: 0xac00, Hi: 0xd7a3, Stride: 1}, {Lo: 0xd7b0, Hi: 0xd7fb, Stride: 1}, {Lo: 0xf900, Hi: 0xfaff, Stride: 1},
		{Lo: 0xff66, Hi: 0xff9f, Stride: 1}, {Lo: 0xffa1, Hi: 0xffdc, Stride: 1},
	},
	R32: []unicode.Range32{{Lo: 0x1aff0, Hi: 0x1b16f, Stride: 1}, {Lo: 0x20000, Hi: 0x3ffff, Stride: 1}},
}

func isWide(r rune) bool { return r >= 0x0e01 && unicode.Is(wideTable, r) }

// isSymbol takes what people would look for. Lines, blocks and Braille frames
// of terminal output are left out: they are drawn by the thousand, nobody asks
// for them, and words in neighbouring cells should stay neighbours.
func isSymbol(r rune) bool {
	switch {
	case 0x2500 <= r && r <= 0x259f || 0x2800 <= r && r <= 0x28ff:
		return false
	case 0x1f3fb <= r && r <= 0x1f3ff: // skin tones
		return false
	case 0x1f300 <= r && r <= 0x1faff: // emoji newer than Go's tables too
		return true
	}
	return unicode.Is(unicode.So, r)
}

// isFlag reports whether a character is one half of a flag.
func isFlag(r rune) bool { return 0x1f1e6 <= r && r <= 0x1f1ff }

// peek decodes the character at i and says what it is; width 0 at the end.
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
