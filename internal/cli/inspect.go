package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"lookback"
	"lookback/internal/render"
	"lookback/internal/service"
)

func (a *app) inspectCommand() *cobra.Command {
	var agent string
	cmd := &cobra.Command{
		Use:   "inspect FILE",
		Short: "show one session file as our reader sees it",
		Long: `Inspect reads one session file and shows what Lookback makes of it: branches,
exchanges, nodes, boundary and warnings. It uses neither index nor archive. It is
for doubts about a result and for bug reports; its JSON is stable.`,
		Args: oneArg("a session file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			path := a.absolute(args[0])
			if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
				return &fault{codeFailed, "no_file", path + " is no regular file", "name one session file"}
			}
			in, err := a.c.Inspect(cmd.Context(), a.setup(), path, agent)
			if err != nil {
				return err
			}
			if in.None && len(in.Log.Warnings) == 0 {
				return &fault{codeFailed, "no_session", args[0] + " holds no session", "a session has a header and at least one message"}
			}
			if a.g.json {
				return inspectJSON(a.c.Out, &in)
			}
			return a.inspectText(&in)
		},
	}
	cmd.Flags().StringVar(&agent, "agent", "", "read it as a log of `AGENT` instead of trying all")
	return cmd
}

// The parts of the JSON of inspect, as the specification of surfaces fixes them.
type (
	inspectExchange struct {
		EntryIDs  []string     `json:"entryIds"`
		Seqs      []int        `json:"seqs"`
		From      render.Stamp `json:"from"`
		To        render.Stamp `json:"to"`
		Completed bool         `json:"completed"`
		Text      string       `json:"text"`
	}
	inspectNode struct {
		ID        string       `json:"id"`
		Kind      string       `json:"kind"`
		Level     int          `json:"level"`
		Children  []string     `json:"children"`
		Parents   []string     `json:"parents"`
		EntryIDs  []string     `json:"entryIds"`
		From      render.Stamp `json:"from"`
		To        render.Stamp `json:"to"`
		Completed bool         `json:"completed"`
	}
	inspectBoundary struct {
		Cause   string `json:"cause"`
		Entry   int    `json:"entry"`
		EntryID string `json:"entryId"`
	}
	inspectLeaf struct {
		Seq int    `json:"seq"`
		ID  string `json:"id"`
	}
	inspectWarning struct {
		Kind   string `json:"kind"`
		Line   int    `json:"line"`
		Count  int    `json:"count"`
		Detail string `json:"detail"`
	}
)

// jsonWriter writes one object field by field, so that a large session is never
// held a second time as JSON.
type jsonWriter struct {
	w   *bufio.Writer
	sep byte
	err error
}

func (j *jsonWriter) raw(s string) { j.w.WriteString(s) }

func (j *jsonWriter) value(v any) {
	b, err := render.JSON(v)
	if err != nil && j.err == nil {
		j.err = err
	}
	j.w.Write(b)
}

func (j *jsonWriter) field(name string, v any) {
	j.w.WriteByte(j.sep)
	j.sep = ','
	j.raw(`"` + name + `":`)
	if v != nil {
		j.value(v)
	}
}

func inspectJSON(out io.Writer, in *service.Inspection) error {
	s, entries := &in.Log.Session, in.Log.Entries
	j := &jsonWriter{w: bufio.NewWriterSize(out, 1<<16), sep: '{'}
	j.field("agent", s.ID.Agent)
	j.field("sessionId", s.ID.Native)
	j.field("name", s.Name)
	j.field("cwd", s.Cwd)
	j.field("version", s.Version)
	if s.Parent != "" {
		j.field("parent", s.Parent)
	}
	j.field("branches", nil)
	j.branches(in)
	j.field("nodes", nil)
	j.nodes(in.Nodes)
	var boundary *inspectBoundary
	if b := in.Boundary; b != nil {
		boundary = &inspectBoundary{b.Cause.String(), b.Entry, entries[b.Entry-1].NodeID()}
	}
	j.field("boundary", boundary)
	var leaf *inspectLeaf
	if in.Leaf > 0 {
		leaf = &inspectLeaf{in.Leaf, entries[in.Leaf-1].NodeID()}
	}
	j.field("leaf", leaf)
	warnings := []inspectWarning{}
	for _, w := range in.Log.Warnings {
		warnings = append(warnings, inspectWarning{string(w.Kind), w.Line, w.Count, w.Detail})
	}
	j.field("warnings", warnings)
	j.raw("}\n")
	if err := j.w.Flush(); err != nil {
		return err
	}
	return j.err
}

