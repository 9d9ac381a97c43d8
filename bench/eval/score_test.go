package main

import (
	"math"
	"testing"
)

func small() *set {
	said := func(id, speaker, text string) turn { return turn{ID: id, Speaker: speaker, Text: text} }
	return &set{Name: "small", Conversations: []conversation{{ID: "c", Sessions: []session{
		{ID: "s1", Turns: []turn{said("a", "user", "one"), said("b", "assistant", "two"), said("c", "user", "three")}},
		{ID: "s2", Turns: []turn{said("d", "Ann", "four"), said("e", "Bob", "five"), said("f", "Ann", "six")}},
	}}}, Queries: []query{{ID: "q", Conversation: "c", Category: "x", Relevant: []string{"b", "e"}}, {ID: "none", Category: "y", Relevant: []string{"a"}}}}
}

func TestUnits(t *testing.T) {
	u := small().units()
	for id, want := range map[string]string{"a": "X:a", "b": "X:a", "c": "X:c", "d": "X:d", "e": "X:d", "f": "X:f"} {
		if u.exchange[id] != want {
			t.Errorf("%s is in %s, want %s", id, u.exchange[id], want)
		}
	}
	if got := u.lift("session", []string{"a", "e", "b"}); len(got) != 2 || got[0] != "s1" || got[1] != "s2" {
		t.Errorf("sessions %q", got)
	}
}

func TestScores(t *testing.T) {
	s := small()
	by := evaluate(s, s.units(), run{"q": {"a", "b", "c", "d", "f", "e"}}, "turn", "y")
	all := by["ALL"]
	if all.N != 1 || by["y"].Empty != 1 {
		t.Fatalf("ALL has %d queries, the excluded one is empty %v", all.N, by["y"].Empty)
	}
	ndcg := (1/math.Log2(3) + 1/math.Log2(7)) / (1 + 1/math.Log2(3))
	for _, x := range []struct {
		name      string
		got, want float64
	}{{"R@1", all.R1, 0}, {"R@5", all.R5, 0.5}, {"R@10", all.R10, 1}, {"NDCG", all.NDCG, ndcg}, {"MRR", all.MRR, 0.5}, {"cov@4k", all.Cov4, 1}, {"empty", all.Empty, 0}} {
		if math.Abs(x.got-x.want) > 1e-12 {
			t.Errorf("%s = %v, want %v", x.name, x.got, x.want)
		}
	}
}

// A unit that does not fit is read from its start, but not when little is left.
func TestCovered(t *testing.T) {
	u := &units{chars: map[string]int{"a": 300, "b": 300, "c": 300}, turns: map[string][]string{"X:a": {"a", "b"}}}
	q := &query{Relevant: []string{"a", "b"}}
	for left, want := range map[int]float64{199: 0, 299: 0, 300: 0.5, 599: 0.5, 600: 1} {
		if got := u.covered(q, []string{"X:a"}, left); got != want {
			t.Errorf("%d characters cover %v, want %v", left, got, want)
		}
	}
	if got := u.covered(&query{Relevant: []string{"c"}}, []string{"a", "c"}, 450); got != 0 {
		t.Errorf("what is left is too little to begin a unit, but covers %v", got)
	}
}
