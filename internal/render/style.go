package render

import "lookback"

// Style paints text with SGR sequences, the only escape sequences we write. Its
// zero value paints nothing. What is painted must be clean already.
type Style struct{ Color bool }

func (s Style) paint(sgr, text string) string {
	if !s.Color || text == "" {
		return text
	}
	return "\x1b[" + sgr + "m" + text + "\x1b[0m"
}

// Bold paints what a reader looks for first.
func (s Style) Bold(text string) string { return s.paint("1", text) }

// Dim paints what is needed but seldom read: refs, counts.
func (s Style) Dim(text string) string { return s.paint("2", text) }

// Match paints the words that were looked for.
func (s Style) Match(text string) string { return s.paint("1;33", text) }

// Warn paints what went wrong.
func (s Style) Warn(text string) string { return s.paint("31", text) }

// Role paints the name of who speaks. The colours of people and models differ
// also in brightness, and the name itself says it all without them.
func (s Style) Role(r lookback.Role, text string) string {
	switch r {
	case lookback.RoleUser:
		return s.paint("1;36", text)
	case lookback.RoleAssistant:
		return s.paint("1;32", text)
	}
	return s.paint("1", text)
}

// Span is a part of a text, in bytes.
type Span struct{ Start, End int }

// Marked is one row of cleaned text with the parts that matched.
type Marked struct {
	Text  string
	Spans []Span // in order, not overlapping
}

// CleanMarked cleans one row and moves its spans along. Spans outside the text
// or out of order are left out.
func CleanMarked(text string, spans []Span) Marked {
	var m Marked
	at := 0
	for _, s := range spans {
		if s.Start < at || s.End <= s.Start || s.End > len(text) {
			continue
		}
		m.Text += Clean(text[at:s.Start])
		start := len(m.Text)
		m.Text += Clean(text[s.Start:s.End])
		m.Spans = append(m.Spans, Span{start, len(m.Text)})
		at = s.End
	}
	m.Text += Clean(text[at:])
	return m
}

// Paint gives the piece of the row from start to end with its matches painted.
func (s Style) Paint(m Marked, start, end int) string {
	out := ""
	for _, sp := range m.Spans {
		from, to := max(sp.Start, start), min(sp.End, end)
		if from >= to {
			continue
		}
		out += m.Text[start:from] + s.Match(m.Text[from:to])
		start = to
	}
	return out + m.Text[start:end]
}
