package pi

import (
	"encoding/binary"
	"math/bits"
	"strings"
)

// maxDepth bounds the nesting of arrays and objects that are passed over, so that
// a hostile line costs no memory.
const maxDepth = 10_000

// chunks hands out the rest of a line that is too long to be held in one piece.
type chunks interface {
	chunk() []byte // valid until the next call; empty at the end
}

// scanner is a strict JSON pull parser over the bytes of one line. It takes what
// JSON.parse takes, but for the depth. Byte slices it returns are valid until the
// next call.
type scanner struct {
	buf    []byte
	pos    int
	base   int64  // bytes of the line that came before buf
	src    chunks // where more of the line comes from; nil when buf is all of it
	tmp    []byte
	stack  []byte
	half   rune // what the \u escape said whose character ends at tmp[:halfAt]
	halfAt int
	short  strings.Builder // see keep
	sick   bool            // a decoded string held invalid UTF-8
}

// line points the scanner at a line that is wholly in memory.
func (s *scanner) line(b []byte) {
	s.buf, s.pos, s.base, s.src, s.sick = b, 0, 0, nil, false
}

// at is the position in the line.
func (s *scanner) at() int64 { return s.base + int64(s.pos) }

func (s *scanner) more() bool {
	if s.src == nil {
		return false
	}
	s.base += int64(len(s.buf))
	s.buf, s.pos = s.src.chunk(), 0
	return len(s.buf) > 0
}

// peek passes over white space and returns the next byte without taking it; 0 at
// the end of the line.
func (s *scanner) peek() byte {
	for {
		for s.pos < len(s.buf) {
			if c := s.buf[s.pos]; c != ' ' && c != '\t' && c != '\r' {
				return c
			}
			s.pos++
		}
		if !s.more() {
			return 0
		}
	}
}

// take returns the next byte, white space included.
func (s *scanner) take() (byte, bool) {
	if s.pos == len(s.buf) && !s.more() {
		return 0, false
	}
	s.pos++
	return s.buf[s.pos-1], true
}

// step is what a walk over an object or array comes to next.
type step uint8

const (
	broken step = iota
	member
	end
)

// next leads to the next member of an object or array whose opening brace was
// taken.
func (s *scanner) next(first bool, closing byte) step {
	c := s.peek()
	if c == closing {
		s.pos++
		return end
	}
	if first {
		return member
	}
	if c != ',' {
		return broken
	}
	s.pos++
	return member
}

// key returns the next key of an object and leaves the scanner at its value.
func (s *scanner) key(first bool) ([]byte, step) {
	if st := s.next(first, '}'); st != member {
		return nil, st
	}
	if s.peek() != '"' {
		return nil, broken
	}
	s.pos++
	k, ok := s.str()
	if !ok {
		return nil, broken
	}
	if s.pos == len(s.buf) || s.buf[s.pos] != ':' {
		s.tmp = append(s.tmp[:0], k...) // aside, since more of the line may be fetched
		k = s.tmp
		if s.peek() != ':' {
			return nil, broken
		}
	}
	s.pos++
	return k, member
}

// object hands the keys of the object the scanner stands at to field, which takes
// their values. Another value is passed over.
func (s *scanner) object(field func(key []byte) bool) bool {
	if s.peek() != '{' {
		return s.skip()
	}
	s.pos++
	for first := true; ; first = false {
		k, st := s.key(first)
		if st != member {
			return st == end
		}
		if !field(k) {
			return false
		}
	}
}

// skip passes over one value.
func (s *scanner) skip() bool {
	switch c := s.peek(); c {
	case '"':
		s.pos++
		return s.skipString()
	case '{', '[':
		return s.skipNest()
	case 't':
		return s.word("true")
	case 'f':
		return s.word("false")
	case 'n':
		return s.word("null")
	default:
		_, ok := s.number()
		return ok
	}
}

// skipNest passes over an object or array with a stack of its own, since nesting
// is as deep as the writer of the line likes.
func (s *scanner) skipNest() bool {
	s.stack = append(s.stack[:0], s.buf[s.pos])
	s.pos++
	first := true
	for len(s.stack) > 0 {
		var st step
		if s.stack[len(s.stack)-1] == '{' {
			_, st = s.key(first)
		} else {
			st = s.next(first, ']')
		}
		first = false
		if st == broken {
			return false
		}
		if st == end {
			s.stack = s.stack[:len(s.stack)-1]
			continue
		}
		if c := s.peek(); c == '{' || c == '[' {
			if len(s.stack) == maxDepth {
				return false
			}
			s.stack = append(s.stack, c)
			s.pos++
			first = true
		} else if !s.skip() {
			return false
		}
	}
	return true
}

func (s *scanner) word(w string) bool {
	for i := range len(w) {
		if c, ok := s.take(); !ok || c != w[i] {
			return false
		}
	}
	return true
}

// number returns the digits of a number.
func (s *scanner) number() ([]byte, bool) {
	s.tmp = s.tmp[:0]
	for {
		from := s.pos
		for s.pos < len(s.buf) && numeric(s.buf[s.pos]) {
			s.pos++
		}
		b := s.buf[from:s.pos]
		if s.pos < len(s.buf) && len(s.tmp) == 0 {
			return b, isNumber(b)
		}
		s.tmp = append(s.tmp, b...)
		if s.pos < len(s.buf) || len(s.tmp) > 1<<10 || !s.more() {
			return s.tmp, isNumber(s.tmp)
		}
	}
}

func numeric(c byte) bool {
	return c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E'
}

// isNumber checks the grammar of JSON numbers.
func isNumber(b []byte) bool {
	if len(b) > 0 && b[0] == '-' {
		b = b[1:]
	}
	n := digits(b)
	if n == 0 || n > 1 && b[0] == '0' {
		return false
	}
	b = b[n:]
	if len(b) > 0 && b[0] == '.' {
		n := digits(b[1:])
		if n == 0 {
			return false
		}
		b = b[1+n:]
	}
	if len(b) > 0 && b[0]|0x20 == 'e' {
		b = b[1:]
		if len(b) > 0 && (b[0] == '+' || b[0] == '-') {
			b = b[1:]
		}
		n := digits(b)
		return n > 0 && n == len(b)
	}
	return len(b) == 0
}

// digits counts the digits at the start of b.
func digits(b []byte) int {
	n := 0
	for n < len(b) && b[n] >= '0' && b[n] <= '9' {
		n++
	}
	return n
}

// plain is the length of the beginning of b that holds no quote, backslash or
// control character. It looks at eight bytes at a time: of the marks each test
// sets, the lowest is exact, and only that one is used.
func plain(b []byte) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	n := 0
	for ; len(b)-n >= 8; n += 8 {
		x := binary.LittleEndian.Uint64(b[n:])
		q, e := x^(ones*'"'), x^(ones*'\\')
		if hit := ((x-ones*0x20)&^x | (q-ones)&^q | (e-ones)&^e) & tops; hit != 0 {
			return n + bits.TrailingZeros64(hit)/8
		}
	}
	for n < len(b) && b[n] >= 0x20 && b[n] != '"' && b[n] != '\\' {
		n++
	}
	return n
}
