package index

import (
	"github.com/ncruces/go-sqlite3/ext/fts5"

	"lookback/internal/words"
)

// Texts that begin with one of these bytes are not split into words. Whoever
// passes on a text that a person wrote must see to it that it begins with neither.
const (
	// scopeMark begins a scope text: tokens that are split at blanks and taken as
	// they stand, each with this byte before it. No word can equal one.
	scopeMark = '\x02'
	// tokenMark begins a text that was split before: see appendToken.
	tokenMark = '\x03'
)

// These end each token of a text that was split before.
const (
	endToken = '\x1e' // the next token stands one further
	endAlike = '\x1f' // the next token stands at the same place
)

// appendToken adds a token to a text that was split before; an empty text gets
// its mark. alike says that the token stands where the one before does. Splitting
// in Go and handing the engine the outcome has two reasons: the term dictionary
// needs the same tokens, so each text is split once; and the tokens are pieces of
// the text then, so the driver hands them on where they lie and keeps no buffer
// in the engine's memory, which may move when it grows.
func appendToken(dst []byte, token []byte, alike bool) []byte {
	switch {
	case len(dst) == 0:
		dst = append(dst, tokenMark)
	case alike:
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
		return scopeTokens(text, emit)
	case tokenMark:
		return splitBefore(text, emit)
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

func splitBefore(text string, emit fts5.TokenCallback) error {
	var flag fts5.TokenFlag
	start := 1
	for i := 1; i < len(text); i++ {
		c := text[i]
		if c != endToken && c != endAlike {
			continue
		}
		if i > start {
			if err := emit(flag, "", start, i); err != nil { // "" hands on the piece itself
				return err
			}
		}
		flag = 0
		if c == endAlike {
			flag = fts5.TOKEN_COLOCATED
		}
		start = i + 1
	}
	return nil
}

func scopeTokens(text string, emit fts5.TokenCallback) error {
	for i := 0; i < len(text); {
		end := i
		for end < len(text) && text[end] != ' ' {
			end++
		}
		if end > i {
			token := ""
			if text[i] != scopeMark {
				token = string(scopeMark) + text[i:end]
			}
			if err := emit(0, token, i, end); err != nil {
				return err
			}
		}
		i = end + 1
	}
	return nil
}
