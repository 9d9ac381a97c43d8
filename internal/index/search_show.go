package index

import (
	"lookback"
	"lookback/internal/words"
)

// show fills the page with the hits of its part of the list.
func (s *search) show(list []item) error {
	from := min(s.page.offset, len(list))
	to := min(from+s.req.Limit, len(list))
	if to < len(list) {
		s.out.Next = s.page.write(s.req, to)
	}
	hits, err := s.hits(list[from:to])
	s.out.Hits = hits
	return err
}

func (s *search) hits(list []item) (hits []Hit, err error) {
	for i := range list {
		h, err := s.hit(&list[i])
		if err != nil {
			return nil, err
		}
		hits = append(hits, h)
	}
	return hits, nil
}

// hit makes the hit of an item, with a snippet of the entry that holds the most
// of what was asked for.
func (s *search) hit(it *item) (Hit, error) {
	d := it.doc
	x, err := s.session(d.session)
	if err != nil {
		return Hit{}, err
	}
	h := Hit{
		Ref: s.refOf(d), Kind: d.kind, Session: *x, First: fromMillis(d.first), Last: fromMillis(d.last),
		Ready: d.state&1 != 0, Completed: d.state&2 != 0, Lacks: it.lacks, AlsoIn: it.copies, Score: it.score,
	}
	if d.node != "" {
		h.Node = nodeID(x, d.node)
	}
	for _, p := range d.parents {
		h.Parents = append(h.Parents, nodeID(x, p))
	}
	if it.entry != 0 {
		h.Kind, h.Ref, h.Node = lookback.KindEntry, lookback.EntryRef(x.ID, seqOf(it.entry)), ""
	}
	if err := s.illustrate(&h, it); err != nil || h.Seq == 0 || it.plain {
		return h, err
	}
	authors, err := s.authors(d.session)
	if h.Seq <= len(authors) {
		h.Author = authors[h.Seq-1]
	}
	return h, err
}

// illustrate chooses the snippet.
func (s *search) illustrate(h *Hit, it *item) error {
	if k := it.doc.kind; k == lookback.KindSummary || k == lookback.KindSession {
		text, err := s.docText(it.doc.id)
		if err != nil {
			return err
		}
		spans, _ := s.locate(text)
		h.setSnippet(text, spans)
		return nil
	}
	ids := []int64{it.entry}
	if it.entry == 0 {
		ids = s.shown(it.doc)
	}
	best := -1
	for _, id := range ids {
		e, err := s.entry(id)
		if err != nil {
			return err
		}
		if e == nil {
			continue
		}
		spans, terms := s.locate(e.text)
		if terms > best {
			best = terms
			h.Seq, h.Role = seqOf(id), e.role
			h.setSnippet(e.text, spans)
		}
	}
	return nil
}

// shown are the entries of a document that the request lets see.
func (s *search) shown(d *docInfo) (ids []int64) {
	role := s.req.Query.Filters.Role
	if role != lookback.RoleAssistant {
		ids = append(ids, d.users...)
	}
	if role != lookback.RoleUser {
		ids = append(ids, d.answers...)
		if !s.req.Terse {
			ids = append(ids, d.steps...)
		}
	}
	return ids
}

// locate finds the places in a text that a snippet should show, and how many of
// the things asked for they are.
func (s *search) locate(text string) (spans []words.Span, terms int) {
	if s.req.Query.Literal {
		spans = words.FindFold(text, s.req.Query.Text, maxSpans)
		return spans, min(len(spans), 1)
	}
	if s.finder == nil {
		return nil, 0
	}
	seen := map[int]bool{}
	for m := range s.finder.Find(text) {
		seen[s.owner[m.Phrase]] = true
		if spans = append(spans, m.Span); len(spans) >= maxSpans {
			break
		}
	}
	return spans, len(seen)
}

// maxSpans bounds how many places of one text are looked at for a snippet.
const maxSpans = 500

func (h *Hit) setSnippet(text string, spans []words.Span) {
	snippet, marks := words.Snippet(text, spans, snippetChars)
	h.Snippet, h.Marks = snippet, h.Marks[:0]
	for _, m := range marks {
		h.Marks = append(h.Marks, Mark(m))
	}
}

func (s *search) refOf(d *docInfo) lookback.Ref {
	x, err := s.session(d.session)
	if err != nil {
		return lookback.Ref{}
	}
	switch {
	case d.kind == lookback.KindSession:
		return lookback.SessionRef(x.ID)
	case d.kind == lookback.KindEntry || d.node == "":
		return lookback.EntryRef(x.ID, seqOf(d.id))
	}
	return lookback.NodeRef(x.ID, nodeID(x, d.node))
}

// nodeID is a node's id in the archive: that of the session's own node for "".
func nodeID(x *Session, node string) string {
	if node == "" {
		return x.Record
	}
	return x.Record + ":" + node
}
