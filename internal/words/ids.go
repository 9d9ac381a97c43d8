package words

const minHash = 7 // hex digits from which a run is an abbreviated hash, as Git prints it

// isHex has the bytes that are hex digits.
var isHex = func() (t [256]bool) {
	for _, c := range []byte("0123456789abcdefABCDEF") {
		t[c] = true
	}
	return t
}()

func allHex(s string) bool {
	for i := range len(s) {
		if !isHex[s[i]] {
			return false
		}
	}
	return true
}

// isHash reports whether a run of letters and digits is a hash, which has no
// parts. Letters alone, like DeadFace, are a word: the caller has seen a digit.
func isHash(s string) bool { return len(s) >= minHash && allHex(s) }

// isHexLiteral reports whether a run is a hex number as in source text.
func isHexLiteral(s string) bool {
	return len(s) > 2 && s[0] == '0' && s[1]|0x20 == 'x' && allHex(s[2:])
}

const uuidLen = 36

// isUUID reports whether a UUID stands at i, with no letter or digit after it.
func isUUID(text string, i int) bool {
	if i+uuidLen > len(text) || text[i+8] != '-' || text[i+13] != '-' || text[i+18] != '-' || text[i+23] != '-' {
		return false
	}
	u := text[i : i+uuidLen]
	if !allHex(u[:8]) || !allHex(u[9:13]) || !allHex(u[14:18]) || !allHex(u[19:23]) || !allHex(u[24:]) {
		return false
	}
	_, _, k := peek(text, i+uuidLen)
	return k&(wordy|mark) == 0
}

// uuid emits the 32 digits of the UUID at i as one word, so that its first
// group is a prefix of it.
func (s *scanner) uuid(i int) int {
	s.buf, s.tail = s.buf[:0], false
	for j := i; j < i+uuidLen; j++ {
		if c := s.text[j]; c != '-' {
			s.buf = append(s.buf, asciiLower[c])
		}
	}
	s.emit(s.buf, i, i+uuidLen, Word)
	s.pos++
	return i + uuidLen
}
