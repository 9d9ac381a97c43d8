package cli

import (
	"lookback"
	"lookback/internal/render"
	"lookback/internal/service"
)

// The JSON of read, one object a line.
type (
	readingDoc struct {
		Ref      string       `json:"ref"`
		Session  sessionDoc   `json:"session"`
		Origin   string       `json:"origin"` // "log" or "archive"
		Leaf     int          `json:"leaf"`
		Boundary *boundaryDoc `json:"boundary"`
		Text     string       `json:"text,omitempty"` // of a summary
		Entries  []entryDoc   `json:"entries"`
		More     bool         `json:"more"`
	}
	boundaryDoc struct {
		Cause string `json:"cause"`
		Entry int    `json:"entry"` // first entry still in the model's context
		At    int    `json:"at"`    // the record that says so
	}
	entryDoc struct {
		Ref      string       `json:"ref"`
		Seq      int          `json:"seq"`
		ID       string       `json:"id"`
		Role     string       `json:"role"`
		Author   string       `json:"author,omitempty"`
		Time     render.Stamp `json:"time"`
		Injected bool         `json:"injected,omitempty"`
		Parts    []partDoc    `json:"parts"`
		Calls    []callDoc    `json:"calls,omitempty"`
		Cut      *cutDoc      `json:"cut,omitempty"`
	}
	partDoc struct {
		Kind string `json:"kind"` // text, image, thinking, attachment
		Text string `json:"text,omitempty"`
	}
	callDoc struct {
		ID     string `json:"id"`
		Name   string `json:"name"`
		Status string `json:"status"` // ok, error, aborted or pending
	}
	cutDoc struct {
		Cause string `json:"cause"`
		Text  string `json:"text"`
	}
)

func readingJSON(r *service.Reading) readingDoc {
	d := readingDoc{
		Ref: r.Ref.String(), Session: sessionJSON(&r.Session), Origin: string(r.Origin), Leaf: r.Leaf, Text: r.Text,
		Entries: make([]entryDoc, len(r.Entries)), More: r.More,
	}
	if b := r.Boundary; b != nil {
		d.Boundary = &boundaryDoc{b.Cause.String(), b.Entry, b.At}
	}
	for i := range r.Entries {
		d.Entries[i] = entryJSON(&r.Entries[i], r)
	}
	return d
}

func entryJSON(e *lookback.Entry, r *service.Reading) entryDoc {
	d := entryDoc{
		Ref: lookback.EntryRef(r.Session.ID, e.Seq).String(), Seq: e.Seq, ID: e.ID, Role: e.Role.String(), Author: e.Author,
		Time: render.Stamp(e.Time), Injected: e.Injected, Parts: []partDoc{},
	}
	kinds := map[lookback.PartKind]string{
		lookback.PartText: "text", lookback.PartImage: "image", lookback.PartThinking: "thinking", lookback.PartAttachment: "attachment",
	}
	for _, p := range e.Parts {
		d.Parts = append(d.Parts, partDoc{kinds[p.Kind], p.Text})
	}
	for _, c := range e.Calls {
		d.Calls = append(d.Calls, callDoc{c.ID, c.Name, r.Statuses[c.ID]})
	}
	if e.Cut != nil {
		d.Cut = &cutDoc{e.Cut.Cause.String(), e.Cut.Text}
	}
	return d
}
