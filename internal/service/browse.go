package service

import (
	"context"
	"fmt"
	"slices"

	"lookback"
	"lookback/internal/archive"
)

// NodeView is one node of the browse tree with its neighbours.
type NodeView struct {
	Session  Session
	Node     lookback.Node
	Parents  []lookback.Node // without text
	Children []lookback.Node // one page, text cut to a preview
	Total    int             // number of children
	Offset   int             // position of the first child shown
}

// BrowseRequest asks for a node and a page of its children.
type BrowseRequest struct {
	Ref    lookback.Ref // a session or node; an entry means the exchange that holds it
	Offset int          // children to skip
	Limit  int          // children to show, 1…1000; 0 means 20
}

// previewBytes bounds the text of the neighbours in a NodeView.
const previewBytes = 600

// Browse returns a node of the tree, its parents and a page of its children.
// Going up and down by their refs reaches every node of the session.
func (s *Service) Browse(ctx context.Context, scope lookback.Scope, r BrowseRequest) (NodeView, error) {
	sess, err := s.resolve(ctx, scope, r.Ref.Session)
	if err != nil {
		return NodeView{}, err
	}
	record, err := s.record(ctx, sess)
	if err != nil {
		return NodeView{}, err
	}
	if r.Ref.Seq > 0 {
		if r.Ref, err = s.exchangeOf(ctx, sess, record, r.Ref); err != nil {
			return NodeView{}, err
		}
	}
	at := byID(record)
	i, ok := at[r.Ref.NodeID(record.ID)]
	if !ok {
		return NodeView{}, fmt.Errorf("%w: %w", ErrNotFound, noNode(r.Ref))
	}
	v := NodeView{Session: sess, Node: record.Nodes[i], Total: len(record.Nodes[i].Children), Offset: r.Offset}
	for _, id := range v.Node.Parents {
		if p, ok := at[id]; ok {
			v.Parents = append(v.Parents, preview(record.Nodes[p]))
		}
	}
	if r.Limit == 0 {
		r.Limit = 20
	}
	for n := r.Offset; n < min(r.Offset+r.Limit, v.Total); n++ {
		if c, ok := at[v.Node.Children[n]]; ok {
			v.Children = append(v.Children, preview(record.Nodes[c]))
		}
	}
	return v, nil
}

func preview(n lookback.Node) lookback.Node {
	n.Text = lookback.Clip(n.Text, previewBytes)
	return n
}

func byID(r *archive.Record) map[string]int {
	at := make(map[string]int, len(r.Nodes))
	for i := range r.Nodes {
		at[r.Nodes[i].ID] = i
	}
	return at
}

// exchangeOf finds the exchange that holds an entry.
func (s *Service) exchangeOf(ctx context.Context, sess Session, record *archive.Record, r lookback.Ref) (lookback.Ref, error) {
	l, err := s.openLog(ctx, sess)
	if err == nil {
		err = l.numbered()
	}
	if err != nil {
		return r, err
	}
	if r.Seq > len(l.entries) {
		return r, fmt.Errorf("%w: %w", ErrNotFound, noEntry(r, len(l.entries)))
	}
	f := lookback.Exchanges(l.entries)
	x := 0
	for _, n := range lookback.BuildTree(record.ID, record.Name, l.entries, &f) {
		if n.Kind != lookback.KindExchange {
			continue
		}
		if e := &f.Exchanges[x]; e.Answer == r.Seq || slices.Contains(e.Users, r.Seq) || slices.Contains(e.Pieces, r.Seq) || slices.Contains(e.Steps, r.Seq) {
			return lookback.NodeRef(r.Session, n.ID), nil
		}
		x++
	}
	return r, fmt.Errorf("%w: %s is part of no exchange; read it with its number", ErrNotFound, r)
}

// entriesOf lists the Seqs that a node covers: for an exchange all spoken
// entries from its first to its last on that branch, for a summary none, but its
// text.
func (s *Service) entriesOf(ctx context.Context, l *sessionLog, r lookback.Ref, out *Reading) ([]int, error) {
	record, err := s.record(ctx, l.session)
	if err != nil {
		return nil, err
	}
	i, ok := byID(record)[r.NodeID(record.ID)]
	if !ok {
		return nil, fmt.Errorf("%w: %w", ErrNotFound, noNode(r))
	}
	n := &record.Nodes[i]
	if n.Kind == lookback.KindSummary {
		out.Text = n.Text
		return nil, nil
	}
	inside := make(map[string]bool, len(n.EntryIDs))
	for _, id := range n.EntryIDs {
		inside[id] = true
	}
	last := 0
	for i := range l.entries {
		if len(n.EntryIDs) > 0 && l.entries[i].NodeID() == n.EntryIDs[len(n.EntryIDs)-1] {
			last = l.entries[i].Seq
		}
	}
	if last == 0 {
		return nil, fmt.Errorf("%w: %s has no entries in the log any more", ErrNotFound, r)
	}
	path := lookback.Path(l.entries, last)
	for i, seq := range path {
		if inside[l.entries[seq-1].NodeID()] {
			return path[i:], nil
		}
	}
	return []int{last}, nil
}
