package index

import (
	"github.com/ncruces/go-sqlite3/ext/fts5"

	"lookback/internal/words"
)

// Texts that begin with one of these bytes are not split into words. Whoever
// passes on a text that a person wrote must see to it that it begins with neither.
const (
	// scopeMark begins a scope text, and each token in it: they are split at blanks
	// and taken as they stand. No word can equal one.
	scopeMark = '\x02'
	// tokenMark begins a text that was split before: see appendToken.
	tokenMark = '\x03'
)

// These end each token of a text that was split before.
const (
	endToken = '\x1e' // the next token stands one further
	endAlike = '\x1f' // the next token stands at the same place
)

// appendToken adds a token to a text that was split before. alike says that it
// stands where the one before does. Splitting in Go and handing the engine the
// outcome has two reasons: the term dictionary needs the same tokens, so each text
// is split once; and the tokens are pieces of the text then, so the driver hands
// them on where they lie and keeps no buffer in the engine's memory, which may move
// when it grows.
func appendToken(dst []byte, token []byte, alike bool) []byte {
	if alike {
		dst[len(dst)-1] = endAlike
	}
	dst = append(dst, token...)
	return append(dst, endToken)
}

// tokenizer is the one token stream of text and queries inside FTS5.
type tokenizer struct{}

func newTokenizer([]string) (fts5.Tokenizer, error) { return tokenizer{}, nil }

// Tokenize is called by FTS5 for each column of each row and each string of a
// query.
func (tokenizer) Tokenize(_ fts5.TokenizeFlag, text, _ string, emit fts5.TokenCallback) error {
	if text == "" {
		return nil
	}
	switch text[0] {
	case scopeMark:
		return emitPieces(text, 0, ' ', emit)
	case tokenMark:
		return emitPieces(text, 1, endToken, emit)
	}
	last := -1
	for t := range words.Each(text, false) {
		var flag fts5.TokenFlag
		if t.Pos == last {
			flag = fts5.TOKEN_COLOCATED
		}
		last = t.Pos
		if err := emit(flag, string(t.Text), t.Start, t.End); err != nil {
			return err
		}
	}
	return nil
}

// emitPieces emits what stands from a place on, each up to an end or endAlike, as it
// lies there.
func emitPieces(text string, from int, end byte, emit fts5.TokenCallback) error {
	var flag fts5.TokenFlag
	for i := from; i <= len(text); i++ {
		if i < len(text) && text[i] != end && text[i] != endAlike {
			continue
		}
		if i > from {
			if err := emit(flag, "", from, i); err != nil { // "" hands on the piece itself
				return err
			}
		}
		flag, from = 0, i+1
		if i < len(text) && text[i] == endAlike {
			flag = fts5.TOKEN_COLOCATED
		}
	}
	return nil
}
