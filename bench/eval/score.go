package main

import (
	"math"
	"slices"
)

// scores are the means of a run over queries, as shares of one. The definitions
// are those of the shared evaluator; -check compares the two.
type scores struct {
	N                int
	R1, R5, R10, R20 float64 // share of the relevant units among the first so many
	NDCG, MRR        float64 // NDCG at 10; MRR cut at 100
	Cov4, Cov16      float64 // share of the relevant turns in the first 4,000 and 16,000 characters read in order
	Empty            float64 // share of queries without any answer
}

// run is the ranked units of each query id.
type run map[string][]string

// evaluate scores a run at a level by category, and under "ALL" without the
// excluded category.
func evaluate(s *set, u *units, r run, level, exclude string) map[string]*scores {
	out := map[string]*scores{}
	for i := range s.Queries {
		q := &s.Queries[i]
		m := scoreOf(u, q, r[q.ID], level)
		for _, c := range []string{q.Category, "ALL"} {
			if c == "ALL" && q.Category == exclude {
				continue
			}
			if out[c] == nil {
				out[c] = &scores{}
			}
			out[c].add(m)
		}
	}
	for _, s := range out {
		s.mean()
	}
	return out
}

func scoreOf(u *units, q *query, ranked []string, level string) *scores {
	relevant := map[string]bool{}
	for _, id := range u.lift(level, q.Relevant) {
		relevant[id] = true
	}
	m := &scores{R1: recall(relevant, ranked, 1), R5: recall(relevant, ranked, 5), R10: recall(relevant, ranked, 10), R20: recall(relevant, ranked, 20)}
	var dcg, ideal float64
	for i, id := range ranked[:min(10, len(ranked))] {
		if relevant[id] {
			dcg += 1 / math.Log2(float64(i+2))
		}
	}
	for i := range min(10, len(relevant)) {
		ideal += 1 / math.Log2(float64(i+2))
	}
	m.NDCG = dcg / ideal
	if i := slices.IndexFunc(ranked[:min(100, len(ranked))], func(id string) bool { return relevant[id] }); i >= 0 {
		m.MRR = 1 / float64(i+1)
	}
	if len(ranked) == 0 {
		m.Empty = 1
	}
	m.Cov4, m.Cov16 = u.covered(q, ranked, 4000), u.covered(q, ranked, 16000)
	return m
}

func recall(relevant map[string]bool, ranked []string, k int) float64 {
	hit := map[string]bool{}
	for _, id := range ranked[:min(k, len(ranked))] {
		if relevant[id] {
			hit[id] = true
		}
	}
	return float64(len(hit)) / float64(len(relevant))
}

// covered is the share of a query's turns that somebody has read who reads units
// in order until the budget of characters is spent.
func (u *units) covered(q *query, ranked []string, left int) float64 {
	got := map[string]bool{}
	for _, id := range ranked {
		turns := u.turns[id]
		if _, ok := u.chars[id]; ok {
			turns = []string{id}
		}
		n := 0
		for _, t := range turns {
			n += u.chars[t]
		}
		if n <= left {
			for _, t := range turns {
				got[t] = true
			}
			left -= n
			continue
		}
		if left >= 200 { // what does not fit is read from its start
			for _, t := range turns {
				if u.chars[t] > left {
					break
				}
				got[t] = true
				left -= u.chars[t]
			}
		}
		break
	}
	hit, all := 0, map[string]bool{}
	for _, t := range q.Relevant {
		if all[t] {
			continue
		}
		all[t] = true
		if got[t] {
			hit++
		}
	}
	return float64(hit) / float64(len(all))
}

// columns lists the measures with their names in the shared evaluator.
func (s *scores) columns() []struct {
	name  string
	value *float64
} {
	return []struct {
		name  string
		value *float64
	}{
		{"R@1", &s.R1}, {"R@5", &s.R5}, {"R@10", &s.R10}, {"R@20", &s.R20}, {"NDCG@10", &s.NDCG}, {"MRR", &s.MRR},
		{"cov@4k", &s.Cov4}, {"cov@16k", &s.Cov16}, {"empty", &s.Empty},
	}
}

func (s *scores) add(o *scores) {
	s.N++
	other := o.columns()
	for i, c := range s.columns() {
		*c.value += *other[i].value
	}
}

func (s *scores) mean() {
	for _, c := range s.columns() {
		*c.value /= float64(s.N)
	}
}
