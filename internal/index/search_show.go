package index

import (
	"lookback"
	"lookback/internal/words"
)

// snippetChars is how long a snippet may be, in characters.
const snippetChars = 300

// maxSpans bounds how many places of one text are looked at for a snippet.
const maxSpans = 500

// show fills the page with the hits of its part of the list.
func (s *search) show(list []*candidate) (err error) {
	from := min(int(s.page.Offset), len(list))
	to := min(from+s.req.Limit, len(list))
	if to < len(list) {
		s.out.Next = s.page.write(s.req, to)
	}
	s.out.Hits, err = s.hits(list[from:to])
	return err
}

func (s *search) hits(list []*candidate) ([]Hit, error) {
	hits := make([]Hit, len(list))
	for i, x := range list {
		if err := s.hit(&hits[i], x); err != nil {
			return nil, err
		}
	}
	return hits, nil
}

// hit makes the hit of a candidate and its copies, with a snippet of the entry
// that holds the most of what was asked for.
func (s *search) hit(h *Hit, x *candidate) error {
	for _, y := range append(x.copies, x) {
		if err := s.row(y); err != nil {
			return err
		}
	}
	x, others := s.original(x)
	x.score.total()
	s.explain(x)
	d := x.doc
	session, err := s.session(d.session)
	if err != nil {
		return err
	}
	*h = Hit{
		Ref: s.refOf(x), Kind: d.kind, Session: *session, First: fromMillis(d.first), Last: fromMillis(d.last),
		Ready: d.state&stateReady != 0, Completed: d.state&stateCompleted != 0, Lacks: x.lacks, Score: x.score,
	}
	if d.node != "" {
		h.Node = nodeID(session, d.node)
	}
	for _, p := range d.parents {
		h.Parents = append(h.Parents, nodeID(session, p))
	}
	for _, y := range others {
		h.AlsoIn = append(h.AlsoIn, s.refOf(y))
	}
	if x.entry != nil {
		h.Kind, h.Node = lookback.KindEntry, ""
	}
	if err := s.illustrate(h, x); err != nil || h.Seq == 0 {
		return err
	}
	if d.size[fieldMeta] > 0 || s.req.Query.Literal { // else nobody's name is noted with it
		h.Author, err = s.author(d.session, int64(h.Seq))
	}
	return err
}

// illustrate chooses the snippet.
func (s *search) illustrate(h *Hit, x *candidate) error {
	if k := x.doc.kind; k == lookback.KindSummary || k == lookback.KindSession {
		text, _, err := s.c.text("SELECT text FROM doc WHERE id = ?", x.id)
		spans, _ := s.locate(text)
		h.setSnippet(text, spans)
		return err
	}
	ids := []int64{x.id}
	if x.entry == nil {
		ids = s.shown(x.doc)
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
		if spans, terms := s.locate(e.text); terms > best {
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
	seen := map[int]bool{}
	for m := range s.finder.Find(text) {
		seen[s.owner[m.Phrase]] = true
		if spans = append(spans, m.Span); len(spans) >= maxSpans {
			break
		}
	}
	return spans, len(seen)
}

func (h *Hit) setSnippet(text string, spans []words.Span) {
	snippet, marks := words.Snippet(text, spans, snippetChars)
	h.Snippet, h.Marks = snippet, h.Marks[:0]
	for _, m := range marks {
		h.Marks = append(h.Marks, Mark(m))
	}
}

// refOf names a candidate, whose row is known.
func (s *search) refOf(x *candidate) lookback.Ref {
	session, err := s.session(x.doc.session)
	switch d := x.doc; {
	case err != nil:
		return lookback.Ref{}
	case x.entry == nil && d.kind == lookback.KindSession:
		return lookback.SessionRef(session.ID)
	case x.entry != nil || d.node == "":
		return lookback.EntryRef(session.ID, seqOf(x.id))
	}
	return lookback.NodeRef(session.ID, nodeID(session, x.doc.node))
}

// nodeID is a node's id in the archive: that of the session's own node for "".
func nodeID(x *Session, node string) string {
	if node == "" {
		return x.Record
	}
	return x.Record + ":" + node
}
