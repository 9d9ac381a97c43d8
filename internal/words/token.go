package words

import (
	"iter"
	"sync"
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
type Span struct {
	Start, End int
}

// Each gives the tokens of a text in the order of their positions. Stems are
// left out unless asked for; they never change a position.
func Each(text string, stems bool) iter.Seq[Token] {
	return func(yield func(Token) bool) {
		s := scanners.Get().(*scanner)
		s.scan(text, stems, yield)
		s.text, s.yield = "", nil
		scanners.Put(s)
	}
}

// scanners are pooled for their buffers and, above all, for their stem caches.
var scanners = sync.Pool{New: func() any { return new(scanner) }}
