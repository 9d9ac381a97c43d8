package render

import (
	"bufio"
	"io"
	"strconv"
	"strings"

	"lookback"
)

// Markdown writes entries as Markdown: a heading per entry, then its words as
// they were written, then its tool calls as a list. Words are clean of control
// characters; a code fence left open is closed, so that it cannot swallow the
// entries after it.
func (p *Page) Markdown(out io.Writer, r Run) error {
	w := bufio.NewWriter(out)
	plain := *p
	plain.Style = Style{}
	p = &plain
	l := p.labels()
	for i := range r.Entries {
		e := &r.Entries[i]
		if i > 0 {
			w.WriteByte('\n')
		}
		if p.keptFrom(r, i) {
			w.WriteString("---\n\n*" + l.Kept + "*\n\n")
		}
		if e.Cut != nil {
			w.WriteString("---\n\n*" + l.Cuts[e.Cut.Cause] + "* (#" + strconv.Itoa(e.Seq) + ")\n")
			for line := range strings.Lines(CleanLines(strings.TrimSpace(e.Cut.Text))) {
				w.WriteString("\n> " + strings.TrimRight(line, "\n"))
			}
			w.WriteByte('\n')
			continue
		}
		p.markdownEntry(w, e, r.Statuses)
	}
	return w.Flush()
}

func (p *Page) markdownEntry(w *bufio.Writer, e *lookback.Entry, statuses map[string]string) {
	l := p.labels()
	title := l.Role(e.Role)
	if e.Author != "" {
		title += " " + escapeMarkdown(e.Author)
	}
	if e.Injected {
		title += " (" + l.Injected + ")"
	}
	title += " · #" + strconv.Itoa(e.Seq)
	if at := p.Minute(e.Time); at != "" {
		title += " · " + at
	}
	w.WriteString("### " + title + "\n\n")
	for _, part := range e.Parts {
		t := p.part(part)
		if part.Kind != lookback.PartText {
			t = escapeMarkdown(t)
		}
		if t != "" {
			w.WriteString(closeFence(strings.TrimRight(t, "\n")) + "\n")
		}
	}
	for i, c := range e.Calls {
		if i == 0 && len(e.Parts) > 0 {
			w.WriteByte('\n')
		}
		w.WriteString("- " + escapeMarkdown(callRow(c, statuses)) + "\n")
	}
}

// escapeMarkdown makes one row of text plain in Markdown.
func escapeMarkdown(s string) string {
	var b strings.Builder
	for _, r := range Clean(s) {
		if strings.ContainsRune("\\`*_[]<>#|~!", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// closeFence adds the end of a code fence that text leaves open.
func closeFence(text string) string {
	open := ""
	for line := range strings.Lines(text) {
		t := strings.TrimLeft(strings.TrimRight(line, "\n"), " ")
		fence := leading(t)
		switch {
		case len(fence) < 3:
		case open == "":
			open = fence
		case fence[0] == open[0] && len(fence) >= len(open) && strings.TrimSpace(t[len(fence):]) == "":
			open = ""
		}
	}
	if open == "" {
		return text
	}
	return strings.TrimRight(text, "\n") + "\n" + open
}

// leading is the run of backticks or tildes that a line begins with.
func leading(s string) string {
	if s == "" || s[0] != '`' && s[0] != '~' {
		return ""
	}
	return s[:len(s)-len(strings.TrimLeft(s, s[:1]))]
}
