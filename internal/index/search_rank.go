package index

import (
	"cmp"
	"slices"

	"lookback"
	"lookback/internal/words"
)

// minWindow is how many of the best candidates are looked at more closely at
// least: their rows are read, and what their summaries and neighbours add.
const minWindow = 200

// ranked finds, ranks and lists what is asked for, best first.
func (s *search) ranked(a *ask, rule judge) ([]item, error) {
	s.prepare(a)
	s.driven, s.held = false, nil
	more, err := s.gather(a)
	if err := s.excuse(err); err != nil {
		return nil, err
	}
	t, err := s.measure(a, more)
	if err != nil {
		return nil, err
	}
	for i := range s.found.found {
		t.score(s.found, &s.found.found[i])
	}
	s.stats = t
	if s.entryHits() {
		return s.rankEntries(a, t, rule, more)
	}
	if err := s.addSessions(t); err != nil {
		return nil, err
	}
	s.apply(rule)
	window, err := s.window()
	if err != nil {
		return nil, err
	}
	if err := s.addSurroundings(window); err != nil {
		return nil, err
	}
	left := len(window)
	window = s.order(window)
	list, hidden := s.collapse(window)
	hidden += left - len(window)
	return list, s.total(a, len(s.found.found)-hidden, more)
}

// prepare makes ready to collect what holds the wants.
func (s *search) prepare(a *ask) {
	s.found.clear(len(a.wants))
	var phrases []words.Phrase
	phrases, s.owner = phrasesOf(a.wants)
	s.finder, s.nots = words.NewMatcher(phrases), nil
	if len(a.nots) > 0 {
		phrases, _ = phrasesOf(a.nots)
		s.nots = words.NewMatcher(phrases)
	}
}

// apply lets the rule judge the candidates and keeps those that it lets pass.
func (s *search) apply(rule judge) {
	if rule == nil {
		return
	}
	kept := s.found.found[:0]
	for _, x := range s.found.found {
		var ok bool
		x.verdict, ok = rule(func(w int) bool { return s.found.held(&x, w) })
		if ok {
			kept = append(kept, x)
		}
	}
	s.found.found = kept
}

