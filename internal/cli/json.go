package cli

import (
	"lookback"
	"lookback/internal/render"
	"lookback/internal/service"
)

// The JSON of search, read, tree and sessions. Fields are only ever added;
// docs/scripting.md says what they mean.
type (
	foundDoc struct {
		Query    string   `json:"query"`
		Literal  bool     `json:"literal"`
		Question bool     `json:"question"`
		Scope    string   `json:"scope"`
		Root     string   `json:"root,omitempty"`
		Total    int      `json:"total"`
		AtLeast  bool     `json:"atLeast"`
		Hits     []hitDoc `json:"hits"`
		Related  []hitDoc `json:"related"`
		Missing  []string `json:"missing"`
		Notes    []string `json:"notes"`
		Next     string   `json:"next,omitempty"`
		Outside  int      `json:"outside"`
	}
	hitDoc struct {
		Ref       lookback.Ref   `json:"ref"`
		Kind      string         `json:"kind"`
		Seq       int            `json:"seq,omitempty"`
		Role      string         `json:"role,omitempty"`
		Author    string         `json:"author,omitempty"`
		Snippet   string         `json:"snippet"`
		Marks     [][2]int       `json:"marks"`
		From      render.Stamp   `json:"from"`
		To        render.Stamp   `json:"to"`
		Ready     bool           `json:"ready"`
		Completed bool           `json:"completed"`
		Parents   []lookback.Ref `json:"parents"`
		Lacks     []string       `json:"lacks"`
		AlsoIn    []lookback.Ref `json:"alsoIn"`
		Session   sessionDoc     `json:"session"`
	}
	sessionsDoc struct {
		Sessions []sessionDoc `json:"sessions"`
		Total    int          `json:"total"`
		Offset   int          `json:"offset"`
		Scope    string       `json:"scope"`
		Root     string       `json:"root,omitempty"`
	}
	sessionDoc struct {
		Ref       lookback.Ref `json:"ref"`
		Agent     string       `json:"agent"`
		ID        string       `json:"id"`
		Name      string       `json:"name"`
		Cwd       string       `json:"cwd"`
		From      render.Stamp `json:"from"`
		To        render.Stamp `json:"to"`
		Entries   int          `json:"entries"`
		Exchanges int          `json:"exchanges"`
		Pending   int          `json:"pending"`
		Source    string       `json:"source"`
		Parent    string       `json:"parent,omitempty"`
	}
	treeDoc struct {
		Session  sessionDoc `json:"session"`
		Node     nodeDoc    `json:"node"`
		Parents  []nodeDoc  `json:"parents"`
		Children []nodeDoc  `json:"children"`
		Total    int        `json:"total"`
		Offset   int        `json:"offset"`
	}
	nodeDoc struct {
		Ref       lookback.Ref   `json:"ref"`
		Kind      string         `json:"kind"`
		Level     int            `json:"level"`
		From      render.Stamp   `json:"from"`
		To        render.Stamp   `json:"to"`
		Ready     bool           `json:"ready"`
		Completed bool           `json:"completed"`
		Text      string         `json:"text"`
		Children  []lookback.Ref `json:"children"`
		Parents   []lookback.Ref `json:"parents"`
		EntryIDs  []string       `json:"entryIds"`
	}
	readingDoc struct {
		Ref      lookback.Ref `json:"ref"`
		Session  sessionDoc   `json:"session"`
		Origin   string       `json:"origin"`
		Leaf     int          `json:"leaf"`
		Boundary *boundaryDoc `json:"boundary"`
		Text     string       `json:"text,omitempty"`
		Entries  []entryDoc   `json:"entries"`
		More     bool         `json:"more"`
	}
	boundaryDoc struct {
		Cause string `json:"cause"`
		Entry int    `json:"entry"`
		At    int    `json:"at"`
	}
	entryDoc struct {
		Ref      lookback.Ref `json:"ref"`
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
		Kind string `json:"kind"`
		Text string `json:"text,omitempty"`
	}
	callDoc struct {
		ID     string `json:"id"`
		Name   string `json:"name"`
		Status string `json:"status"`
	}
	cutDoc struct {
		Cause string `json:"cause"`
		Text  string `json:"text"`
	}
)

