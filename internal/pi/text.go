package pi

import (
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

func lowest(mask uint64) int { return bits.TrailingZeros64(mask) / 8 }

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
		if c == '"' {
			return true
		}
		if c != '\\' {
			return false // a raw control character
		}
		if c, ok := s.take(); !ok || simple[c] == 0 && (c != 'u' || !s.skipHex()) {
			return false
		}
	}
}

func (s *scanner) skipHex() bool {
	_, ok := s.hex()
	return ok
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
	s.tmp = s.tmp[:0]
	var high rune // a first half of a surrogate pair that waits for its second
	for {
		n := plain(s.buf[s.pos:])
		if n > 0 {
			s.settle(&high)
			s.tmp = append(s.tmp, s.buf[s.pos:s.pos+n]...)
			s.pos += n
		}
		if s.pos == len(s.buf) {
			if !s.more() {
				return nil, false
			}
			continue
		}
		c := s.buf[s.pos]
		s.pos++
		if c == '"' {
			s.settle(&high)
			return s.tmp, true
		}
		if c != '\\' || !s.escape(&high) {
			return nil, false
		}
	}
}

// settle writes a first half that found no second one.
func (s *scanner) settle(high *rune) {
	if *high != 0 {
		s.tmp = utf8.AppendRune(s.tmp, utf8.RuneError)
		*high = 0
	}
}

// simple maps the letter of a two-byte escape to what it stands for.
var simple = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escape decodes what follows a backslash.
func (s *scanner) escape(high *rune) bool {
	c, ok := s.take()
	if !ok {
		return false
	}
	if r := simple[c]; r != 0 {
		s.settle(high)
		s.tmp = append(s.tmp, r)
		return true
	}
	if c != 'u' {
		return false
	}
	r, ok := s.hex()
	if !ok {
		return false
	}
	if *high != 0 && r >= 0xDC00 && r <= 0xDFFF {
		s.tmp = utf8.AppendRune(s.tmp, utf16.DecodeRune(*high, r))
		*high = 0
		return true
	}
	s.settle(high)
	if r >= 0xD800 && r <= 0xDBFF {
		*high = r
		return true
	}
	s.tmp = utf8.AppendRune(s.tmp, r) // a lone second half becomes U+FFFD here
	return true
}

// hex takes the four digits of a \u escape.
func (s *scanner) hex() (rune, bool) {
	var r rune
	for range 4 {
		c, ok := s.take()
		if !ok {
			return 0, false
		}
		switch {
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
	if !utf8.Valid(b) {
		s.sick = true
		b = mend(b)
	}
	if len(b) > maxShared {
		return string(b), true
	}
	return s.short.add(b), true
}

// mend replaces invalid UTF-8 by U+FFFD, one for each cut sequence, as browsers
// and Node do, so that texts agree with what Pi itself shows.
func mend(b []byte) []byte {
	out := make([]byte, 0, len(b)+8)
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n == 1 {
			n = cutLen(b)
			out = append(out, "\uFFFD"...)
		} else {
			out = append(out, b[:n]...)
		}
		b = b[n:]
	}
	return out
}

// cutLen is how many bytes at the start of b, which is invalid there, could have
// begun a character; at least 1.
func cutLen(b []byte) int {
	low, high, want := byte(0x80), byte(0xBF), 0
	switch c := b[0]; {
	case c >= 0xC2 && c <= 0xDF:
		want = 1
	case c >= 0xE0 && c <= 0xEF:
		want = 2
		if c == 0xE0 {
			low = 0xA0
		}
		if c == 0xED {
			high = 0x9F
		}
	case c >= 0xF0 && c <= 0xF4:
		want = 3
		if c == 0xF0 {
			low = 0x90
		}
		if c == 0xF4 {
			high = 0x8F
		}
	}
	n := 1
	for n < len(b) && n <= want && b[n] >= low && b[n] <= high {
		n++
		low, high = 0x80, 0xBF
	}
	return n
}
