package index

import (
	"cmp"
	"slices"

	"lookback"
	"lookback/internal/words"
)

// minWindow is how many of the best candidates are looked at more closely: their
// rows are read, with their lengths, and what their summaries and neighbours add.
// The rest follow as they were. It must not depend on the page, or pages would not
// fit together. Reading the lengths of all 2,000 was a fifth of a search's time,
// and 200 lose nothing on any set.
const minWindow = 200

// ranked finds, ranks and lists what is asked for, best first. more says that not
// all of it was looked at.
func (s *search) ranked(a *ask) (list []*candidate, more bool, err error) {
	s.prepare(a)
	more, err = s.gather(a)
	if err := s.excuse(err); err != nil {
		return nil, false, err
	}
	if err := s.measure(a); err != nil {
		return nil, false, err
	}
	for _, x := range s.found.found {
		s.stats.score(x)
	}
	if !s.b.conversation() {
		if err := s.addSessions(s.found.found); err != nil {
			return nil, false, err
		}
	}
	list = slices.DeleteFunc(slices.Clone(s.found.found), func(x *candidate) bool { return !a.passes(x) })
	if err := s.refine(list); err != nil {
		return nil, false, err
	}
	if s.entryHits() {
		whole := true
		if list, whole, err = s.entries(a, list); err != nil {
			return nil, false, err
		}
		more = more || !whole
	} else if !s.wants(lookback.KindSummary) {
		list = slices.DeleteFunc(list, s.isSummary)
	}
	list, err = s.collapse(list)
	return list, more, err
}

// prepare makes ready to collect what holds the wants.
func (s *search) prepare(a *ask) {
	s.asked, s.found = a.wants, &collector{wants: len(a.wants)}
	s.driven, s.held = false, nil
	var phrases []words.Phrase
	phrases, s.owner = phrasesOf(a.wants)
	s.finder = words.NewMatcher(phrases)
}

// passes lets the judge say whether a candidate may be a hit.
func (a *ask) passes(x *candidate) (ok bool) {
	if a.judge == nil {
		return true
	}
	x.verdict, ok = a.judge(x.holds)
	return ok
}

// refine sorts the candidates by what is known of them without their rows, looks
// at the best more closely, and sorts those again.
func (s *search) refine(list []*candidate) error {
	slices.SortFunc(list, s.compare)
	best := list
	if !s.byTime() { // which only rows know
		best = list[:min(len(list), minWindow)]
	}
	for _, x := range best {
		if err := s.row(x); err != nil {
			return err
		}
		s.stats.score(x)
	}
	if !s.b.conversation() {
		if err := s.addSummaries(best); err != nil {
			return err
		}
		addNeighbours(best, s.found.found)
	}
	slices.SortFunc(best, s.compare)
	return nil
}

func (s *search) byTime() bool { return s.req.Newest || s.req.Typing }

// compare orders candidates: the tier first, then the score or the time, ties
// newest first.
func (s *search) compare(a, b *candidate) int {
	if c := cmp.Compare(b.tier, a.tier); c != 0 {
		return c
	}
	if !s.byTime() {
		if c := cmp.Compare(b.score.total(), a.score.total()); c != 0 {
			return c
		}
	}
	if a.doc != nil && b.doc != nil && a.doc.last != b.doc.last {
		return cmp.Compare(b.doc.last, a.doc.last)
	}
	return cmp.Compare(b.id, a.id)
}

// collapse lists what forks and clones copied once, at the place of the best copy.
func (s *search) collapse(list []*candidate) (out []*candidate, err error) {
	at := map[int64]*candidate{}
	for _, x := range list {
		key, err := s.twin(x)
		if err != nil {
			return nil, err
		}
		if first := at[key]; key != 0 && first != nil {
			first.copies = append(first.copies, x)
			continue
		}
		at[key] = x
		out = append(out, x)
	}
	return out, nil
}

// twin gives what copies have in common, 0 where there can be none.
func (s *search) twin(x *candidate) (int64, error) {
	if x.entry != nil {
		return x.entry.root, nil
	}
	seg, err := s.segment(segmentOf(x.id))
	if err != nil || !seg.forked {
		return 0, err
	}
	if err := s.row(x); err != nil {
		return 0, err
	}
	return x.doc.twin, nil
}

// original gives the copy that shows, and the others: of documents the one in the
// root session of the family, else the oldest; of entries the one first said.
func (s *search) original(x *candidate) (first *candidate, others []*candidate) {
	if len(x.copies) == 0 {
		return x, nil
	}
	all := append([]*candidate{x}, x.copies...)
	distance := func(x *candidate) int {
		if session, err := s.session(x.doc.session); err == nil && session.Family == session.Row {
			return 0
		}
		return 1
	}
	slices.SortFunc(all, func(a, b *candidate) int {
		if a.entry != nil {
			return cmp.Compare(a.id, b.id)
		}
		return cmp.Or(distance(a)-distance(b), cmp.Compare(a.doc.born, b.doc.born), cmp.Compare(a.id, b.id))
	})
	all[0].score, all[0].verdict = x.score, x.verdict
	return all[0], all[1:]
}
