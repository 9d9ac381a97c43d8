package pi

import "encoding/binary"

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
	buf   []byte
	pos   int
	base  int64  // bytes of the line that came before buf
	src   chunks // where more of the line comes from; nil when buf is all of it
	tmp   []byte
	stack []byte
	sick  bool // a decoded string held invalid UTF-8
	short strs // memory for the short strings it returns
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

// key returns the next key of an object whose opening brace was taken, and leaves
// the scanner at its value.
func (s *scanner) key(first bool) ([]byte, step) {
	c := s.peek()
	if c == '}' {
		s.pos++
		return nil, end
	}
	if !first {
		if c != ',' {
			return nil, broken
		}
		s.pos++
		c = s.peek()
	}
	if c != '"' {
		return nil, broken
	}
	s.pos++
	k, ok := s.str()
	if !ok || !s.colon(&k) {
		return nil, broken
	}
	return k, member
}

// colon takes the colon after a key. The key is moved aside when more of the line
// must be fetched to see it.
func (s *scanner) colon(k *[]byte) bool {
	if s.pos < len(s.buf) && s.buf[s.pos] == ':' {
		s.pos++
		return true
	}
	s.tmp = append(s.tmp[:0], *k...)
	*k = s.tmp
	if s.peek() != ':' {
		return false
	}
	s.pos++
	return true
}

// element leads to the next element of an array whose opening bracket was taken.
func (s *scanner) element(first bool) step {
	c := s.peek()
	if c == ']' {
		s.pos++
		return end
	}
	if !first {
		if c != ',' {
			return broken
		}
		s.pos++
	}
	return member
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
			st = s.skipKey(first)
		} else {
			st = s.element(first)
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

// skipKey is key without the name.
func (s *scanner) skipKey(first bool) step {
	c := s.peek()
	if c == '}' {
		s.pos++
		return end
	}
	if !first {
		if c != ',' {
			return broken
		}
		s.pos++
		c = s.peek()
	}
	if c != '"' {
		return broken
	}
	s.pos++
	if !s.skipString() || s.peek() != ':' {
		return broken
	}
	s.pos++
	return member
}

func (s *scanner) word(w string) bool {
	for i := 0; i < len(w); i++ {
		if c, ok := s.take(); !ok || c != w[i] {
			return false
		}
	}
	return true
}

// number returns the digits of a number.
func (s *scanner) number() ([]byte, bool) {
	from := s.pos
	for s.pos < len(s.buf) && numeric(s.buf[s.pos]) {
		s.pos++
	}
	b := s.buf[from:s.pos]
	if s.pos == len(s.buf) && s.src != nil {
		s.tmp = append(s.tmp[:0], b...)
		for s.more() {
			from = 0
			for s.pos < len(s.buf) && numeric(s.buf[s.pos]) {
				s.pos++
			}
			s.tmp = append(s.tmp, s.buf[:s.pos]...)
			if s.pos < len(s.buf) || len(s.tmp) > 1<<10 {
				break
			}
		}
		b = s.tmp
	}
	return b, isNumber(b)
}

func numeric(c byte) bool {
	return c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E'
}

// isNumber checks the grammar of JSON numbers.
func isNumber(b []byte) bool {
	digits := func() bool {
		n := 0
		for n < len(b) && b[n] >= '0' && b[n] <= '9' {
			n++
		}
		b = b[n:]
		return n > 0
	}
	if len(b) > 0 && b[0] == '-' {
		b = b[1:]
	}
	if len(b) > 0 && b[0] == '0' {
		b = b[1:]
	} else if !digits() {
		return false
	}
	if len(b) > 0 && b[0] == '.' {
		b = b[1:]
		if !digits() {
			return false
		}
	}
	if len(b) > 0 && b[0]|0x20 == 'e' {
		b = b[1:]
		if len(b) > 0 && (b[0] == '+' || b[0] == '-') {
			b = b[1:]
		}
		if !digits() {
			return false
		}
	}
	return len(b) == 0
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
			return n + lowest(hit)
		}
	}
	for n < len(b) && b[n] >= 0x20 && b[n] != '"' && b[n] != '\\' {
		n++
	}
	return n
}
