package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// details prints every measure of every job, by category.
func details(w io.Writer, results []*result) {
	for _, r := range results {
		fmt.Fprintf(w, "\n%s, level %s: %d queries, %d taken for sentences, %d refused by the parser, %d rows visited and %.2f CPU ms a query\n",
			r.job.set, r.level, len(r.set.Queries), r.sentences, r.faults, r.visited, r.cpu)
		fmt.Fprintf(w, "%-34s", "")
		for _, c := range (&scores{}).columns() {
			fmt.Fprintf(w, "%9s", c.name)
		}
		fmt.Fprintln(w)
		line := func(name string, s *scores) {
			fmt.Fprintf(w, "%-34s", fmt.Sprintf("%s (n=%d)", name, s.N))
			for _, c := range s.columns() {
				fmt.Fprintf(w, "%9.1f", 100**c.value)
			}
			fmt.Fprintln(w)
		}
		line("ALL", r.ours["ALL"])
		for _, c := range slices.Sorted(maps.Keys(r.ours)) {
			if c != "ALL" {
				line("  "+c, r.ours[c])
			}
		}
		line("plain FTS5, AND", r.and["ALL"])
		line("plain FTS5, OR", r.or["ALL"])
	}
}

// misses prints the n worst queries of each category: what was asked, what should
// have come, and what came first.
func misses(w io.Writer, results []*result, n int) {
	if n == 0 {
		return
	}
	for _, r := range results {
		by := map[string][]*query{}
		for i := range r.set.Queries {
			q := &r.set.Queries[i]
			if recall(r.relevant(q), r.run[q.ID], 10) < 1 {
				by[q.Category] = append(by[q.Category], q)
			}
		}
		for _, c := range slices.Sorted(maps.Keys(by)) {
			list := by[c]
			slices.SortStableFunc(list, func(a, b *query) int { return cmp.Compare(r.rank(b), r.rank(a)) })
			fmt.Fprintf(w, "\n%s %s %s: %d of %d lack something in the first 10\n", r.job.set, r.level, c, len(list), r.ours[c].N)
			for _, q := range list[:min(n, len(list))] {
				fmt.Fprintf(w, "  %s %q\n", q.ID, clip(q.Text))
				for _, id := range r.u.lift(r.level, q.Relevant) {
					fmt.Fprintf(w, "    wanted, rank %s: %s %q\n", r.at(q, id), id, clip(r.text(id)))
				}
				for i, id := range r.run[q.ID][:min(2, len(r.run[q.ID]))] {
					fmt.Fprintf(w, "    %d: %s %q\n", i+1, id, clip(r.text(id)))
				}
			}
		}
	}
}

func (r *result) relevant(q *query) map[string]bool {
	out := map[string]bool{}
	for _, id := range r.u.lift(r.level, q.Relevant) {
		out[id] = true
	}
	return out
}

// rank is the place of the first relevant unit, a large number for none.
func (r *result) rank(q *query) int {
	rel := r.relevant(q)
	if i := slices.IndexFunc(r.run[q.ID], func(id string) bool { return rel[id] }); i >= 0 {
		return i
	}
	return math.MaxInt
}

func (r *result) at(q *query, id string) string {
	if i := slices.Index(r.run[q.ID], id); i >= 0 {
		return fmt.Sprint(i + 1)
	}
	return fmt.Sprintf("none of %d", len(r.run[q.ID]))
}

func (r *result) text(id string) string {
	if t, ok := r.u.texts[id]; ok {
		return t
	}
	var out []string
	for _, t := range r.u.turns[id] {
		out = append(out, r.u.texts[t])
	}
	return strings.Join(out, " | ")
}

func clip(s string) string {
	if r := []rune(s); len(r) > 160 {
		return string(r[:160]) + "…"
	}
	return s
}

// writeRuns writes a run file for each job, in the form of the shared evaluator.
func writeRuns(dir string, results []*result) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for _, r := range results {
		var b strings.Builder
		for i := range r.set.Queries {
			id := r.set.Queries[i].ID
			ranked := r.run[id]
			if ranked == nil {
				ranked = []string{}
			}
			line, err := json.Marshal(map[string]any{"qid": id, "ranked": ranked})
			if err != nil {
				return err
			}
			b.Write(append(line, '\n'))
		}
		if err := os.WriteFile(r.file(dir), []byte(b.String()), 0o600); err != nil {
			return err
		}
	}
	return nil
}

func (r *result) file(dir string) string {
	return filepath.Join(dir, r.job.set+"-"+r.level+".jsonl")
}

// check has the shared evaluator score the run files and compares every number.
func check(w io.Writer, shared, dir string, results []*result) error {
	for _, r := range results {
		args := []string{filepath.Join(shared, "tools", "eval", "evalrun.py"), filepath.Join(shared, "eval", r.job.set+".json"), r.file(dir), "--level", r.level, "--json"}
		if r.exclude != "" {
			args = append(args, "--exclude", r.exclude)
		}
		out, err := exec.Command("python3", args...).Output()
		if err != nil {
			return fmt.Errorf("evalrun.py: %w", err)
		}
		var theirs map[string]map[string]float64
		if err := json.Unmarshal(out, &theirs); err != nil {
			return err
		}
		if len(theirs) != len(r.ours) {
			return fmt.Errorf("%s %s: %d categories, the shared evaluator has %d", r.job.set, r.level, len(r.ours), len(theirs))
		}
		n := 0
		for category, s := range r.ours {
			for _, c := range s.columns() {
				n++
				if d := math.Abs(*c.value - theirs[category][c.name]); d > 1e-9 {
					return fmt.Errorf("%s %s %s %s: %v, the shared evaluator says %v", r.job.set, r.level, category, c.name, *c.value, theirs[category][c.name])
				}
			}
		}
		fmt.Fprintf(w, "checked %s %s: %d numbers equal those of the shared evaluator\n", r.job.set, r.level, n)
	}
	return nil
}
