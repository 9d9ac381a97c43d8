package index

import (
	"slices"

	"lookback"
	"lookback/internal/words"
)

// How a want has to do with the term it was made for.
const (
	asAsked  = iota // the term as typed
	asBegun         // words that begin with it
	asInside        // words that it is a piece of
	asNear          // words spelled nearly alike
	asStem          // another inflection
	asPiece         // a part of it
)

// verdict is what a judge says of a text: a higher tier comes first.
type verdict struct {
	tier  float64
	share float64 // how many terms are there
	lacks []string
}

// judge looks at which wants a text holds; false keeps it out.
type judge func(holds func(want int) bool) (verdict, bool)

// relate fills in what a query of terms finds when no text holds them all: first
// texts that hold them and what was excluded, then those that hold words made from
// the missing terms, then those that hold the most terms; and the terms that occur
// nowhere.
func (s *search) relate() error {
	wants, nots, _ := strict(s.req.Query)
	if err := s.missing(wants); err != nil || len(wants) == 0 {
		return err
	}
	var list []*candidate
	for _, step := range []func(wants, nots []want) (*ask, error){s.withExcluded, s.laxly, s.partly} {
		if len(list) >= s.req.Limit {
			break
		}
		a, err := step(slices.Clone(wants), nots)
		if err != nil {
			return err
		}
		if a == nil {
			continue
		}
		more, _, err := s.ranked(a)
		if err != nil {
			return err
		}
		best := 0.0
		for _, x := range more {
			best = max(best, x.share)
		}
		for _, x := range more {
			if x.share >= best/2 && !slices.ContainsFunc(list, func(y *candidate) bool { return x.id == y.id }) {
				list = append(list, x)
			}
		}
	}
	var err error
	s.out.Related, err = s.hits(list[:min(len(list), s.req.Limit)])
	return err
}

// missing unfolds the wants and names those that occur nowhere.
func (s *search) missing(wants []want) error {
	if err := s.unfold(wants); err != nil {
		return err
	}
	for i := range wants {
		n, err := s.count(&ask{wants: wants, all: [][]int{{i}}}, 1)
		if err != nil {
			return err
		}
		if n == 0 {
			s.out.Missing = append(s.out.Missing, wants[i].text)
		}
	}
	return nil
}

// withExcluded looks for all terms and also those that were excluded: a command
// line that was pasted has flags that look like exclusions.
func (s *search) withExcluded(wants, nots []want) (*ask, error) {
	if len(nots) == 0 {
		return nil, nil
	}
	wants = append(wants, nots...)
	return &ask{wants: wants, all: each(len(wants))}, s.unfold(wants)
}

// laxly looks for every term as typed, as a beginning, and, if it occurs nowhere,
// as a piece of a word or nearly so: the fewer liberties, the further up.
func (s *search) laxly(wants, nots []want) (*ask, error) {
	a := &ask{wants: wants, all: each(len(wants)), nots: nots, lax: true}
	for n, w := range wants {
		most, nowhere := asBegun, slices.Contains(s.out.Missing, w.text)
		switch {
		case w.term.Phrase:
			most = asAsked
		case nowhere:
			most = asNear
		}
		if err := s.loosen(a, n, w.term, most); err != nil {
			return nil, err
		}
		if nowhere && len(a.all[n]) == 1 {
			return nil, nil // nothing can be had for it
		}
	}
	if len(a.wants) == len(wants) {
		return nil, nil // nothing but what was asked before
	}
	a.judge = func(holds func(int) bool) (v verdict, ok bool) {
		for n := range a.all {
			if best := a.best(n, holds); best != asAsked {
				v.lacks = append(v.lacks, wants[n].text)
				v.tier -= float64(best)
			}
		}
		return v, true
	}
	return a, nil
}

