package cli

import (
	"fmt"
	"io"

	"lookback"
	"lookback/internal/render"
	"lookback/internal/service"
)

// screen lays out rows for a person. What it is given need not be clean.
type screen struct {
	*render.Page
	a        *app
	w        io.Writer
	explains bool // say of every hit what made its place
}

func (a *app) screen(w io.Writer) screen {
	l := render.LabelsFor(a.locale())
	return screen{&render.Page{Style: a.style(a.c.Terminal.Out), Labels: &l, Zone: a.zone, Cols: a.c.Terminal.Cols}, a, w, false}
}

// piece is a part of a row.
type piece struct {
	text  string
	paint func(string) string // nil for plain text
	whole bool                // broken where it does not fit, instead of cut
}

func plain(text string) piece           { return piece{text: text} }
func (s screen) bold(text string) piece { return piece{text: text, paint: s.Style.Bold} }
func (s screen) dim(text string) piece  { return piece{text: text, paint: s.Style.Dim} }

// whole is a ref, or a command to type: nothing of it may be lost.
func (s screen) whole(text string) piece { return piece{text, s.Style.Dim, true} }

// rows writes pieces side by side, with two blanks between them, on as many rows
// as they need.
func (s screen) rows(indent int, pieces ...piece) {
	room := max(s.Cols-indent, 1)
	used := 0
	for _, p := range pieces {
		for _, text := range p.fit(room) {
			width := render.Width(text)
			switch {
			case width == 0:
				continue
			case used == 0:
				fmt.Fprintf(s.w, "%*s", indent, "")
			case used+2+width > room:
				fmt.Fprintf(s.w, "\n%*s", indent, "")
				used = 0
			default:
				fmt.Fprint(s.w, "  ")
				used += 2
			}
			if p.paint != nil {
				text = p.paint(text)
			}
			fmt.Fprint(s.w, text)
			used += width
		}
	}
	if used > 0 {
		fmt.Fprintln(s.w)
	}
}

// fit cuts a piece to the room of a row, or breaks it.
func (p piece) fit(room int) []string {
	text := render.Clean(p.text)
	if !p.whole {
		return []string{render.Fit(text, room)}
	}
	var out []string
	for _, c := range render.Wrap(text, room) {
		out = append(out, text[c.Start:c.End])
	}
	return out
}

// say writes a name and what belongs to it, of any width.
func (s screen) say(name, format string, args ...any) {
	fmt.Fprintf(s.w, "%s  %s\n", s.Style.Bold(fmt.Sprintf("%-9s", name)), render.Clean(fmt.Sprintf(format, args...)))
}

func (s screen) blank() { fmt.Fprintln(s.w) }

// session is the heading above what belongs to a session.
func (s screen) session(of *service.Session) {
	name := of.Name
	if name == "" {
		name = of.ID.Native
	}
	s.rows(0, s.bold(name), s.dim(of.ID.Agent+"  "+s.a.dir(of.Cwd)))
}

// node says what a node is; the kind of a summary has its level.
func (s screen) node(n *lookback.Node) string {
	text := n.Kind.String()
	if n.Kind == lookback.KindSummary {
		text += fmt.Sprintf(" %d", n.Level)
	}
	if !n.Completed {
		text += " (" + s.Labels.Unfinished + ")"
	}
	return text
}