func (j *jsonWriter) branches(in *service.Inspection) {
	j.raw("[")
	for i, tip := range in.Forest.Tips {
		if i > 0 {
			j.raw(",")
		}
		j.raw("[")
		for k, x := range in.Forest.Branch(tip) {
			if k > 0 {
				j.raw(",")
			}
			j.value(exchangeOf(&in.Forest.Exchanges[x], in.Log.Entries))
		}
		j.raw("]")
	}
	j.raw("]")
}

func exchangeOf(x *lookback.Exchange, entries []lookback.Entry) inspectExchange {
	e := inspectExchange{Seqs: x.Members(), From: render.Stamp(x.From), To: render.Stamp(x.To), Completed: x.Completed, Text: x.Text(entries)}
	for _, seq := range e.Seqs {
		e.EntryIDs = append(e.EntryIDs, entries[seq-1].NodeID())
	}
	return e
}

func (j *jsonWriter) nodes(nodes []lookback.Node) {
	j.raw("[")
	for i := range nodes {
		if i > 0 {
			j.raw(",")
		}
		n := &nodes[i]
		j.value(inspectNode{n.ID, n.Kind.String(), n.Level, list(n.Children), list(n.Parents), list(n.EntryIDs),
			render.Stamp(n.From), render.Stamp(n.To), n.Completed})
	}
	j.raw("]")
}

// inspectText is the same in short for people.
func (a *app) inspectText(in *service.Inspection) error {
	w := bufio.NewWriter(a.c.Out)
	s, p := &in.Log.Session, a.page()
	say := func(name, value string) { fmt.Fprintf(w, "%-10s %s\n", name, render.Clean(value)) }
	say("session", lookback.SessionRef(s.ID).String())
	say("name", s.Name)
	say("cwd", s.Cwd)
	say("version", fmt.Sprint(s.Version))
	if s.Parent != "" {
		say("parent", s.Parent)
	}
	say("entries", thousands(len(in.Log.Entries)))
	say("nodes", thousands(len(in.Nodes)))
	if b := in.Boundary; b != nil {
		say("boundary", fmt.Sprintf("%s at #%d; the model has the words from #%d on", b.Cause, b.At, b.Entry))
	}
	for _, v := range in.Log.Warnings {
		say("warning", fmt.Sprintf("%s, line %d, %s: %s", v.Kind, v.Line, count(v.Count, "time", "times"), v.Detail))
	}
	for i, tip := range in.Forest.Tips {
		fmt.Fprintf(w, "\n%s\n", p.Style.Bold(fmt.Sprintf("branch %d", i+1)))
		for _, x := range in.Forest.Branch(tip) {
			a.inspectExchange(w, p, &in.Forest.Exchanges[x], in.Log.Entries)
		}
	}
	return w.Flush()
}

func (a *app) inspectExchange(w io.Writer, p *render.Page, x *lookback.Exchange, entries []lookback.Entry) {
	mark := "+"
	if !x.Completed {
		mark = "-"
	}
	cols := p.Cols
	if !a.human() {
		cols = 200 // nobody's screen is asked
	}
	const previewChars = 200
	text := render.Clean(lookback.Flatten(p.Labels.Archived(x.Text(entries)), previewChars))
	fmt.Fprintln(w, render.Fit(fmt.Sprintf("  %s #%d–#%d  %s  %s", mark, x.Users[0], x.Last(), p.Minute(x.From), text), cols))
}
