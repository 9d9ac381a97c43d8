package words

import (
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// wide handles a run of a script written without blanks and gives the offset
// after it. Every character is a token; a pair joins its first character.
func (s *scanner) wide(i int) int {
	s.tail = false
	text, buf := s.text, s.buf[:0]
	_, w, _ := peek(text, i)
	end := clusterEnd(text, i, w)
	buf = appendCluster(buf, text[i:end])
	for !s.over {
		n := len(buf)
		s.emit(buf, i, end, Gram)
		_, w, k := peek(text, end)
		if k != wide {
			s.pos++
			break
		}
		next := clusterEnd(text, end, w)
		buf = appendCluster(buf, text[end:next])
		s.emit(buf, i, next, Pair)
		s.pos++
		buf = buf[:copy(buf, buf[n:])]
		i, end = end, next
	}
	s.buf = buf
	return end
}

// maxCluster bounds a character with its marks, in bytes: what is piled up
// beyond it is skipped as marks on nothing.
const maxCluster = 48

// clusterEnd gives the end of the character at i, w bytes wide, with what
// belongs to it: marks, the rest of a syllable spelled in jamo, the voice mark of
// half-width kana.
func clusterEnd(text string, i, w int) int {
	end := i + w
	for end < len(text) && end-i < maxCluster {
		c := text[end]
		if c < 0xcc || 0xe4 <= c && c <= 0xe9 { // below U+0300, and Han: nothing that clings
			return end
		}
		r, w := utf8.DecodeRuneInString(text[end:])
		if !(0x1160 <= r && r <= 0x11ff || r == 0xff9e || r == 0xff9f || kindOf(r) == mark) {
			return end
		}
		end += w
	}
	return end
}

// appendCluster appends the folded form of such a character. Syllables and kana
// are composed, not taken apart: a character must stay one.
func appendCluster(dst []byte, s string) []byte {
	r, w := utf8.DecodeRuneInString(s)
	if w == len(s) && (0x4e00 <= r && r <= 0x9fff || 0x3041 <= r && r <= 0x3096 || 0x30a1 <= r && r <= 0x30fe || 0xac00 <= r && r <= 0xd7a3) {
		return append(dst, s...)
	}
	at := len(dst)
	dst = norm.NFKC.AppendString(dst, s)
	out := dst[:at]
	for i := at; i < len(dst); {
		r, w := utf8.DecodeRune(dst[i:])
		if !isAccent(r) {
			out = append(out, dst[i:i+w]...)
		}
		i += w
	}
	return out
}
