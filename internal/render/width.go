package render

import (
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// Ellipsis stands where a row was cut.
const Ellipsis = "…"

// Width is the number of terminal columns that cleaned text takes.
func Width(s string) int { return displaywidth.String(s) }

// Fit cuts cleaned text to at most cols columns, at a grapheme border, with an
// ellipsis where something was cut. With cols < 1 it gives "".
func Fit(s string, cols int) string {
	if cols < 1 {
		return ""
	}
	if len(s) <= cols {
		return s // no character is wider than its bytes
	}
	used, cut := 0, -1
	g := displaywidth.StringGraphemes(s)
	at := 0
	for g.Next() {
		w := g.Width()
		if cut < 0 && used+w > cols-1 {
			cut = at
		}
		if used += w; used > cols {
			return s[:cut] + Ellipsis
		}
		at += len(g.Value())
	}
	return s
}

// Pad fits cleaned text into exactly cols columns, with blanks on the right.
func Pad(s string, cols int) string {
	s = Fit(s, cols)
	// A mark at the end that belongs to what follows it swallows the first blank.
	for w := Width(s); w < cols; w = Width(s) {
		s += strings.Repeat(" ", cols-w)
	}
	return s
}

// Chunk is a piece of a wrapped row: the bytes from Start to End of the text.
type Chunk struct{ Start, End int }

// Wrap breaks one row of cleaned text into pieces of at most cols columns: at
// blanks where that is possible, which are then left out, else at a grapheme
// border. A grapheme wider than cols stands alone.
func Wrap(s string, cols int) []Chunk {
	var out []Chunk
	start, used := 0, 0
	space, after := -1, 0 // the last blank of this row, and columns up to and with it
	at := 0
	for g := displaywidth.StringGraphemes(s); g.Next(); {
		w := g.Width()
		if used+w > cols && at > start {
			if g.Value() == " " {
				out = append(out, Chunk{start, at})
				at++
				start, used, space = at, 0, -1
				continue
			}
			if space > start {
				out = append(out, Chunk{start, space})
				start, used = space+1, used-after
			} else {
				out = append(out, Chunk{start, at})
				start, used = at, 0
			}
			space = -1
		}
		used += w
		if g.Value() == " " {
			space, after = at, used
		}
		at += len(g.Value())
	}
	if start < len(s) || len(out) == 0 {
		out = append(out, Chunk{start, len(s)})
	}
	return out
}
