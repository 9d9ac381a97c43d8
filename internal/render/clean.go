package render

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxMarks bounds the combining marks on one character. No script needs as many;
// towers of them paint over the neighbouring rows.
const maxMarks = 12

// tabText is what a tab becomes in running text. A fixed width keeps indentation
// readable and never depends on the column.
const tabText = "    "

// Clean makes text safe for one row of a terminal, whatever it holds. Line ends
// and tabs become a blank. Control characters, escape sequences among them, lose
// their power but stay visible as control pictures (␛ for ESC); characters that
// reorder or hide text are written out as <U+202E>; zero-width blanks go; invalid
// UTF-8 becomes U+FFFD. The result holds no byte below 0x20, no DEL, and no C1
// control.
func Clean(s string) string { return clean(s, false) }

// CleanLines does what Clean does but keeps line feeds, for text of several rows.
// Other line ends become line feeds, and tabs four blanks.
func CleanLines(s string) string { return clean(s, true) }

func clean(s string, lines bool) string {
	i := plainPrefix(s)
	if i == len(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	b.WriteString(s[:i])
	c := cleaner{out: &b, lines: lines}
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == '\r' && i+1 < len(s) && s[i+1] == '\n' {
			n = 2
			r = '\n'
		}
		c.put(r, n == 1 && r == utf8.RuneError)
		i += n
	}
	return b.String()
}

// plainPrefix is the length of the beginning that is printable ASCII.
func plainPrefix(s string) int {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] > '~' {
			return i
		}
	}
	return len(s)
}

type cleaner struct {
	out   *strings.Builder
	lines bool
	marks int  // combining marks written since the last base character
	flag  bool // inside the tag sequence of a flag such as Scotland's
}

func (c *cleaner) put(r rune, invalid bool) {
	inFlag := c.flag
	c.flag = r == blackFlag || inFlag && isTag(r)
	switch {
	case r < 0x7f && r >= ' ':
		c.marks = 0
		c.out.WriteRune(r)
	case r < ' ' || r == 0x2028 || r == 0x2029 || r == 0x85:
		c.control(r)
	case r == 0x7f:
		c.out.WriteRune('␡')
	case invalid:
		c.out.WriteRune(utf8.RuneError)
	case isTag(r) && inFlag:
		c.out.WriteRune(r)
	case hidden(r):
	case powerful(r):
		fmt.Fprintf(c.out, "<U+%04X>", r)
	case r >= 0x300 && unicode.In(r, unicode.Mn, unicode.Me):
		if c.marks++; c.marks <= maxMarks {
			c.out.WriteRune(r)
		}
	default:
		c.marks = 0
		c.out.WriteRune(r)
	}
}

// control writes a C0 control or a line end.
func (c *cleaner) control(r rune) {
	c.marks = 0
	switch {
	case r == '\n' || r >= 0x85:
		if c.lines {
			c.out.WriteByte('\n')
		} else {
			c.out.WriteByte(' ')
		}
	case r == '\t' && c.lines:
		c.out.WriteString(tabText)
	case r == '\t':
		c.out.WriteByte(' ')
	default:
		c.out.WriteRune('␀' + r)
	}
}

const blackFlag = 0x1F3F4

// isTag reports the invisible copies of ASCII. They belong into flags only;
// elsewhere they smuggle text past a reader.
func isTag(r rune) bool { return 0xE0000 <= r && r <= 0xE007F }

// hidden reports characters without width that change nothing when left out.
// The joiners U+200C and U+200D stay, since emoji and Persian need them, and so
// do the marks U+200E and U+200F, which reorder nothing but blanks and signs.
func hidden(r rune) bool { return r == 0x200B || r == 0x2060 || r == 0xFEFF || r == 0xAD }

// powerful reports characters that reorder, hide or break what stands around
// them: C1 controls, bidirectional overrides and isolates, deprecated format
// characters, annotations, stray tags, noncharacters.
func powerful(r rune) bool {
	switch {
	case r < 0xA0:
		return r >= 0x80
	case 0x202A <= r && r <= 0x202E, 0x2061 <= r && r <= 0x206F, 0xFFF0 <= r && r <= 0xFFFB:
		return true
	case isTag(r), r&0xFFFE == 0xFFFE, 0xFDD0 <= r && r <= 0xFDEF:
		return true
	}
	return r == 0x061C || r == 0x180E
}
