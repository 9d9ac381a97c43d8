package main

import (
	"fmt"
	"strings"

	"lookback/bench/report"
)

// bar is a row of the finding table that a measure of a job answers.
type bar struct {
	id, name   string
	set, level string
	category   string
	column     string
	limit      float64 // percent; 0 for a row without a bar
}

var bars = []bar{
	{"locomo-turn-r10", "LoCoMo turn R@10, without adversarial", "locomo", "turn", "ALL", "R@10", 70},
	{"locomo-turn-ndcg", "LoCoMo turn NDCG@10, without adversarial", "locomo", "turn", "ALL", "NDCG@10", 53},
	{"locomo-session-r10", "LoCoMo session R@10", "locomo", "session", "ALL", "R@10", 91},
	{"memorybank-zh-r10", "MemoryBank-zh exchange R@10", "memorybank-zh", "exchange", "ALL", "R@10", 82},
	{"madial-zh-r10", "MADial-zh R@10", "madial-zh", "turn", "ALL", "R@10", 62},
	{"pi-code-r10", "pi-code, all kinds R@10", "pi-code", "turn", "ALL", "R@10", 88},
	{"pi-code-ident", "pi-code ident R@10", "pi-code", "turn", "ident", "R@10", 100},
	{"pi-code-ident-lower", "pi-code ident-lower R@10", "pi-code", "turn", "ident-lower", "R@10", 100},
	{"pi-code-error-line", "pi-code error-line R@10", "pi-code", "turn", "error-line", "R@10", 100},
	{"locomo-exchange-r10", "LoCoMo exchange R@10", "locomo", "exchange", "ALL", "R@10", 0},
	{"memorybank-en-r10", "MemoryBank-en exchange R@10", "memorybank-en", "exchange", "ALL", "R@10", 0},
}

// rows makes the finding table.
func rows(t *report.Table, results []*result) {
	for _, b := range bars {
		for _, r := range results {
			if r.job.set != b.set || r.level != b.level {
				continue
			}
			row := report.Row{ID: b.id, Name: b.name, Unit: "%", Limit: b.limit, AtLeast: true, NoBar: b.limit == 0, Visited: r.visited}
			row.Values = []float64{100 * column(r.ours, b.category, b.column)}
			row.Beside = fmt.Sprintf("%s / %s", percent(r.and, b.category, b.column), percent(r.or, b.category, b.column))
			row.Note = fmt.Sprintf("n = %d", r.ours[b.category].N)
			if miss := b.limit - row.Values[0]; miss > 0 {
				row.Note += fmt.Sprintf(", %s below", report.Figure(miss))
			}
			t.Add(row)
		}
	}
	empty, asked := 0, 0
	var and, or float64
	for _, r := range results {
		if !r.natural {
			continue
		}
		for i := range r.set.Queries {
			asked++
			if len(r.run[r.set.Queries[i].ID]) == 0 {
				empty++
			}
		}
		and += empties(r.and)
		or += empties(r.or)
	}
	if asked > 0 {
		t.Add(report.Row{ID: "empty", Name: "empty answers on natural questions", Values: []float64{float64(empty)},
			Beside: fmt.Sprintf("%.0f / %.0f", and, or), Note: fmt.Sprintf("of %d asked, every set and level", asked)})
	}
}

func column(by map[string]*scores, category, name string) float64 {
	if s := by[category]; s != nil {
		for _, c := range s.columns() {
			if c.name == name {
				return *c.value
			}
		}
	}
	return 0
}

func percent(by map[string]*scores, category, name string) string {
	return report.Figure(100 * column(by, category, name))
}

// empties counts the queries without an answer.
func empties(by map[string]*scores) (n float64) {
	for c, s := range by {
		if c != "ALL" {
			n += s.Empty * float64(s.N)
		}
	}
	return n
}

// caseRows adds the rows of the shared cases.
func caseRows(t *report.Table, by map[string]*verdicts) {
	for _, x := range []struct {
		level string
		limit float64
	}{{"must", 100}, {"should", 90}} {
		v := by[x.level]
		if v.all == 0 {
			continue
		}
		row := report.Row{ID: "cases-" + x.level, Name: "cases, " + x.level, Unit: "%", Limit: x.limit, AtLeast: true,
			Values: []float64{100 * float64(v.passed) / float64(v.all)}, Note: fmt.Sprintf("%d of %d", v.passed, v.all)}
		if len(v.skipped) > 0 {
			row.Note += "; answered by the tools, not here: " + strings.Join(v.skipped, " ")
		}
		t.Add(row)
	}
}