// list gives an empty list for none, so that scripts always find an array.
func list[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// each turns a list into another; it is never nil.
func each[T, U any](in []T, turn func(*T) U) []U {
	out := make([]U, len(in))
	for i := range in {
		out[i] = turn(&in[i])
	}
	return out
}

// nodeRefs turns archive node ids into refs.
func nodeRefs(id lookback.SessionID, nodes []string) []lookback.Ref {
	return each(nodes, func(node *string) lookback.Ref { return lookback.NodeRef(id, *node) })
}

func foundJSON(f *found) foundDoc {
	return foundDoc{
		Query: f.query.Text, Literal: f.query.Literal, Question: f.query.Question, Scope: f.place.kind(), Root: f.place.root,
		Total: f.Total, AtLeast: f.AtLeast, Hits: each(f.Hits, hitJSON), Related: each(f.Related, hitJSON),
		Missing: list(f.Missing), Notes: list(f.Notes), Next: f.Next, Outside: f.elsewhere,
	}
}

func hitJSON(h *service.Hit) hitDoc {
	return hitDoc{
		Ref: h.Ref, Kind: h.Kind.String(), Seq: h.Seq, Role: h.Role.String(), Author: h.Author, Snippet: h.Snippet,
		Marks: each(h.Marks, func(m *service.Mark) [2]int { return [2]int{m.Start, m.End} }),
		From:  render.Stamp(h.First), To: render.Stamp(h.Last), Ready: h.Ready, Completed: h.Completed,
		Parents: nodeRefs(h.Session.ID, h.Parents), Lacks: list(h.Lacks), AlsoIn: list(h.AlsoIn), Session: sessionJSON(&h.Session),
	}
}

func sessionJSON(s *service.Session) sessionDoc {
	d := sessionDoc{
		Ref: lookback.SessionRef(s.ID), Agent: s.ID.Agent, ID: s.ID.Native, Name: s.Name, Cwd: s.Cwd,
		From: render.Stamp(s.First), To: render.Stamp(s.Last), Entries: s.Entries, Exchanges: s.Exchanges, Pending: s.Pending,
		Source: s.Source, Parent: s.Parent,
	}
	if s.Gone {
		d.Source = ""
	}
	return d
}

func treeJSON(v *service.NodeView) treeDoc {
	node := func(n *lookback.Node) nodeDoc {
		id := v.Session.ID
		return nodeDoc{
			Ref: lookback.NodeRef(id, n.ID), Kind: n.Kind.String(), Level: n.Level, From: render.Stamp(n.From), To: render.Stamp(n.To),
			Ready: n.Ready, Completed: n.Completed, Text: n.Text, Children: nodeRefs(id, n.Children), Parents: nodeRefs(id, n.Parents),
			EntryIDs: list(n.EntryIDs),
		}
	}
	return treeDoc{sessionJSON(&v.Session), node(&v.Node), each(v.Parents, node), each(v.Children, node), v.Total, v.Offset}
}

func readingJSON(r *service.Reading) readingDoc {
	d := readingDoc{
		Ref: r.Ref, Session: sessionJSON(&r.Session), Origin: string(r.Origin), Leaf: r.Leaf, Text: r.Text, More: r.More,
		Entries: each(r.Entries, func(e *lookback.Entry) entryDoc { return entryJSON(e, r) }),
	}
	if b := r.Boundary; b != nil {
		d.Boundary = &boundaryDoc{b.Cause.String(), b.Entry, b.At}
	}
	return d
}

func entryJSON(e *lookback.Entry, r *service.Reading) entryDoc {
	kinds := map[lookback.PartKind]string{
		lookback.PartText: "text", lookback.PartImage: "image", lookback.PartThinking: "thinking", lookback.PartAttachment: "attachment",
	}
	d := entryDoc{
		Ref: lookback.EntryRef(r.Session.ID, e.Seq), Seq: e.Seq, ID: e.ID, Role: e.Role.String(), Author: e.Author,
		Time: render.Stamp(e.Time), Injected: e.Injected,
		Parts: each(e.Parts, func(p *lookback.Part) partDoc { return partDoc{kinds[p.Kind], p.Text} }),
		Calls: each(e.Calls, func(c *lookback.Call) callDoc { return callDoc{c.ID, c.Name, r.Statuses[c.ID]} }),
	}
	if e.Cut != nil {
		d.Cut = &cutDoc{e.Cut.Cause.String(), e.Cut.Text}
	}
	return d
}
