package render

import (
	"bufio"
	"io"
	"strconv"
	"strings"
	"time"

	"lookback"
)

// Page says how a surface shows things to people. The zero value is plain
// English text in UTC without a width.
type Page struct {
	Style  Style
	Labels *Labels        // nil for English
	Zone   *time.Location // nil for UTC
	Cols   int            // terminal columns, 0 when the width is not known
}

// Run is a run of entries with what is known about it.
type Run struct {
	Entries  []lookback.Entry
	Boundary *lookback.Boundary
	Statuses map[string]string // tool call id → how it ended
	Focus    int               // Seq of the entry that was asked for, 0 for none
}

func (p *Page) labels() *Labels {
	if p.Labels != nil {
		return p.Labels
	}
	return &English
}

func (p *Page) zone() *time.Location {
	if p.Zone != nil {
		return p.Zone
	}
	return time.UTC
}

// Minute gives a time to the minute in the reader's zone, "" for none.
func (p *Page) Minute(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.In(p.zone()).Format("2006-01-02 15:04")
}

// Text writes entries as a person reads them in a terminal. Everything in it is
// clean; only our own styling uses escape sequences.
func (p *Page) Text(out io.Writer, r Run) error {
	w := bufio.NewWriter(out)
	for i := range r.Entries {
		e := &r.Entries[i]
		if i > 0 {
			w.WriteByte('\n')
		}
		if p.keptFrom(r, i) {
			w.WriteString(p.rule(p.labels().Kept) + "\n\n")
		}
		if e.Cut != nil {
			p.cut(w, e)
			continue
		}
		p.heading(w, e, e.Seq == r.Focus)
		p.parts(w, e)
		for _, c := range e.Calls {
			w.WriteString("  " + p.Style.Dim(callRow(c, r.Statuses)) + "\n")
		}
	}
	return w.Flush()
}

// keptFrom reports whether the boundary lies before entry i: a record that kept
// nothing says so itself.
func (p *Page) keptFrom(r Run, i int) bool {
	b := r.Boundary
	if b == nil || b.Entry == b.At {
		return false
	}
	return r.Entries[i].Seq >= b.Entry && (i > 0 && r.Entries[i-1].Seq < b.Entry || r.Entries[i].Seq == b.Entry)
}

func (p *Page) heading(w *bufio.Writer, e *lookback.Entry, focus bool) {
	l := p.labels()
	who := p.Style.Role(e.Role, l.Role(e.Role))
	if e.Author != "" {
		who += " " + Clean(e.Author)
	}
	if e.Injected {
		who += " (" + l.Injected + ")"
	}
	row := "#" + strconv.Itoa(e.Seq)
	if at := p.Minute(e.Time); at != "" {
		row += "  " + at
	}
	mark := ""
	if focus {
		mark = p.Style.Match("▶ ")
	}
	w.WriteString(mark + who + "  " + p.Style.Dim(row) + "\n")
}

func (p *Page) parts(w *bufio.Writer, e *lookback.Entry) {
	for _, part := range e.Parts {
		if t := p.part(part); t != "" {
			w.WriteString(t)
			if !strings.HasSuffix(t, "\n") {
				w.WriteByte('\n')
			}
		}
	}
}

func (p *Page) part(part lookback.Part) string {
	l := p.labels()
	switch part.Kind {
	case lookback.PartImage:
		return l.Image
	case lookback.PartThinking:
		return p.Style.Dim(l.Thinking)
	case lookback.PartAttachment:
		return "[" + l.Attachment + Clean(part.Text) + "]"
	}
	return CleanLines(strings.ReplaceAll(part.Text, lookback.ObjectMark, l.Image))
}

func callRow(c lookback.Call, statuses map[string]string) string {
	row := Clean(c.Name)
	if s := statuses[c.ID]; s != "" {
		row += " " + s
	}
	return row
}

// cut writes a boundary record: a rule that says what happened, and the text
// that the model got in place of the rest.
func (p *Page) cut(w *bufio.Writer, e *lookback.Entry) {
	w.WriteString(p.rule(p.labels().Cuts[e.Cut.Cause]+"  #"+strconv.Itoa(e.Seq)+"  "+p.Minute(e.Time)) + "\n")
	if t := strings.TrimSpace(e.Cut.Text); t != "" {
		for line := range strings.Lines(CleanLines(t)) {
			w.WriteString("  " + strings.TrimRight(line, "\n") + "\n")
		}
	}
}

// rule is a row that separates.
func (p *Page) rule(text string) string {
	return p.Style.Bold("── " + strings.TrimSpace(text) + " ──")
}