// loosen adds to a group the wants that take liberties with a term, up to most.
func (s *search) loosen(a *ask, group int, t lookback.Term, most int) error {
	ways := [...]func(lookback.Term) ([]words.Phrase, error){asBegun: s.prefixed, asInside: s.inside, asNear: s.near}
	for how := asBegun; how <= most; how++ {
		phrases, err := ways[how](t)
		if err != nil {
			return err
		}
		if len(phrases) > 0 {
			a.all[group] = append(a.all[group], len(a.wants))
			a.wants = append(a.wants, want{text: t.Text, how: how, phrases: phrases})
		}
	}
	return nil
}

// best is the least liberty with which a text holds a group.
func (a *ask) best(group int, holds func(int) bool) int {
	best := asPiece
	for _, w := range a.all[group] {
		if holds(w) {
			best = min(best, a.wants[w].how)
		}
	}
	return best
}

// typing lets the last word be unfinished: texts that hold it as it stands come
// first, then those with words that begin with it, then those with words that it
// is a piece of.
func (s *search) typing(a *ask) error {
	last := s.req.Query.Terms[len(s.req.Query.Terms)-1]
	at := slices.IndexFunc(a.all, func(group []int) bool { return a.wants[group[0]].text == last.Text })
	if last.Not || at < 0 {
		return nil
	}
	a.judge = func(holds func(int) bool) (verdict, bool) {
		return verdict{tier: -float64(a.best(at, holds))}, true
	}
	return s.loosen(a, at, last, asInside)
}

// partly looks for some of the terms, ranked by the sum. A text must hold half as
// many as the one that holds the most. A quoted phrase is as many terms as it has
// words, and so is a long run of a script without blanks.
func (s *search) partly(wants, nots []want) (*ask, error) {
	wants = topical(wants)
	a := &ask{nots: nots}
	worth := make([]float64, len(wants)) // of each term
	for n, w := range wants {
		w.n = n
		a.wants = append(a.wants, w)
		parts := pieces(w.text)
		kept := slices.DeleteFunc(slices.Clone(parts), want.isStop)
		worth[n] = 1
		if len(parts) > 1 && w.term.Phrase || isLongRun(parts) {
			worth[n] = float64(1 + len(kept))
		}
		if len(parts) == 1 {
			parts[0].n, parts[0].how = n, asStem
			a.wants = append(a.wants, parts[0])
			continue
		}
		for _, p := range kept {
			p.n, p.how = n, asPiece
			a.wants = append(a.wants, p)
		}
	}
	a.all = [][]int{indexes(len(a.wants))}
	a.judge = func(holds func(int) bool) (verdict, bool) {
		v := s.portion(a, wants, worth, holds)
		return v, v.share > 0
	}
	return a, nil
}

// isLongRun reports whether a term is rather a sentence than a word: more than
// four characters of a script without blanks make nine characters and pairs.
func isLongRun(parts []want) bool { return len(parts) >= 9 && parts[len(parts)-1].gram }

// portion says which terms a text lacks. A term of which half stands there counts
// half; less of it does not count: a common part of a rare name says nothing. Of
// one that is worth several, every part counts.
func (s *search) portion(a *ask, terms []want, worth []float64, holds func(int) bool) (v verdict) {
	asked, whole := make([]bool, len(terms)), make([]bool, len(terms))
	had, all := make([]float64, len(terms)), make([]float64, len(terms))
	for w := range a.wants {
		x := &a.wants[w]
		h := holds(w)
		asked[x.n] = asked[x.n] || h && x.how == asAsked
		whole[x.n] = whole[x.n] || h && x.how != asPiece
		if x.how == asPiece {
			all[x.n] += s.stats.weight(w)
			if h {
				had[x.n] += s.stats.weight(w)
			}
		}
	}
	for n, t := range terms {
		if !asked[n] {
			v.lacks = append(v.lacks, t.text)
		}
		switch part := had[n] / max(all[n], 1e-9); {
		case whole[n]:
			v.share += worth[n]
		case worth[n] > 1:
			v.share += part * (worth[n] - 1)
		case part >= 0.5:
			v.share += 0.5
		}
	}
	return v
}
