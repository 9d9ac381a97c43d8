package archive

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// maxDepth bounds how deeply values that are passed over may be nested.
const maxDepth = 64

// scanner reads JSON text of one record. It exists beside encoding/json because
// a rebuilt index reads every archive, and because field names must match
// exactly. The first fault is kept; after it every method returns at once.
type scanner struct {
	b   []byte
	i   int
	err error
}

func (s *scanner) fail(what string) {
	if s.err == nil {
		s.err = damaged("%s at byte %d", what, s.i)
		s.i = len(s.b)
	}
}

func (s *scanner) space() {
	for s.i < len(s.b) {
		switch s.b[s.i] {
		case ' ', '\n', '\t', '\r':
			s.i++
		default:
			return
		}
	}
}

// peek returns the next byte that is not white space, 0 at the end.
func (s *scanner) peek() byte {
	s.space()
	if s.i < len(s.b) {
		return s.b[s.i]
	}
	return 0
}

// take passes over c and reports whether it stood there.
func (s *scanner) take(c byte) bool {
	if s.peek() != c || s.i >= len(s.b) {
		return false
	}
	s.i++
	return true
}

func (s *scanner) word(w string) bool {
	s.space()
	if !bytes.HasPrefix(s.b[s.i:], []byte(w)) {
		return false
	}
	s.i += len(w)
	return true
}

// object calls field for every member; field must read the value. It ends early
// when field returns false.
func (s *scanner) object(field func(name []byte) bool) {
	if !s.take('{') {
		s.fail("an object is missing")
		return
	}
	if s.take('}') {
		return
	}
	for s.err == nil {
		name, _ := s.quoted() // no name we know needs an escape
		if !s.take(':') {
			s.fail("a colon is missing")
			return
		}
		if !field(name) {
			return
		}
		if s.take('}') {
			return
		}
		if !s.take(',') {
			s.fail("a comma is missing")
		}
	}
}

// array calls item for every element; item must read it. null has none.
func (s *scanner) array(item func()) {
	if s.word("null") {
		return
	}
	if !s.take('[') {
		s.fail("a list is missing")
		return
	}
	if s.take(']') {
		return
	}
	for s.err == nil {
		item()
		if s.take(']') {
			return
		}
		if !s.take(',') {
			s.fail("a comma is missing")
		}
	}
}

func (s *scanner) strings() []string {
	var list []string
	s.array(func() { list = append(list, s.text()) })
	return list
}

func (s *scanner) bool() bool {
	switch {
	case s.word("true"):
		return true
	case s.word("false"), s.word("null"):
	default:
		s.fail("true or false is missing")
	}
	return false
}

// int reads a whole number. Fractions and exponents are faults.
func (s *scanner) int() int {
	s.space()
	start := s.i
	s.number()
	n, err := strconv.Atoi(string(s.b[min(start, len(s.b)):s.i]))
	if err != nil {
		s.fail("a whole number is missing")
	}
	return n
}

// textOrNull reads a string; null gives "".
func (s *scanner) textOrNull() string {
	if s.word("null") {
		return ""
	}
	return s.text()
}

// text reads a string. Bytes that are not UTF-8 and halves of surrogate pairs
// become U+FFFD.
func (s *scanner) text() string {
	raw, plain := s.quoted()
	if plain && utf8.Valid(raw) {
		return string(raw)
	}
	return unquote(raw)
}

// quoted passes over a string and returns what stands between the quotes; plain
// says that there is no escape in it. Escapes are checked here.
func (s *scanner) quoted() (raw []byte, plain bool) {
	if !s.take('"') {
		s.fail("a string is missing")
		return nil, true
	}
	start := s.i
	plain = true
	for s.i < len(s.b) {
		c := s.b[s.i]
		if !special[c] {
			s.i++
			continue
		}
		switch {
		case c == '"':
			s.i++
			return s.b[start : s.i-1], plain
		case c != '\\':
			s.fail("a control character stands in a string")
			return nil, true
		case !s.escape():
			s.fail("a string holds a bad escape")
			return nil, true
		}
		plain = false
	}
	s.fail("a string does not end")
	return nil, true
}

func (s *scanner) escape() bool {
	if s.i+1 >= len(s.b) {
		return false
	}
	switch s.b[s.i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		s.i += 2
		return true
	case 'u':
		if _, ok := hex4(s.b[s.i:]); ok {
			s.i += 6
			return true
		}
	}
	return false
}

// hex4 reads \uXXXX at the beginning of b.
func hex4(b []byte) (rune, bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	var r rune
	for _, c := range b[2:6] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// unquote resolves the checked escapes of raw.
func unquote(raw []byte) string {
	out := make([]byte, 0, len(raw))
	for len(raw) > 0 {
		stop := bytes.IndexByte(raw, '\\')
		if stop < 0 {
			stop = len(raw)
		}
		out = append(out, raw[:stop]...)
		raw = raw[stop:]
		if len(raw) == 0 {
			break
		}
		if raw[1] != 'u' {
			out = append(out, plainEscape(raw[1]))
			raw = raw[2:]
			continue
		}
		r, _ := hex4(raw)
		raw = raw[6:]
		if utf16.IsSurrogate(r) {
			low, ok := hex4(raw)
			r = utf16.DecodeRune(r, low)
			if ok && r != utf8.RuneError {
				raw = raw[6:]
			}
		}
		out = utf8.AppendRune(out, r)
	}
	if !utf8.Valid(out) {
		out = bytes.ToValidUTF8(out, []byte("\uFFFD"))
	}
	return string(out)
}

func plainEscape(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c
}
