package words

import (
	"unicode"
	"unicode/utf8"
)

// scanner walks over one text. It is reused: buffers and stem cache stay.
type scanner struct {
	text  string
	stems bool
	yield func(Token) bool
	pos   int
	over  bool // yield wants no more
	tail  bool // the next word continues a joined chain too long to be a compound

	buf   []byte // folded bytes of the runs at hand, nothing between them
	runs  []run
	parts []part
	cache stemCache
}

func (s *scanner) scan(text string, stems bool, yield func(Token) bool) {
	s.text, s.stems, s.yield = text, stems, yield
	s.pos, s.over, s.tail = 0, false, false
	if cap(s.buf) < MaxToken {
		s.buf = make([]byte, 0, 2*maxRun)
	}
	for i := 0; i < len(text) && !s.over; {
		c := text[i]
		if c < utf8.RuneSelf {
			if ascii[c] == blank {
				i++
			} else {
				i = s.word(i)
			}
			continue
		}
		r, w := utf8.DecodeRuneInString(text[i:])
		switch k := kindOf(r); {
		case k == wide:
			i = s.wide(i)
		case k&wordy != 0:
			i = s.word(i)
		case k == symbol:
			i = s.symbol(i, r, w)
		default: // separators, and marks with nothing to stand on
			i += w
		}
	}
}

// emit hands out a token at the current position, cut to length.
func (s *scanner) emit(text []byte, start, end int, form Form) {
	if !s.over {
		s.over = !s.yield(Token{Text: cut(text), Start: start, End: end, Pos: s.pos, Form: form})
	}
}

// emitStem adds the stem of a word just emitted, if it is another word.
func (s *scanner) emitStem(word []byte, start, end int) {
	if !s.stems || len(word) < minStem {
		return
	}
	if stem := s.cache.marked(cut(word)); stem != nil && !s.over {
		s.over = !s.yield(Token{Text: stem, Start: start, End: end, Pos: s.pos, Form: Stemmed})
	}
}

// cut shortens a token to MaxToken bytes, at a character.
func cut(text []byte) []byte {
	if len(text) <= MaxToken {
		return text
	}
	n := MaxToken
	for !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// word handles the letters and digits that begin at i and all that is joined to
// them, and gives the offset after it. Nearly every word of prose is decided in
// its first loop: ASCII of one case, or a capital before lower case.
func (s *scanner) word(i int) int {
	text := s.text
	if isUUID(text, i) {
		return s.uuid(i)
	}
	buf := s.buf[:MaxToken]
	first, rest := ascii[text[i]], blank
	j := i
	for ; j < len(text) && j-i < MaxToken; j++ {
		c := text[j]
		k := ascii[c]
		if k == blank {
			break
		}
		if j > i {
			rest |= k
		}
		buf[j-i] = asciiLower[c]
	}
	plain := rest == blank || rest == first || first == upper && rest == lower
	if !plain || first == blank || s.tail || j-i >= MaxToken ||
		j < len(text) && (text[j] >= utf8.RuneSelf || s.joined(j)) {
		return s.compound(i)
	}
	s.emit(buf[:j-i], i, j, Word)
	if first != digit {
		s.emitStem(buf[:j-i], i, j)
	}
	s.pos++
	return j
}

// joined reports whether the byte at i is a single _ or - with a word after it
// that a word before it would be joined to.
func (s *scanner) joined(i int) bool {
	if i >= len(s.text) || s.text[i] != '_' && s.text[i] != '-' {
		return false
	}
	_, _, k := peek(s.text, i+1)
	return k&wordy != 0 && !isUUID(s.text, i+1)
}

// symbol emits one symbol; two halves of a flag are one.
func (s *scanner) symbol(i int, r rune, w int) int {
	end := i + w
	s.buf = utf8.AppendRune(s.buf[:0], unicode.ToLower(r))
	if isFlag(r) {
		if other, w, _ := peek(s.text, end); isFlag(other) {
			s.buf = utf8.AppendRune(s.buf, other)
			end += w
		}
	}
	s.emit(s.buf, i, end, Symbol)
	s.pos++
	return end
}
