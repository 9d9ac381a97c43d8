package index

import "lookback/internal/words"

// indexStems says whether the stems of words are indexed beside them.
const indexStems = true

// barrier is a token that no query can name. It stands between the texts of two
// entries in one column, so that no phrase runs from one into the other.
var barrier = []byte{scopeMark}

// splitter turns texts into what the word index is fed, see appendToken, and
// notes the terms.
type splitter struct{ terms termSet }

// add appends the tokens of text to a column's. Columns begin empty.
func (s *splitter) add(column []byte, text string) []byte {
	if text == "" {
		return column
	}
	if len(column) > 0 {
		column = appendToken(column, barrier, false)
	}
	last := -1
	for t := range words.Each(text, indexStems) {
		column = appendToken(column, t.Text, t.Pos == last)
		last = t.Pos
		switch t.Form {
		case words.Stemmed, words.Pair:
		default:
			s.terms.add(t.Text)
		}
	}
	return column
}
