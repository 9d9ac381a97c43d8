package cli

import (
	"fmt"
	"slices"
	"strings"

	"lookback"
	"lookback/internal/render"
	"lookback/internal/service"
)

// hitRows writes hits as rows for other programs; docs/scripting.md names the
// columns.
func (a *app) hitRows(hits []service.Hit, match string) {
	for i := range hits {
		h := &hits[i]
		a.row(h.Ref, h.Last, h.Kind, h.Role, h.Session.ID.Agent, h.Session.Cwd, h.Session.Name, match, strings.Join(h.Lacks, ","), h.Snippet)
	}
}

// hitScreen writes hits for a person, grouped by session in the order of their
// best hits.
func (a *app) hitScreen(f *found, explain bool) {
	s := a.screen(a.out)
	s.explains = explain
	if len(f.Hits) > 0 {
		s.hits(f.Hits)
		total := count(f.Total, "result", "results")
		if f.AtLeast {
			total = "at least " + total
		}
		s.blank()
		s.rows(0, s.dim(total+" in "+a.placeName(f.place)))
		return
	}
	text := "similar"
	if len(f.query.Terms) > 1 {
		text = "similar: nothing holds all of it"
	}
	s.rows(0, s.bold("── "+text+" ──"))
	if len(f.Missing) > 0 {
		s.rows(0, plain("nowhere: "+strings.Join(f.Missing, ", ")))
	}
	s.blank()
	s.hits(f.Related)
}

func (s screen) hits(hits []service.Hit) {
	for i := range hits {
		same := func(h service.Hit) bool { return h.Session.ID == hits[i].Session.ID }
		if slices.ContainsFunc(hits[:i], same) {
			continue
		}
		if i > 0 {
			s.blank()
		}
		s.session(&hits[i].Session)
		for j := i; j < len(hits); j++ {
			if same(hits[j]) {
				s.hit(&hits[j])
			}
		}
	}
}

// maxCopies bounds the copies of a hit that are named.
const maxCopies = 3

func (s screen) hit(h *service.Hit) {
	who := h.Kind.String()
	if h.Kind != lookback.KindSummary && h.Kind != lookback.KindSession {
		who = s.Labels.Role(h.Role)
	}
	if h.Author != "" {
		who += " " + h.Author
	}
	if h.Kind == lookback.KindExchange && !h.Completed {
		who += " (" + s.Labels.Unfinished + ")"
	}
	paint := func(text string) string { return s.Style.Role(h.Role, text) }
	s.rows(2, piece{text: who, paint: paint}, s.dim(s.Minute(h.Last)), s.whole(h.Ref.String()))
	s.snippet(h)
	if s.explains {
		s.explain(h)
	}
	if len(h.Lacks) > 0 {
		s.rows(4, s.dim("lacks: "+strings.Join(h.Lacks, ", ")))
	}
	for i, r := range h.AlsoIn {
		if i == maxCopies {
			s.rows(4, s.dim(fmt.Sprintf("and in %d more", len(h.AlsoIn)-i)))
			break
		}
		s.rows(4, s.whole("also in "+r.String()))
	}
}

// snippetRows bounds the rows that a hit's snippet takes on the screen.
const snippetRows = 3

// snippet writes the rows of a snippet around its first match.
func (s screen) snippet(h *service.Hit) {
	m := render.CleanMarked(h.Snippet, each(h.Marks, func(m *service.Mark) render.Span { return render.Span(*m) }))
	room := max(s.Cols-4, 1)
	rows := render.Wrap(m.Text, room)
	from := 0
	for len(m.Spans) > 0 && from < len(rows)-snippetRows && rows[from+snippetRows-1].End < m.Spans[0].End {
		from++
	}
	end := min(from+snippetRows, len(rows))
	for i, r := range rows[from:end] {
		more := ""
		if from+i == end-1 && end < len(rows) {
			more = render.Ellipsis
			r.End = r.Start + render.Wrap(m.Text[r.Start:r.End], max(room-1, 1))[0].End
		}
		fmt.Fprintf(s.w, "    %s%s\n", s.Style.Paint(m, r.Start, r.End), more)
	}
}
