package archive

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"time"

	"lookback"
)

// format is the newest form of records we understand. Files without the field,
// which are all there are so far, have form 1. A later program that changes the
// meaning of fields raises it, and this one then leaves its files alone.
const format = 1

// pi is the agent that records do not name.
const pi = "pi"

// node is a lookback.Node as files hold it. The older program expects lists, not
// null, and times that parse.
type node struct {
	ID        string   `json:"id"`
	Kind      string   `json:"kind"`
	Level     int      `json:"level"`
	EntryIDs  []string `json:"entryIds"`
	Text      string   `json:"text"`
	From      string   `json:"from"`
	To        string   `json:"to"`
	Ready     bool     `json:"ready"`
	Completed bool     `json:"completed"`
	Children  []string `json:"children"`
	Parents   []string `json:"parents"`
}

// encode writes r, each node on a line of its own.
func encode(w *bufio.Writer, r *Record) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	put := func(before string, v any) { // w keeps the first error, and nothing else can fail
		w.WriteString(before)
		enc.Encode(v)
	}
	put(`{"id":`, r.ID)
	put(`,"sessionId":`, r.Session.Native)
	if r.Session.Agent != pi {
		put(`,"agent":`, r.Session.Agent)
	}
	put(`,"name":`, r.Name)
	w.WriteString(`,"nodes":[`)
	for i := range r.Nodes {
		n, comma := &r.Nodes[i], ","
		if i == 0 {
			comma = ""
		}
		put(comma, &node{
			n.ID, n.Kind.String(), n.Level, append([]string{}, n.EntryIDs...), n.Text, stamp(n.From), stamp(n.To),
			n.Ready, n.Completed, append([]string{}, n.Children...), append([]string{}, n.Parents...),
		})
	}
	w.WriteString("]}\n")
	return w.Flush()
}

// stamp writes a time. Years that RFC 3339 cannot hold count as no time.
func stamp(t time.Time) string {
	t = t.UTC()
	if t.Year() < 1 || t.Year() > 9999 {
		t = time.Time{}
	}
	return t.Format("2006-01-02T15:04:05.000Z")
}

// unstamp reads a time. What is no RFC 3339 time counts as none: words must not
// become unreadable because of a clock.
func unstamp(s string) time.Time {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return time.Time{}
	}
	return t.UTC().Truncate(time.Millisecond)
}

// decode reads a record; name is the id that its file name promises. With head it
// stops at the nodes, if what identifies the record stands before them.
func decode(name string, from io.Reader, head bool) (*Record, error) {
	r := &Record{}
	err := r.parse(json.NewDecoder(from), head)
	var file *fs.PathError
	switch {
	case errors.As(err, &file):
		return nil, fmt.Errorf("read record %s: %w", name, err)
	case err == io.EOF:
		return nil, damaged("%v", io.ErrUnexpectedEOF)
	case err != nil:
		return nil, damaged("%.200v", err)
	case r.ID != name:
		return nil, damaged("its id %.60q is not its file name", r.ID)
	}
	at, err := r.check()
	if err != nil {
		return nil, err
	}
	// Links to nodes that are not there go, so that readers can follow all they find.
	gone := func(id string) bool {
		if at[id] == nil {
			r.untidy = append(r.untidy, fmt.Sprintf("links to %.100q, which is not there", id))
		}
		return at[id] == nil
	}
	for i := range r.Nodes {
		r.Nodes[i].Children = slices.DeleteFunc(r.Nodes[i].Children, gone)
		r.Nodes[i].Parents = slices.DeleteFunc(r.Nodes[i].Parents, gone)
	}
	return r, nil
}

func (r *Record) parse(dec *json.Decoder, head bool) error {
	r.Session.Agent = pi
	if err := expect(dec, json.Delim('{')); err != nil {
		return err
	}
	var form int
	var workspace any
	fields := map[json.Token]any{
		"id": &r.ID, "sessionId": &r.Session.Native, "agent": &r.Session.Agent, "name": &r.Name,
		"format": &form, "workspace": &workspace,
	}
	for dec.More() {
		key, err := dec.Token()
		switch {
		case err != nil:
		case key == "nodes" && head && r.ID != "" && r.Session.Native != "":
			return nil
		case key == "nodes":
			err = r.parseNodes(dec)
		case fields[key] != nil:
			err = dec.Decode(fields[key])
		default:
			err = dec.Decode(new(any))
		}
		if err != nil {
			return err
		}
		if form > format {
			return errors.New("it was written by a newer program; use that one")
		}
		if key == "file" || key == "workspace" {
			r.untidy = append(r.untidy, fmt.Sprintf("holds a %s field", key))
		}
	}
	r.workspace, _ = workspace.(string)
	if err := expect(dec, json.Delim('}')); err != nil {
		return err
	}
	if _, err := dec.Token(); err != io.EOF {
		return errors.New("something follows the record")
	}
	return nil
}

func (r *Record) parseNodes(dec *json.Decoder) error {
	if err := expect(dec, json.Delim('[')); err != nil {
		return err
	}
	r.Nodes = nil
	for dec.More() {
		var n node
		if err := dec.Decode(&n); err != nil {
			return err
		}
		kind := kindAt(n.Level)
		if n.Kind != kind.String() {
			return fmt.Errorf("node %.100q is of the wrong kind for its level", n.ID)
		}
		r.Nodes = append(r.Nodes, lookback.Node{
			ID: n.ID, Kind: kind, Level: n.Level, Children: n.Children, Parents: n.Parents, EntryIDs: n.EntryIDs,
			Text: n.Text, From: unstamp(n.From), To: unstamp(n.To), Completed: n.Completed,
			Ready: n.Ready && (n.Text != "" || kind != lookback.KindSummary), // one that is empty is written again
		})
	}
	return expect(dec, json.Delim(']'))
}

func expect(dec *json.Decoder, want json.Delim) error {
	token, err := dec.Token()
	if err == nil && token != want {
		err = fmt.Errorf("%.60v stands where %v should", token, want)
	}
	return err
}
