package index

import (
	"slices"

	"lookback/internal/words"
)

const (
	// minChecked is how many of the best documents are taken apart at least to
	// find entries. Those of 120 are read and scanned in about 1.5 ms.
	minChecked = 120
	// entryField is where the words of a single entry are counted, whoever said
	// it. Its length is in bytes: R@10 of LoCoMo / MADial-zh is 72.9 / 63.3 with
	// the b of this field, 72.9 / 60.4 with 0.3.
	entryField = fieldAssistant
)

// taking is what takes documents apart, and the entries it found.
type taking struct {
	ask  *ask
	nots *words.Matcher // finds what must not stand in an entry
	seen map[int64]bool
	list []*candidate
}

// entries takes documents apart, best first, and lists the entries that hold by
// themselves what was asked for. With very many documents the rest are left when
// the page and some more is full; then whole is false.
func (s *search) entries(a *ask, docs []*candidate) (list []*candidate, whole bool, err error) {
	nots, _ := phrasesOf(a.nots)
	t := taking{ask: a, nots: words.NewMatcher(nots), seen: map[int64]bool{}}
	enough := 2*(int(s.page.Offset)+s.req.Limit) + 20
	n := 0
	for ; n < len(docs) && (n < minChecked || len(t.list) < enough); n++ {
		if err := s.takeApart(&t, docs[n]); err != nil {
			return nil, false, err
		}
	}
	s.scoreEntries(t.list, len(a.wants))
	slices.SortFunc(t.list, s.compare)
	return t.list, n == len(docs), nil
}

// takeApart adds the entries of a document that hold what was asked for.
func (s *search) takeApart(t *taking, doc *candidate) error {
	if err := s.row(doc); err != nil {
		return err
	}
	byName := false // something asked for is an author's name, or the session's
	for w := range t.ask.wants {
		byName = byName || doc.counts(w)[fieldMeta] > 0
	}
	for _, id := range s.shown(doc.doc) {
		if t.seen[id] || !s.b.holds(id) {
			continue
		}
		t.seen[id] = true
		row, err := s.entry(id)
		if err != nil {
			return err
		}
		if row == nil {
			continue
		}
		s.out.Visited++
		x := &candidate{id: id, doc: doc.doc, entry: row, tf: make([]uint32, len(doc.tf))}
		x.score.Session, x.score.Summary = doc.score.Session, doc.score.Summary
		s.tally(x, row.text)
		if byName {
			// As if the entry began with its author's name: on chats of two people
			// that alone was worth 8 points of R@10.
			author, err := s.author(doc.doc.session, id)
			if err != nil {
				return err
			}
			s.tally(x, author)
		}
		if t.ask.satisfied(x.holds) && t.ask.passes(x) && !occurs(t.nots, row.text) {
			t.list = append(t.list, x)
		}
	}
	return nil
}

// occurs reports whether any phrase of m stands in the text.
func occurs(m *words.Matcher, text string) bool {
	for range m.Find(text) {
		return true
	}
	return false
}

// tally counts what a text holds.
func (s *search) tally(x *candidate, text string) {
	for m := range s.finder.Find(text) {
		x.counts(s.owner[m.Phrase])[entryField]++
	}
}

// scoreEntries ranks entries among each other by BM25 and terms matched, and
// outside of a conversation also by what their neighbours say.
func (s *search) scoreEntries(list []*candidate, wants int) {
	t := stats{docs: max(2*s.stats.docs, float64(len(list))), holding: holders(list, wants)}
	for _, x := range list {
		t.average[entryField] += float64(len(x.entry.text)) / float64(len(list))
	}
	for _, x := range list {
		t.score(x)
	}
	if !s.b.conversation() {
		addNeighbours(list, list)
	}
}
