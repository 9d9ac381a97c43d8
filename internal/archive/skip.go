package archive

// skip passes over one value of any form.
func (s *scanner) skip(depth int) {
	if depth > maxDepth {
		s.fail("values are nested too deeply")
		return
	}
	switch c := s.peek(); {
	case c == '"':
		s.quoted()
	case c == '{':
		s.object(func([]byte) bool { s.skip(depth + 1); return true })
	case c == '[':
		s.array(func() { s.skip(depth + 1) })
	case c == '-' || c >= '0' && c <= '9':
		s.number()
	case s.word("true"), s.word("false"), s.word("null"):
	default:
		s.fail("a value is missing")
	}
}

// number passes over a number as JSON lays down.
func (s *scanner) number() {
	s.take('-')
	if s.i < len(s.b) && s.b[s.i] == '0' {
		s.i++
	} else if !s.digits() {
		s.fail("a number is missing")
		return
	}
	if s.i < len(s.b) && s.b[s.i] == '.' {
		s.i++
		if !s.digits() {
			s.fail("a number is cut off")
			return
		}
	}
	if s.i < len(s.b) && (s.b[s.i] == 'e' || s.b[s.i] == 'E') {
		s.i++
		if s.i < len(s.b) && (s.b[s.i] == '+' || s.b[s.i] == '-') {
			s.i++
		}
		if !s.digits() {
			s.fail("a number is cut off")
		}
	}
}

func (s *scanner) digits() bool {
	start := s.i
	for s.i < len(s.b) && s.b[s.i] >= '0' && s.b[s.i] <= '9' {
		s.i++
	}
	return s.i > start
}
