package tool

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"lookback"
	"lookback/internal/service"
)

// Opened is what pbot_history gives for a read.
type Opened struct {
	Node     Node     `json:"node"`
	Warnings []string `json:"warnings"`
}

// Node is a node with a page of its text and of its children.
type Node struct {
	Head
	Text               string   `json:"text"`
	TotalLength        int      `json:"totalLength"`
	NextOffset         *int     `json:"nextOffset"`
	Parents            []Head   `json:"parents"`
	ParentsTotal       int      `json:"parentsTotal"`
	Children           []Head   `json:"children"`
	NextChildrenOffset *int     `json:"nextChildrenOffset"`
	Source             Source   `json:"source"`
	Warnings           []string `json:"warnings"`
}

// Source says which entries a node was made of.
type Source struct {
	SessionID string   `json:"sessionId"`
	EntryIDs  []string `json:"entryIds"`
}

const (
	maxParents  = 20
	maxChildren = 20
	maxSources  = 1000 // entry ids of a damaged log's endless exchange
	defaultRead = 12_000
)

func (s *Set) pbotRead(ctx context.Context, c Caller, scope lookback.Scope, a pbotArgs, warnings []string) (Result, error) {
	view, ref, err := s.node(ctx, scope, strings.TrimSpace(a.ID), a.ChildrenOffset)
	if err != nil {
		return Result{}, err
	}
	text := shown(view.Node.Text)
	if view.Node.Kind == lookback.KindSession {
		text = valid(view.Session.Name)
	}
	units := unitsOf(text)
	if a.Offset > len(units) {
		return Result{}, fmt.Errorf("argument \"offset\" is %d, past the end: the text has %d UTF-16 units", a.Offset, len(units))
	}
	from := units.start(a.Offset)
	to := units.end(from, cmp.Or(a.Limit, defaultRead))
	n := nodeOf(&view)
	n.Text, n.TotalLength = units[from:to].String(), len(units)
	if to < len(units) {
		n.NextOffset = &to
	}
	o := Opened{Node: n, Warnings: warnings}
	return Result{Structured: o, Text: o.text(&view, from, c.maxText()-spareBytes), Links: []Link{n.link(ref.String())}}, nil
}

// node opens a node. What lies elsewhere and what exists nowhere get one answer.
func (s *Set) node(ctx context.Context, scope lookback.Scope, id string, children int) (view service.NodeView, ref lookback.Ref, err error) {
	if ref, err = s.svc.NodeNamed(ctx, scope, id); err == nil {
		view, err = s.svc.Browse(ctx, scope, service.BrowseRequest{Ref: ref, Offset: children, Limit: maxChildren})
	}
	if errors.Is(err, service.ErrNotFound) {
		err = fmt.Errorf("argument \"id\": nothing in this workspace has the id %s; search again and take an id from a match", clip(id, 120))
	}
	return view, ref, err
}

func nodeOf(view *service.NodeView) Node {
	n := Node{
		Head: headOf(&view.Session, &view.Node), Parents: []Head{}, ParentsTotal: len(view.Parents), Children: []Head{}, Warnings: []string{},
		Source: Source{SessionID: view.Session.ID.Native, EntryIDs: append([]string{}, view.Node.EntryIDs[:min(len(view.Node.EntryIDs), maxSources)]...)},
	}
	for i := range view.Parents[:min(len(view.Parents), maxParents)] {
		n.Parents = append(n.Parents, headOf(&view.Session, &view.Parents[i]))
	}
	for i := range view.Children {
		n.Children = append(n.Children, headOf(&view.Session, &view.Children[i]))
	}
	if next := view.Offset + maxChildren; next < view.Total {
		n.NextChildrenOffset = &next
	}
	switch {
	case !n.Ready:
		n.Warnings = append(n.Warnings, "This summary is not written yet: read its children.")
	case view.Node.Kind == lookback.KindSummary:
		n.Warnings = append(n.Warnings, "A summary is a lead: check what matters in the exchanges below it.")
	case view.Node.Kind == lookback.KindExchange && !n.Completed:
		n.Warnings = append(n.Warnings, "This exchange has no finished answer.")
	}
	return n
}

// text is the form for a model: at most room bytes inside the frame. What was cut
// to that says where to go on.
func (o *Opened) text(view *service.NodeView, from, room int) string {
	n := &o.Node
	around := defuse(listed("Children", n.Children, view.Total) + listed("Parents", n.Parents, n.ParentsTotal))
	around = lookback.Clip(around, room*2/3)
	text := lookback.Clip(defuse(n.Text), max(room-len(around)-len(n.line()), 0)) // a defused text has as many units
	var notes []string
	if next := from + len(unitsOf(text)); next < n.TotalLength {
		notes = append(notes, fmt.Sprintf("The text goes on: read with offset %d of %d.", next, n.TotalLength))
	}
	if n.NextChildrenOffset != nil {
		notes = append(notes, fmt.Sprintf("There are more children: read with childrenOffset %d.", *n.NextChildrenOffset))
	}
	notes = append(append(notes, n.Warnings...), o.Warnings...)
	return frame(nameOf(view.Session.ID), n.line()+"\n"+text+"\n"+around, notes...)
}

func listed(name string, heads []Head, total int) string {
	if len(heads) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s (%d of %d):\n", name, len(heads), total)
	for i := range heads {
		h := &heads[i]
		b.WriteString("  " + h.line())
		if h.Kind != lookback.KindSession.String() && h.Preview != "" {
			b.WriteString("    " + h.Preview + "\n")
		}
	}
	return b.String()
}
