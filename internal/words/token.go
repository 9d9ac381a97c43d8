// Package words turns text into the tokens that are indexed and asked for, and
// finds and shows them again in text. It is the only place that knows what a
// word is: index, query, highlighting and snippets all use the one scanner
// here, so they can never disagree.
//
// A position holds one word, one part of a compound word, one character of a
// script written without blanks, or one symbol. Further forms of it share the
// position: the compound it begins, the pair of characters it begins, its stem.
//
//	getUserName    get+getusername · user · name
//	max_retries    max+maxretries · retries
//	http-v2        http+httpv2 · v+v2 · 2
//	评审会         评+评审 · 审+审会 · 会
//
// A compound stands at its first part only, so a phrase may end in a compound
// but not run on after it; Phrases therefore always offers the parts as well.
//
// Tokens are folded: NFKC, lower case, accents gone. Offsets always point into
// the text as it was given. The package holds no state but pools and caches and
// is safe for concurrent use. It never normalises a whole text, allocates
// nothing per token, and takes any bytes: invalid UTF-8 and NUL separate words.
package words

import (
	"iter"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Form says what a token is to the text it stands for.
type Form uint8

// Forms of tokens. Every position has exactly one of Word, Part, Gram and
// Symbol, and that one comes first; Whole, Pair and Stemmed only ever join it.
const (
	Word    Form = iota // a word without parts
	Part                // one part of a compound: user of getUserName
	Whole               // a compound, at its first part: getusername
	Gram                // one character of a script written without blanks
	Pair                // the Gram at this position and the next
	Stemmed             // StemMark and the stem of the word at this position
	Symbol              // an emoji or another symbol
)

// StemMark begins every Stemmed token and no other, so that a stem can't be taken
// for a word that is spelled like it.
const StemMark = '\x01'

// MaxToken is the longest a token gets, in bytes of folded form. Longer words
// are cut there, at a character.
const MaxToken = 64

// Token is one token of a text.
type Token struct {
	Text       []byte // folded; 1 to MaxToken bytes, or one more for Stemmed; valid until the next token
	Start, End int    // bytes of the given text, Start < End
	Pos        int    // from 0, without gaps
	Form       Form
}

// Span is a piece of a text: bytes Start up to but not including End.
type Span struct{ Start, End int }

// Each gives the tokens of a text in the order of their positions. Stems are
// left out unless asked for; they never change a position.
func Each(text string, stems bool) iter.Seq[Token] {
	return func(yield func(Token) bool) {
		s := scanners.Get().(*scanner)
		s.text, s.stems, s.yield = text, stems, yield
		s.pos, s.over = 0, false
		s.scan()
		s.text, s.yield = "", nil
		scanners.Put(s)
	}
}

// scanners are pooled for their buffers and, above all, for their stem caches.
var scanners = sync.Pool{New: func() any {
	return &scanner{buf: make([]byte, 0, 2*maxRun), cache: stemCache{}}
}}

// scanner walks over one text.
type scanner struct {
	text  string
	stems bool
	yield func(Token) bool
	pos   int
	over  bool // yield wants no more

	buf   []byte // folded bytes of the runs at hand, nothing between them
	runs  []run
	parts []part
	cache stemCache
}

func (s *scanner) scan() {
	for i := 0; i < len(s.text) && !s.over; {
		r, w, k := peek(s.text, i)
		switch {
		case k&wordy != 0:
			i = s.word(i)
		case k == wide:
			i = s.wide(i)
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
	if !s.stems || s.over || len(word) < minStem {
		return
	}
	if stem := s.cache.marked(cut(word)); stem != nil {
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
	if !plain || first == blank || j-i >= MaxToken || j < len(text) && (text[j] >= utf8.RuneSelf || s.joined(j)) {
		return s.compound(i)
	}
	s.emit(buf[:j-i], i, j, Word)
	if first != digit {
		s.emitStem(buf[:j-i], i, j)
	}
	s.pos++
	return j
}

// wide handles a run of a script written without blanks and gives the offset
// after it. Every character is a token; a pair joins its first character.
func (s *scanner) wide(i int) int {
	text, buf := s.text, s.buf[:0]
	end := clusterEnd(text, i)
	buf = appendCluster(buf, text[i:end])
	for !s.over {
		n := len(buf)
		s.emit(buf, i, end, Gram)
		if _, _, k := peek(text, end); k != wide {
			s.pos++
			break
		}
		next := clusterEnd(text, end)
		buf = appendCluster(buf, text[end:next])
		s.emit(buf, i, next, Pair)
		s.pos++
		buf = buf[:copy(buf, buf[n:])]
		i, end = end, next
	}
	return end
}

// symbol emits one symbol; two halves of a flag are one.
func (s *scanner) symbol(i int, r rune, w int) int {
	end := i + w
	buf := utf8.AppendRune(s.buf[:0], unicode.ToLower(r))
	if other, w, _ := peek(s.text, end); isFlag(r) && isFlag(other) {
		buf = utf8.AppendRune(buf, other)
		end += w
	}
	s.emit(buf, i, end, Symbol)
	s.pos++
	return end
}
