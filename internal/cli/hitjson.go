package cli

import (
	"lookback"
	"lookback/internal/render"
	"lookback/internal/service"
)

// The JSON of search. Fields are only ever added; docs/scripting.md documents them.
type (
	foundDoc struct {
		Query    string   `json:"query"`
		Literal  bool     `json:"literal"`
		Question bool     `json:"question"`
		Scope    string   `json:"scope"` // "all" or "workspace"
		Root     string   `json:"root,omitempty"`
		Total    int      `json:"total"`
		AtLeast  bool     `json:"atLeast"`
		Hits     []hitDoc `json:"hits"`
		Related  []hitDoc `json:"related"`
		Missing  []string `json:"missing"`
		Notes    []string `json:"notes"`
		Next     string   `json:"next,omitempty"`
		Outside  int      `json:"outside"` // hits outside of the scope, when there is none inside
	}
	hitDoc struct {
		Ref       string       `json:"ref"`
		Kind      string       `json:"kind"`
		Seq       int          `json:"seq,omitempty"`
		Role      string       `json:"role,omitempty"`
		Author    string       `json:"author,omitempty"`
		Snippet   string       `json:"snippet"`
		Marks     [][2]int     `json:"marks"`
		From      render.Stamp `json:"from"`
		To        render.Stamp `json:"to"`
		Ready     bool         `json:"ready"`
		Completed bool         `json:"completed"`
		Parents   []string     `json:"parents"`
		Lacks     []string     `json:"lacks"`
		AlsoIn    []string     `json:"alsoIn"`
		Session   sessionDoc   `json:"session"`
	}
	sessionDoc struct {
		Ref       string       `json:"ref"`
		Agent     string       `json:"agent"`
		ID        string       `json:"id"`
		Name      string       `json:"name"`
		Cwd       string       `json:"cwd"`
		From      render.Stamp `json:"from"`
		To        render.Stamp `json:"to"`
		Entries   int          `json:"entries"`
		Exchanges int          `json:"exchanges"`
		Pending   int          `json:"pending"`
		Source    string       `json:"source"` // native file, "" when the session is in the archive only
		Parent    string       `json:"parent,omitempty"`
	}
)

func foundJSON(f *found) foundDoc {
	d := foundDoc{
		Query: f.query.Text, Literal: f.query.Literal, Question: f.query.Question, Scope: "all", Root: f.place.root,
		Total: f.Total, AtLeast: f.AtLeast, Hits: hitDocs(f.Hits), Related: hitDocs(f.Related),
		Missing: list(f.Missing), Notes: list(f.Notes), Next: f.Next, Outside: f.elsewhere,
	}
	if d.Root != "" {
		d.Scope = "workspace"
	}
	return d
}

func hitDocs(hits []service.Hit) []hitDoc {
	out := make([]hitDoc, len(hits))
	for i := range hits {
		h := &hits[i]
		out[i] = hitDoc{
			Ref: h.Ref.String(), Kind: h.Kind.String(), Seq: h.Seq, Role: h.Role.String(), Author: h.Author, Snippet: h.Snippet,
			Marks: make([][2]int, len(h.Marks)), From: render.Stamp(h.First), To: render.Stamp(h.Last), Ready: h.Ready,
			Completed: h.Completed, Parents: nodeRefs(h.Session.ID, h.Parents), Lacks: list(h.Lacks),
			AlsoIn: refStrings(h.AlsoIn), Session: sessionJSON(&h.Session),
		}
		for j, m := range h.Marks {
			out[i].Marks[j] = [2]int{m.Start, m.End}
		}
	}
	return out
}

func sessionJSON(s *service.Session) sessionDoc {
	d := sessionDoc{
		Ref: lookback.SessionRef(s.ID).String(), Agent: s.ID.Agent, ID: s.ID.Native, Name: s.Name, Cwd: s.Cwd,
		From: render.Stamp(s.First), To: render.Stamp(s.Last), Entries: s.Entries, Exchanges: s.Exchanges, Pending: s.Pending,
		Source: s.Source, Parent: s.Parent,
	}
	if s.Gone {
		d.Source = ""
	}
	return d
}

// list gives an empty list for none, so that scripts always find an array.
func list(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}

func refStrings(refs []lookback.Ref) []string {
	out := make([]string, len(refs))
	for i, r := range refs {
		out[i] = r.String()
	}
	return out
}

// nodeRefs turns archive node ids into refs.
func nodeRefs(id lookback.SessionID, nodes []string) []string {
	out := make([]string, len(nodes))
	for i, n := range nodes {
		out[i] = lookback.NodeRef(id, n).String()
	}
	return out
}