// window sorts the candidates by what is known of them without their rows, and
// reads the rows of the best: of all where order or number depend on rows.
func (s *search) window() ([]*candidate, error) {
	all := make([]*candidate, len(s.found.found))
	for i := range s.found.found {
		x := &s.found.found[i]
		x.sum = x.score.total()
		all[i] = x
	}
	slices.SortFunc(all, func(a, b *candidate) int {
		return cmp.Or(byTier(&a.verdict, &b.verdict), cmp.Compare(b.sum, a.sum), cmp.Compare(b.id, a.id))
	})
	whole, err := s.needsRows()
	if err != nil {
		return nil, err
	}
	if n := max(minWindow, s.page.offset+s.req.Limit+100); !whole && len(all) > n {
		all = all[:n]
	}
	for _, x := range all {
		if x.doc, err = s.doc(x.id); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// needsRows reports whether the rows of all candidates are needed: to order by
// time, to leave kinds out, to count copies once.
func (s *search) needsRows() (bool, error) {
	if s.req.Newest || s.req.Typing || len(s.req.Kinds)+len(s.req.Query.Filters.Kinds) > 0 {
		return true, nil
	}
	forks, err := s.c.number("SELECT EXISTS (SELECT 1 FROM session WHERE parent <> '' AND family <> id)")
	return forks != 0, err
}

// order gives the candidates that may be hits, best first, ties newest first.
func (s *search) order(window []*candidate) []*candidate {
	w := s.wanted()
	window = slices.DeleteFunc(window, func(x *candidate) bool { return x.doc == nil || !slices.Contains(w, x.doc.kind) })
	slices.SortFunc(window, func(a, b *candidate) int {
		byTime := cmp.Or(cmp.Compare(b.doc.last, a.doc.last), cmp.Compare(b.id, a.id))
		if s.req.Newest || s.req.Typing {
			return cmp.Or(byTier(&a.verdict, &b.verdict), byTime)
		}
		return cmp.Or(byTier(&a.verdict, &b.verdict), cmp.Compare(b.sum, a.sum), byTime)
	})
	return window
}

// collapse makes one item of what forks and clones copied, and says how many it
// took away. The original shows: the copy in the root session of the family, else
// the oldest.
func (s *search) collapse(order []*candidate) (out []item, hidden int) {
	at := map[int64]int{}
	copies := map[int][]*docInfo{}
	for _, x := range order {
		n, seen := at[x.doc.twin]
		if x.doc.twin == 0 || !seen {
			at[x.doc.twin] = len(out)
			out = append(out, item{doc: x.doc, plain: x.size[fieldMeta] == 0, score: x.score, verdict: x.verdict})
			continue
		}
		copies[n] = append(copies[n], x.doc)
		hidden++
	}
	for n, more := range copies {
		s.original(&out[n], append(more, out[n].doc))
	}
	return out, hidden
}

// original shows one of several copies and notes the others.
func (s *search) original(it *item, docs []*docInfo) {
	if len(docs) > 1 {
		slices.SortFunc(docs, func(a, b *docInfo) int {
			return cmp.Or(s.distance(a)-s.distance(b), cmp.Compare(a.born, b.born), cmp.Compare(a.id, b.id))
		})
	}
	it.doc = docs[0]
	for _, d := range docs[1:] {
		it.copies = append(it.copies, s.refOf(d))
	}
}

// distance is 0 for a document of a family's root.
func (s *search) distance(d *docInfo) int {
	if x, err := s.session(d.session); err == nil && x.Family == d.session {
		return 0
	}
	return 1
}

const newestOnly = "only the newest 2,000 matches were ranked"

// total says how many full matches there are. Copies beyond those ranked are
// counted like originals, which "at least" covers.
func (s *search) total(a *ask, listed int, more bool) error {
	s.out.Total = listed
	if !more || s.late {
		return nil
	}
	s.out.AtLeast = true
	switch {
	case s.driven:
		s.note("only the newest matches, and those of the rarest words, were ranked")
		return nil
	case len(s.req.Kinds)+len(s.req.Query.Filters.Kinds) > 0:
		s.note(newestOnly)
		return nil // what is counted may be of other kinds
	}
	s.note(newestOnly)
	oldest := s.found.found[0].id
	for i := range s.found.found {
		oldest = min(oldest, s.found.found[i].id)
	}
	n, err := s.countBelow(a, maxCounted-maxRanked, oldest)
	if err != nil {
		return err
	}
	hidden := len(s.found.found) - listed
	s.out.Total, s.out.AtLeast = listed+n, n >= maxCounted-maxRanked || hidden > 0
	return nil
}

// wanted are the kinds of hits asked for.
func (s *search) wanted() []lookback.Kind {
	asked, filter := s.req.Kinds, s.req.Query.Filters.Kinds
	switch {
	case len(asked) == 0 && len(filter) == 0:
		return []lookback.Kind{lookback.KindExchange, lookback.KindSummary, lookback.KindEntry}
	case len(asked) == 0:
		return filter
	case len(filter) == 0:
		return asked
	}
	var both []lookback.Kind
	for _, k := range asked {
		if slices.Contains(filter, k) {
			both = append(both, k)
		}
	}
	return both
}

// entryHits reports whether single entries are to be found, also those that
// belong to exchanges.
func (s *search) entryHits() bool {
	w := s.wanted()
	return s.b.conversation() || len(w) == 1 && w[0] == lookback.KindEntry
}

// boundKinds bounds to the documents that the kinds asked for need. Summaries are
// also looked at for the sake of what they cover. The default has no bound: what
// it leaves out is too little to be worth one.
func (s *search) boundKinds() {
	w := s.wanted()
	switch {
	case s.b.conversation() || len(s.req.Kinds) == 0 && len(s.req.Query.Filters.Kinds) == 0:
	case len(w) == 0:
		s.b.nothing = true
	case s.entryHits():
		s.b.kinds(lookback.KindExchange, lookback.KindEntry, lookback.KindSummary)
	case slices.Contains(w, lookback.KindExchange) && !slices.Contains(w, lookback.KindSummary):
		s.b.kinds(append([]lookback.Kind{lookback.KindSummary}, w...)...)
	default:
		s.b.kinds(w...)
	}
}
