package index

import (
	"cmp"
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

// relate fills in what a query of terms finds when no text holds them all: first
// texts that hold words made from the missing terms, then those that hold the
// most terms; and the terms that occur nowhere.
func (s *search) relate() error {
	out := s.out // totals are those of full matches
	defer func() {
		s.out.Total, s.out.AtLeast, s.out.Notes = out.Total, out.AtLeast || s.late, s.out.Notes[:len(out.Notes)]
	}()
	terms, err := s.missing()
	if err != nil || len(terms) == 0 {
		return err
	}
	var list []item
	for _, step := range []func([]lookback.Term) ([]item, error){s.withExcluded, s.laxly, s.partly} {
		if len(list) >= s.req.Limit {
			break
		}
		more, err := step(terms)
		if err != nil {
			return err
		}
		list = append(list, slices.DeleteFunc(more, func(x item) bool {
			return slices.ContainsFunc(list, func(y item) bool { return x.doc.id == y.doc.id && x.entry == y.entry })
		})...)
	}
	s.out.Related, err = s.hits(list[:min(len(list), s.req.Limit)])
	return err
}

// withExcluded finds texts that hold all terms and also those that were excluded: a
// command line that was pasted has flags that look like exclusions.
func (s *search) withExcluded([]lookback.Term) ([]item, error) {
	a := &ask{set: s.columns()}
	var nots []want
	a.wants, nots, _ = strict(s.req.Query)
	if len(nots) == 0 {
		return nil, nil
	}
	a.wants = append(a.wants, nots...)
	a.all = each(len(a.wants))
	if err := s.unfold(a.wants); err != nil {
		return nil, err
	}
	return s.ranked(a, nil)
}

// missing gives the terms of the query and notes those that occur nowhere.
func (s *search) missing() (terms []lookback.Term, err error) {
	wants, _, _ := strict(s.req.Query)
	if err := s.unfold(wants); err != nil {
		return nil, err
	}
	for i := range wants {
		n, err := s.count(&ask{wants: wants, some: []int{i}, set: s.columns()}, 1)
		if err != nil {
			return nil, err
		}
		if n == 0 {
			s.out.Missing = append(s.out.Missing, wants[i].text)
		}
		terms = append(terms, wants[i].term)
	}
	return terms, nil
}

// laxly finds texts in which every term stands as typed, as a beginning, as a
// piece of a word, or nearly so: the fewer liberties, the further up.
func (s *search) laxly(terms []lookback.Term) ([]item, error) {
	a := &ask{set: s.columns(), lax: true}
	_, a.nots, _ = strict(s.req.Query)
	for n, t := range terms {
		group, err := s.liberties(a, n, t)
		if err != nil {
			return nil, err
		}
		if len(group) == 0 {
			return nil, nil
		}
		a.all = append(a.all, group)
	}
	if len(a.wants) == len(terms) {
		return nil, nil // nothing but what was asked before
	}
	return s.ranked(a, func(held func(int) bool) (verdict, bool) {
		v := verdict{}
		for n, group := range a.all {
			best := a.best(group, held)
			if best != asAsked {
				v.lacks = append(v.lacks, terms[n].Text)
			}
			v.tier -= float64(best)
		}
		return v, true
	})
}

// best is the least liberty with which a text holds a group.
func (a *ask) best(group []int, held func(int) bool) int {
	best := asPiece
	for _, w := range group {
		if held(w) {
			best = min(best, a.wants[w].how)
		}
	}
	return best
}

// typing lets the last word be unfinished: texts that hold it as it stands come
// first, then those with words that begin with it, then those with words that it
// is a piece of.
func (s *search) typing(a *ask) (judge, error) {
	terms := s.req.Query.Terms
	last := terms[len(terms)-1]
	if last.Not || len(a.all) == 0 || len(words.Phrases(last.Text, false)) == 0 {
		return nil, nil
	}
	at := len(a.all) - 1
	for n, group := range a.all {
		if a.wants[group[0]].text == last.Text {
			at = n
		}
	}
	add := func(how int, phrases []words.Phrase, err error) error {
		if len(phrases) > 0 {
			a.all[at] = append(a.all[at], len(a.wants))
			a.wants = append(a.wants, want{text: last.Text, how: how, phrases: phrases})
		}
		return err
	}
	begun, err := s.prefixed(last)
	if err := add(asBegun, begun, err); err != nil {
		return nil, err
	}
	inside, err := s.inside(last)
	if err := add(asInside, inside, err); err != nil {
		return nil, err
	}
	return func(held func(int) bool) (verdict, bool) {
		return verdict{tier: -float64(a.best(a.all[at], held))}, true
	}, nil
}

// liberties adds the wants of a term, and gives their group.
func (s *search) liberties(a *ask, n int, t lookback.Term) (group []int, err error) {
	add := func(how int, phrases []words.Phrase, err error) error {
		if err == nil && len(phrases) > 0 {
			group = append(group, len(a.wants))
			a.wants = append(a.wants, want{text: t.Text, term: t, n: n, how: how, phrases: phrases})
		}
		return err
	}
	exact := []want{{phrases: words.Phrases(t.Text, t.Prefix)}}
	err = s.unfold(exact)
	if err := add(asAsked, exact[0].phrases, err); err != nil || t.Phrase {
		return group, err
	}
	begun, err := s.prefixed(t)
	if err := add(asBegun, begun, err); err != nil {
		return nil, err
	}
	if !slices.Contains(s.out.Missing, t.Text) {
		return group, nil // it exists as it was typed
	}
	inside, err := s.inside(t)
	if err := add(asInside, inside, err); err != nil {
		return nil, err
	}
	near, err := s.near(t)
	return group, add(asNear, near, err)
}

// partly finds texts that hold some of the terms, ranked by the sum, and at least
// half as many as the one that holds the most. A quoted phrase is as many terms as
// it has words, and so is a long run of a script without blanks.
func (s *search) partly(terms []lookback.Term) ([]item, error) {
	a := &ask{set: s.columns()}
	_, a.nots, _ = strict(s.req.Query)
	var units []unit
	for _, t := range topical(terms) {
		parts := pieces(t.Text)
		if len(parts) < 2 || !t.Phrase && !isLongRun(parts) {
			a.wants = append(a.wants, want{text: t.Text, n: len(units), phrases: words.Phrases(t.Text, t.Prefix)})
			a.addParts(parts, len(units))
			units = append(units, unit{lacks: t.Text})
			continue
		}
		a.wants = append(a.wants, want{text: t.Text, n: len(units), phrases: words.Phrases(t.Text, t.Prefix)})
		units = append(units, unit{lacks: t.Text})
		for i := range parts {
			if !parts[i].isStop() {
				a.addParts(parts[i:i+1], len(units))
				units = append(units, unit{})
			}
		}
	}
	if err := s.unfold(a.wants); err != nil {
		return nil, err
	}
	a.some = indexes(len(a.wants))
	list, err := s.ranked(a, func(held func(int) bool) (verdict, bool) {
		v := s.dropped(a, units, held)
		return v, v.share > 0
	})
	best := 0.0
	for i := range list {
		best = max(best, list[i].share)
	}
	return slices.DeleteFunc(list, func(x item) bool { return x.share < best/2 }), err
}

// isLongRun reports whether a term is rather a sentence than a word: more than
// four characters of a script without blanks make nine characters and pairs.
func isLongRun(parts []want) bool { return len(parts) >= 9 && parts[len(parts)-1].gram }

// unit is what a relaxed search may drop.
type unit struct {
	lacks string // what a hit without it lacks, "" for a word of a phrase
}

// addParts adds what is left of a unit when it need not stand as typed.
func (a *ask) addParts(parts []want, unit int) {
	for _, p := range parts {
		p.n, p.how = unit, asPiece
		if len(parts) == 1 {
			p.how = asStem
		}
		if p.how == asStem || !p.isStop() {
			a.wants = append(a.wants, p)
		}
	}
}

// topical leaves out the terms that are nothing but grammar, if others remain.
func topical(terms []lookback.Term) (out []lookback.Term) {
	for _, t := range terms {
		if !words.IsStop(words.Fold(t.Text)) {
			out = append(out, t)
		}
	}
	if len(out) == 0 {
		return terms
	}
	return out
}

// dropped says which units a text lacks. A unit of which half stands there counts
// half; less of it does not count: a common part of a rare name says nothing.
func (s *search) dropped(a *ask, units []unit, held func(int) bool) (v verdict) {
	whole, asked := make([]bool, len(units)), make([]bool, len(units))
	had, all := make([]float64, len(units)), make([]float64, len(units))
	for w := range a.wants {
		x := &a.wants[w]
		switch h := held(w); x.how {
		case asAsked:
			asked[x.n] = h
			whole[x.n] = whole[x.n] || h
		case asStem:
			whole[x.n] = whole[x.n] || h
		default:
			all[x.n] += s.stats.weight(w)
			if h {
				had[x.n] += s.stats.weight(w)
			}
		}
	}
	for n, u := range units {
		if !asked[n] && u.lacks != "" {
			v.lacks = append(v.lacks, u.lacks)
		}
		switch {
		case whole[n]:
			v.share++
		case all[n] > 0 && had[n] >= all[n]/2:
			v.share += 0.5
		}
	}
	return v
}

// verdict is what a rule says of a text: a higher tier comes first.
type verdict struct {
	tier  float64
	share float64 // how many units are there
	lacks []string
}

// judge looks at which wants a text holds; false keeps it out.
type judge func(held func(want int) bool) (verdict, bool)

// byTier compares verdicts before anything else does.
func byTier(a, b *verdict) int { return cmp.Compare(b.tier, a.tier) }
