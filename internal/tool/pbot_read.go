package tool

import (
	"context"
	"errors"
	"fmt"
	"slices"
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

func (s *Set) pbotRead(ctx context.Context, c Caller, scope lookback.Scope, v values, warnings []string) (Result, error) {
	view, ref, err := s.node(ctx, scope, strings.TrimSpace(v.str("id")), v.num("childrenOffset", 0))
	if err != nil {
		return Result{}, err
	}
	text := shownText(view.Node.Text)
	if view.Node.Kind == lookback.KindSession {
		text = valid(view.Session.Name)
	}
	offset := v.num("offset", 0)
	page, next, ok := unitPage(text, offset, v.num("limit", defaultRead))
	if !ok {
		return Result{}, fmt.Errorf("argument \"offset\" is %d, past the end: the text has %d UTF-16 units", offset, unitLen(text))
	}
	n := nodeOf(&view)
	n.Text, n.TotalLength = page, unitLen(text)
	if next >= 0 {
		n.NextOffset = &next
	}
	n.Warnings = warningsOf(&view)
	out := Opened{Node: n, Warnings: warnings}
	r := Result{Structured: out, Text: out.text(&view, offset, c.textBudget())}
	r.Links = []Link{{Ref: ref.String(), Name: n.Kind + " in " + n.Name}}
	return r, nil
}

// node opens a node. What lies elsewhere and what exists nowhere get one answer.
func (s *Set) node(ctx context.Context, scope lookback.Scope, id string, children int) (service.NodeView, lookback.Ref, error) {
	unknown := fmt.Errorf("argument \"id\": nothing in this workspace has the id %s; search again and take an id from a match", clip(id, 120))
	ref, err := s.svc.NodeNamed(ctx, scope, id)
	if err == nil {
		var view service.NodeView
		view, err = s.svc.Browse(ctx, scope, service.BrowseRequest{Ref: ref, Offset: children, Limit: maxChildren})
		if err == nil {
			return view, ref, nil
		}
	}
	if errors.Is(err, service.ErrNotFound) {
		err = unknown
	}
	return service.NodeView{}, ref, err
}

func nodeOf(view *service.NodeView) Node {
	n := Node{
		Head: nodeHead(view, &view.Node), Parents: []Head{}, ParentsTotal: len(view.Parents), Children: []Head{},
		Source: Source{SessionID: view.Session.ID.Native, EntryIDs: append([]string{}, view.Node.EntryIDs[:min(len(view.Node.EntryIDs), maxSources)]...)},
	}
	for i := range view.Parents[:min(len(view.Parents), maxParents)] {
		n.Parents = append(n.Parents, nodeHead(view, &view.Parents[i]))
	}
	for i := range view.Children {
		n.Children = append(n.Children, nodeHead(view, &view.Children[i]))
	}
	if next := view.Offset + maxChildren; next < view.Total {
		n.NextChildrenOffset = &next
	}
	return n
}

func nodeHead(view *service.NodeView, n *lookback.Node) Head {
	h := headOf(&view.Session)
	h.ID, h.Kind, h.From, h.To, h.Ready, h.Completed = n.ID, n.Kind.String(), stamp(n.From), stamp(n.To), n.Ready, n.Completed
	h.Preview = flat(shownText(n.Text), previewUnits)
	if n.Kind == lookback.KindSession {
		h.Preview = flat(h.Name, previewUnits)
	}
	return h
}

func warningsOf(view *service.NodeView) []string {
	out := []string{}
	switch n := &view.Node; {
	case !n.Ready:
		out = append(out, "This summary is not written yet: read its children.")
	case n.Kind == lookback.KindSummary:
		out = append(out, "A summary is a lead: check what matters in the exchanges below it.")
	case n.Kind == lookback.KindExchange && !n.Completed:
		out = append(out, "This exchange has no finished answer.")
	}
	return out
}

// text is the form for a model. It is cut to the budget by itself, and then says
// where to go on.
func (o *Opened) text(view *service.NodeView, offset, budget int) string {
	n := &o.Node
	var head, tail strings.Builder
	head.WriteString(n.line() + "\n\n")
	list := func(name string, heads []Head, total int) {
		if len(heads) == 0 {
			return
		}
		fmt.Fprintf(&tail, "\n%s (%d of %d):\n", name, len(heads), total)
		for i := range heads {
			tail.WriteString("  " + heads[i].line() + "\n")
			if heads[i].Kind != lookback.KindSession.String() && heads[i].Preview != "" {
				tail.WriteString("    " + heads[i].Preview + "\n")
			}
		}
	}
	list("Children", n.Children, view.Total)
	list("Parents", n.Parents, n.ParentsTotal)
	notes := slices.Concat(n.Warnings, o.Warnings)
	text := n.Text
	if room := budget - spareBytes - len(defuse(head.String())) - len(defuse(tail.String())); len(text) > room/2 {
		text = fitText(text, room)
	}
	switch {
	case len(text) < len(n.Text):
		_, from := unitIndex(shownText(view.Node.Text), offset)
		notes = append([]string{fmt.Sprintf("The text was cut here: read on with offset %d.", from+unitLen(text))}, notes...)
	case n.NextOffset != nil:
		notes = append([]string{fmt.Sprintf("The text goes on: read with offset %d of %d.", *n.NextOffset, n.TotalLength)}, notes...)
	}
	if n.NextChildrenOffset != nil {
		notes = append(notes, fmt.Sprintf("There are more children: read with childrenOffset %d.", *n.NextChildrenOffset))
	}
	return frame(lookback.SessionRef(view.Session.ID).String(), head.String()+text+"\n"+tail.String(), notes...)
}

// fitText cuts a text to so many bytes as a frame writes it.
func fitText(s string, room int) string {
	used := 0
	for i, r := range s {
		_, n := runeCost(r)
		if used += n; used > room {
			return s[:i]
		}
	}
	return s
}
