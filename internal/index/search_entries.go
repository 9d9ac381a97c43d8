package index

import (
	"cmp"
	"slices"

	"lookback"
)

const (
	// minChecked is how many of the best documents are taken apart at least to
	// find entries. Those of 120 are read and scanned in about 1.5 ms.
	minChecked = 120
	// entryLength is fieldLength for single entries, by the bytes of their words:
	// R@10 of LoCoMo / MADial-zh 72.9 / 60.4 with 0.3, 72.9 / 63.3 with 0.75.
	entryLength = 0.75
)

// found is an entry that holds what was asked for.
type foundEntry struct {
	row    *entryRow
	doc    *candidate
	tf     []int // by want
	score  Score
	sum    float64
	copies []int64
	verdict
}

// rankEntries lists single entries: those of the documents found that hold by
// themselves what was asked for. Documents are taken apart best first; with very
// many, the rest are left when the page and some more is full.
func (s *search) rankEntries(a *ask, t *stats, rule judge, more bool) ([]item, error) {
	docs := make([]*candidate, len(s.found.found))
	for i := range docs {
		x := &s.found.found[i]
		x.sum = x.score.total()
		docs[i] = x
	}
	if rule != nil {
		for _, x := range docs {
			x.verdict, _ = rule(func(w int) bool { return s.found.held(x, w) })
		}
	}
	if !s.b.conversation() {
		if err := s.addSessions(t); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(docs, func(a, b *candidate) int {
		return cmp.Or(byTier(&a.verdict, &b.verdict), cmp.Compare(b.score.total(), a.score.total()), cmp.Compare(b.id, a.id))
	})
	enough := 2*(s.page.offset+s.req.Limit) + 20
	entries := map[int64]*foundEntry{}
	for i, x := range docs {
		if i >= minChecked && len(entries) >= enough {
			more = true
			break
		}
		if err := s.takeApart(a, x, rule, entries); err != nil {
			return nil, err
		}
	}
	list, err := s.scoreEntries(t, entries, docs)
	if err != nil {
		return nil, err
	}
	if len(docs) == maxRanked && more {
		s.note(newestOnly)
	}
	s.out.Total, s.out.AtLeast = len(list), more || s.late
	return list, nil
}

// takeApart finds the entries of a document that hold what was asked for.
func (s *search) takeApart(a *ask, x *candidate, rule judge, entries map[int64]*foundEntry) (err error) {
	if x.doc == nil {
		if x.doc, err = s.doc(x.id); err != nil || x.doc == nil {
			return err
		}
	}
	byName := false // something asked for is an author's name, or the session's
	for w := range a.wants {
		byName = byName || s.found.counts(x, w)[fieldMeta] > 0
	}
	for _, id := range s.shown(x.doc) {
		if entries[id] != nil || !s.b.holds(id) {
			continue
		}
		row, err := s.entry(id)
		if err != nil {
			return err
		}
		if row == nil {
			continue
		}
		s.out.Visited++
		tf := make([]int, len(a.wants))
		for m := range s.finder.Find(row.text) {
			tf[s.owner[m.Phrase]]++
		}
		if byName {
			if err := s.addAuthor(tf, x.doc.session, id); err != nil {
				return err
			}
		}
		if !a.satisfied(tf) || s.excluded(row.text) {
			continue
		}
		e := &foundEntry{row: row, doc: x, tf: tf}
		if rule != nil {
			v, ok := rule(func(w int) bool { return tf[w] > 0 })
			if !ok {
				continue
			}
			e.verdict = v
		}
		entries[id] = e
	}
	return nil
}

// addAuthor counts the name of an entry's author as if the entry began with it:
// on chats of two people that alone was worth 8 points of R@10.
func (s *search) addAuthor(tf []int, session, id int64) error {
	authors, err := s.authors(session)
	if err != nil || len(authors) < seqOf(id) {
		return err
	}
	for m := range s.finder.Find(authors[seqOf(id)-1]) {
		tf[s.owner[m.Phrase]]++
	}
	return nil
}

// satisfied reports whether a text that holds the wants so many times each is
// what is asked for.
func (a *ask) satisfied(tf []int) bool {
	holds := func(group []int) bool {
		return slices.ContainsFunc(group, func(w int) bool { return tf[w] > 0 })
	}
	for _, group := range a.all {
		if !holds(group) {
			return false
		}
	}
	return len(a.some) == 0 || holds(a.some) || holds(a.extra)
}

func (s *search) excluded(text string) bool {
	if s.nots == nil {
		return false
	}
	for range s.nots.Find(text) {
		return true
	}
	return false
}

// scoreEntries ranks entries by BM25 and terms matched, and outside of a
// conversation also by what their session, their summaries and their neighbours
// say.
func (s *search) scoreEntries(t *stats, entries map[int64]*foundEntry, docs []*candidate) ([]item, error) {
	st := &stats{docs: max(2*t.docs, float64(len(entries))), holding: make([]float64, s.found.wants)}
	length := 0.0
	for _, e := range entries {
		length += float64(len(e.row.text)) / float64(len(entries))
		for w, n := range e.tf {
			if n > 0 {
				st.holding[w]++
			}
		}
	}
	for _, e := range entries {
		s.scoreEntry(st, e, length)
	}
	if !s.b.conversation() {
		if err := s.surroundEntries(entries, docs); err != nil {
			return nil, err
		}
	}
	return s.listEntries(entries), nil
}

func (s *search) scoreEntry(st *stats, e *foundEntry, average float64) {
	long := 1 - entryLength + entryLength*float64(len(e.row.text))/max(average, 1)
	for w, n := range e.tf {
		if n > 0 {
			e.score.Words += st.weight(w) * float64(n) * (saturation + 1) / (float64(n) + saturation*long)
			e.score.Matched += perMatch
		}
	}
}

// maxGap is how many entries may lie between two neighbours: the result of a tool
// call, a change of model.
const maxGap = 3

// surroundEntries adds what surrounds an entry.
func (s *search) surroundEntries(entries map[int64]*foundEntry, docs []*candidate) error {
	if err := s.addSummaries(docs); err != nil {
		return err
	}
	for id, e := range entries {
		e.score.Session, e.score.Summary = e.doc.score.Session, e.doc.score.Summary
		for _, step := range [...]int64{-1, 1} {
			for k := int64(1); k <= maxGap; k++ {
				if n := entries[id+step*k]; n != nil {
					e.score.Neighbours += perBeside * n.score.Words
					break
				}
			}
		}
	}
	return nil
}

// listEntries sorts entries, and makes one of what forks copied.
func (s *search) listEntries(entries map[int64]*foundEntry) []item {
	byRoot := map[int64]*foundEntry{}
	for _, e := range entries {
		e.sum = e.score.total()
		first := byRoot[e.row.root]
		switch {
		case first == nil:
			byRoot[e.row.root] = e
		case e.row.id < first.row.id: // the text lies where it was first said
			e.copies = append(first.copies, first.row.id)
			byRoot[e.row.root] = e
		default:
			first.copies = append(first.copies, e.row.id)
		}
	}
	sorted := make([]*foundEntry, 0, len(byRoot))
	for _, e := range byRoot {
		sorted = append(sorted, e)
	}
	slices.SortFunc(sorted, func(a, b *foundEntry) int {
		byTime := cmp.Or(cmp.Compare(b.doc.doc.last, a.doc.doc.last), cmp.Compare(b.row.id, a.row.id))
		if s.req.Newest || s.req.Typing {
			return cmp.Or(byTier(&a.verdict, &b.verdict), byTime)
		}
		return cmp.Or(byTier(&a.verdict, &b.verdict), cmp.Compare(b.sum, a.sum), byTime)
	})
	list := make([]item, len(sorted))
	for i, e := range sorted {
		list[i] = item{doc: e.doc.doc, entry: e.row.id, plain: e.doc.size[fieldMeta] == 0, score: e.score, verdict: e.verdict}
		slices.Sort(e.copies)
		for _, id := range e.copies {
			if seg, err := s.segment(segmentOf(id)); err == nil {
				if x, err := s.session(seg.session); err == nil {
					list[i].copies = append(list[i].copies, lookback.EntryRef(x.ID, seqOf(id)))
				}
			}
		}
	}
	return list
}
