package cli

import (
	"bufio"
	"fmt"
	"strings"

	"lookback"
	"lookback/internal/render"
	"lookback/internal/service"
)

// hitRows writes hits as rows for other programs; docs/scripting.md names the
// columns.
func (a *app) hitRows(hits []service.Hit, match string) error {
	w := bufio.NewWriter(a.c.Out)
	for i := range hits {
		h := &hits[i]
		if err := row(w, h.Ref.String(), a.stamp(h.Last), h.Kind.String(), h.Role.String(), h.Session.ID.Agent, h.Session.Cwd,
			h.Session.Name, match, strings.Join(h.Lacks, ","), h.Snippet); err != nil {
			return err
		}
	}
	return w.Flush()
}

// snippetRows bounds the rows that a hit's snippet takes on the screen.
const snippetRows = 3

// hitScreen writes hits for a person, grouped by session in the order of their
// best hits.
func (a *app) hitScreen(f *found) error {
	w := bufio.NewWriter(a.c.Out)
	p := a.page()
	a.hitGroups(w, p, f.Hits)
	if len(f.Related) > 0 {
		if len(f.Hits) > 0 {
			w.WriteByte('\n')
		}
		text := "similar"
		if len(f.query.Terms) > 1 {
			text = "similar: nothing holds all of it"
		}
		w.WriteString(p.Style.Bold(render.Fit("── "+text+" ──", p.Cols)) + "\n")
		if len(f.Missing) > 0 {
			w.WriteString(render.Fit(render.Clean("nowhere: "+strings.Join(f.Missing, ", ")), p.Cols) + "\n")
		}
		w.WriteByte('\n')
		a.hitGroups(w, p, f.Related)
	}
	if len(f.Hits) > 0 {
		w.WriteString("\n" + p.Style.Dim(render.Fit(render.Clean(a.totals(f)), p.Cols)) + "\n")
	}
	return w.Flush()
}

func (a *app) totals(f *found) string {
	n := count(f.Total, "result", "results")
	if f.AtLeast {
		n = "at least " + n
	}
	return n + " in " + a.placeName(f.place)
}

func (a *app) hitGroups(w *bufio.Writer, p *render.Page, hits []service.Hit) {
	shown := make([]bool, len(hits))
	for i := range hits {
		if shown[i] {
			continue
		}
		if i > 0 {
			w.WriteByte('\n')
		}
		a.sessionHeading(w, p, &hits[i].Session)
		for j := i; j < len(hits); j++ {
			if hits[j].Session.ID == hits[i].Session.ID {
				shown[j] = true
				hitScreenRows(w, p, &hits[j])
			}
		}
	}
}

// sessionHeading names the session above its hits, in as many rows as needed.
func (a *app) sessionHeading(w *bufio.Writer, p *render.Page, s *service.Session) {
	name, where := render.Clean(s.Name), render.Clean(s.ID.Agent+"  "+a.dir(s.Cwd))
	if name == "" {
		name = render.Clean(s.ID.Native)
	}
	if room := p.Cols - render.Width(where) - 2; room >= 16 {
		w.WriteString(p.Style.Bold(render.Fit(name, room)) + "  " + p.Style.Dim(where) + "\n")
		return
	}
	w.WriteString(p.Style.Bold(render.Fit(name, p.Cols)) + "\n" + p.Style.Dim(render.Fit(where, p.Cols)) + "\n")
}

func hitScreenRows(w *bufio.Writer, p *render.Page, h *service.Hit) {
	who := h.Kind.String()
	if h.Kind != lookback.KindSummary && h.Kind != lookback.KindSession {
		who = p.Labels.Role(h.Role)
	}
	if h.Author != "" {
		who += " " + render.Clean(h.Author)
	}
	if h.Kind == lookback.KindExchange && !h.Completed {
		who += " (" + p.Labels.Unfinished + ")"
	}
	when := p.Minute(h.Last)
	who = render.Fit(who, p.Cols-2)
	head, ref := "  "+p.Style.Role(h.Role, who), h.Ref.String()
	used := 2 + render.Width(who)
	for _, word := range []string{when, ref} {
		if word == "" {
			continue
		}
		if w := render.Width(word); used+2+w <= p.Cols {
			head += "  " + p.Style.Dim(word)
			used += 2 + w
			continue
		}
		w.WriteString(head + "\n")
		rows := fitRef(word, p.Cols-2)
		for _, r := range rows[:len(rows)-1] {
			w.WriteString("  " + p.Style.Dim(r) + "\n")
		}
		last := rows[len(rows)-1]
		head, used = "  "+p.Style.Dim(last), 2+len(last)
	}
	w.WriteString(head + "\n")
	snippetScreen(w, p, h)
	if len(h.Lacks) > 0 {
		w.WriteString("    " + p.Style.Dim(render.Fit(render.Clean("lacks: "+strings.Join(h.Lacks, ", ")), p.Cols-4)) + "\n")
	}
	alsoIn(w, p, h.AlsoIn)
}

// snippetScreen writes the rows of the snippet around its first match.
func snippetScreen(w *bufio.Writer, p *render.Page, h *service.Hit) {
	spans := make([]render.Span, len(h.Marks))
	for i, m := range h.Marks {
		spans[i] = render.Span{Start: m.Start, End: m.End}
	}
	m := render.CleanMarked(h.Snippet, spans)
	rows := render.Wrap(m.Text, max(p.Cols-4, 1))
	from := 0
	if len(rows) > snippetRows && len(m.Spans) > 0 {
		for from < len(rows)-snippetRows && rows[from+snippetRows-1].End < m.Spans[0].End {
			from++
		}
	}
	for i, r := range rows[from:min(from+snippetRows, len(rows))] {
		text := p.Style.Paint(m, r.Start, r.End)
		if i == snippetRows-1 && from+snippetRows < len(rows) {
			text = cutRow(p, m, r)
		}
		w.WriteString("    " + text + "\n")
	}
}

// cutRow paints a row with an ellipsis at its end.
func cutRow(p *render.Page, m render.Marked, r render.Chunk) string {
	fit := render.Wrap(m.Text[r.Start:r.End], max(p.Cols-5, 1))
	return p.Style.Paint(m, r.Start, r.Start+fit[0].End) + render.Ellipsis
}

// maxCopies bounds the copies of a hit that are named.
const maxCopies = 3

func alsoIn(w *bufio.Writer, p *render.Page, refs []lookback.Ref) {
	for i, r := range refs {
		if i == maxCopies {
			w.WriteString("    " + p.Style.Dim(render.Fit(fmt.Sprintf("and %d more copies", len(refs)-i), p.Cols-4)) + "\n")
			return
		}
		for _, part := range fitRef("also in "+r.String(), p.Cols-4) {
			w.WriteString("    " + p.Style.Dim(part) + "\n")
		}
	}
}

func cleaned(s string) string { return render.Clean(s) }

func quoted(s string) string { return "“" + render.Fit(render.Clean(s), 60) + "”" }
