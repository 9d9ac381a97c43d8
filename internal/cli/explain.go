package cli

import (
	"fmt"
	"strings"

	"lookback/internal/service"
)

// explain writes what made a hit's place: the parts of its score, and how often it
// holds each term in which field.
func (s screen) explain(h *service.Hit) {
	sum := fmt.Sprintf("score %.2f:", h.Score.Total)
	for _, p := range scoreParts(&h.Score) {
		if p.value != 0 {
			sum += fmt.Sprintf(" %s %.2f", p.name, p.value)
		}
	}
	s.rows(4, s.dim(sum))
	for _, t := range h.Score.Terms {
		var in []string
		for _, f := range termFields(&t) {
			if f.value != 0 {
				in = append(in, fmt.Sprintf("%s %.0f", f.name, f.value))
			}
		}
		s.rows(6, s.dim(fmt.Sprintf("%s, weight %.2f: %s", t.Term, t.Weight, strings.Join(in, ", "))))
	}
}

// part is a named number of an explanation.
type part struct {
	name  string
	value float64
}

func scoreParts(s *service.Score) []part {
	return []part{{"words", s.Words}, {"matched", s.Matched}, {"session", s.Session}, {"summary", s.Summary}, {"neighbours", s.Neighbours}}
}

func termFields(t *service.TermScore) []part {
	return []part{{"user", float64(t.User)}, {"assistant", float64(t.Assistant)}, {"steps", float64(t.Steps)}, {"meta", float64(t.Meta)}}
}

// scoreJSON is the same for programs.
func scoreJSON(s *service.Score) doc {
	d := doc{"total": s.Total, "terms": each(s.Terms, func(t *service.TermScore) doc {
		d := doc{"term": t.Term, "weight": t.Weight}
		for _, f := range termFields(t) {
			d[f.name] = f.value
		}
		return d
	})}
	for _, p := range scoreParts(s) {
		d[p.name] = p.value
	}
	return d
}
