package pi

import (
	"bytes"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// skipString passes over the rest of a string whose opening quote was taken.
func (s *scanner) skipString() bool {
	for {
		s.pos += plain(s.buf[s.pos:])
		if s.pos == len(s.buf) {
			if !s.more() {
				return false
			}
			continue
		}
		c := s.buf[s.pos]
		s.pos++
		if c != '\\' {
			return c == '"' // else a raw control character
		}
		if c, _ = s.take(); c == 'u' {
			if _, ok := s.hex(); !ok {
				return false
			}
		} else if simple[c] == 0 {
			return false
		}
	}
}

// str decodes the rest of a string whose opening quote was taken. Lone surrogates
// become U+FFFD; invalid UTF-8 stays, see text.
func (s *scanner) str() ([]byte, bool) {
	n := plain(s.buf[s.pos:])
	if at := s.pos + n; at < len(s.buf) && s.buf[at] == '"' {
		b := s.buf[s.pos:at]
		s.pos = at + 1
		return b, true
	}
	s.tmp, s.halfAt = s.tmp[:0], 0
	for {
		n := plain(s.buf[s.pos:])
		s.tmp = append(s.tmp, s.buf[s.pos:s.pos+n]...)
		s.pos += n
		switch c, ok := s.take(); {
		case !ok || c < 0x20:
			return nil, false
		case c == '"':
			return s.tmp, true
		case c != '\\':
			s.tmp = append(s.tmp, c) // the first of another chunk
		case !s.escape():
			return nil, false
		}
	}
}

// simple maps the letter of a two-byte escape to what it stands for.
var simple = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escape decodes what follows a backslash. Half a surrogate pair is written as
// U+FFFD; a second half right behind the first replaces that.
func (s *scanner) escape() bool {
	c, _ := s.take()
	if r := simple[c]; r != 0 {
		s.tmp = append(s.tmp, r)
		return true
	}
	if c != 'u' {
		return false
	}
	r, ok := s.hex()
	if pair := utf16.DecodeRune(s.half, r); pair != utf8.RuneError && s.halfAt == len(s.tmp) && s.halfAt > 0 {
		s.tmp = utf8.AppendRune(s.tmp[:len(s.tmp)-len("\uFFFD")], pair)
		return ok
	}
	s.tmp = utf8.AppendRune(s.tmp, r)
	s.half, s.halfAt = r, len(s.tmp)
	return ok
}

// hex takes the four digits of a \u escape.
func (s *scanner) hex() (rune, bool) {
	var r rune
	for range 4 {
		switch c, _ := s.take(); {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

// text decodes the rest of a string into valid UTF-8.
func (s *scanner) text() (string, bool) {
	b, ok := s.str()
	if !ok {
		return "", false
	}
	return s.keep(s.mend(b)), true
}

// keep makes a string of b. Short ones, like ids and names, share memory; texts do
// not, so that keeping one text keeps no others.
func (s *scanner) keep(b []byte) string {
	if len(b) > 64 {
		return string(b)
	}
	if s.short.Cap()-s.short.Len() < len(b) {
		s.short = strings.Builder{}
		s.short.Grow(1 << 10)
	}
	from := s.short.Len()
	s.short.Write(b)
	return s.short.String()[from:]
}

// mend replaces invalid UTF-8 by U+FFFD.
func (s *scanner) mend(b []byte) []byte {
	if utf8.Valid(b) {
		return b
	}
	s.sick = true
	return bytes.ToValidUTF8(b, []byte("\uFFFD"))
}
