package cli

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"

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
exchanges, nodes, boundary and warnings. It uses neither index nor archive. It
is for doubts about a result and for bug reports; its JSON is stable.`,
		Args: args(1, 1, "a session file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			path := a.absolute(args[0])
			if !filepath.IsAbs(path) {
				return errGone
			}
			if info, err := os.Stat(path); err != nil {
				return err
			} else if !info.Mode().IsRegular() {
				return &fault{codeFailed, "no_file", path + " is no regular file", "name one session file"}
			}
			in, err := a.c.Inspect(cmd.Context(), a.setup(), path, agent)
			if err != nil {
				return err
			}
			if err := noSession(args[0], &in); err != nil {
				return err
			}
			if a.g.json {
				return inspectJSON(a.out, &in)
			}
			a.inspectText(&in)
			return nil
		},
	}
	cmd.Flags().StringVar(&agent, "agent", "", "read it as a log of `AGENT` instead of trying all")
	return cmd
}

// noSession refuses a file in which there is nothing to see.
func noSession(path string, in *service.Inspection) error {
	const hint = "a session has a header and at least one message"
	switch {
	case len(in.Log.Entries) > 0:
		return nil
	case in.Log.Session.ID.Native == "":
		return &fault{codeFailed, "no_session", path + " is no session file", hint}
	case len(in.Log.Warnings) == 0:
		return &fault{codeFailed, "no_session", "there is no session yet in " + path, hint}
	}
	return nil // but its warnings
}

// The JSON of inspect, as the specification of surfaces fixes it. Branches and
// nodes follow one by one, so that a large session is never held as JSON.
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
)

func inspectJSON(w *bufio.Writer, in *service.Inspection) error {
	s, entries := &in.Log.Session, in.Log.Entries
	warnings := list(in.Log.Warnings)
	for i := range warnings {
		warnings[i].File = "" // it was named on the command line
	}
	head := doc{
		"agent": s.ID.Agent, "sessionId": s.ID.Native, "name": s.Name, "cwd": s.Cwd, "version": s.Version,
		"boundary": nil, "leaf": nil, "warnings": warnings,
	}
	maybe(head, "parent", s.Parent)
	if b := in.Boundary; b != nil {
		head["boundary"] = doc{"cause": b.Cause.String(), "entry": b.Entry, "entryId": entries[b.Entry-1].NodeID()}
	}
	if in.Leaf > 0 {
		head["leaf"] = doc{"seq": in.Leaf, "id": entries[in.Leaf-1].NodeID()}
	}
	b, err := render.JSON(head)
	if err != nil {
		return err
	}
	w.Write(b[:len(b)-1])
	w.WriteString(`,"branches":`)
	err = writeList(w, in.Forest.Tips, func(tip *int) error {
		return writeList(w, in.Forest.Branch(*tip), func(x *int) error { return writeJSON(w, exchangeOf(&in.Forest.Exchanges[*x], entries)) })
	})
	w.WriteString(`,"nodes":`)
	err = errors.Join(err, writeList(w, in.Nodes, func(n *lookback.Node) error {
		return writeJSON(w, inspectNode{n.ID, n.Kind.String(), n.Level, list(n.Children), list(n.Parents), list(n.EntryIDs),
			render.Stamp(n.From), render.Stamp(n.To), n.Completed})
	}))
	w.WriteString("}\n")
	return err
}

// writeList writes a JSON array, each element with write.
func writeList[T any](w *bufio.Writer, all []T, write func(*T) error) error {
	sep := byte('[')
	for i := range all {
		w.WriteByte(sep)
		sep = ','
		if err := write(&all[i]); err != nil {
			return err
		}
	}
	if len(all) == 0 {
		w.WriteByte('[')
	}
	return w.WriteByte(']')
}

func writeJSON(w *bufio.Writer, v any) error {
	b, err := render.JSON(v)
	if err == nil {
		_, err = w.Write(b)
	}
	return err
}

func exchangeOf(x *lookback.Exchange, entries []lookback.Entry) inspectExchange {
	seqs := x.Members()
	ids := each(seqs, func(seq *int) string { return entries[*seq-1].NodeID() })
	return inspectExchange{ids, seqs, render.Stamp(x.From), render.Stamp(x.To), x.Completed, x.Text(entries)}
}

// inspectText is the same in short for people.
func (a *app) inspectText(in *service.Inspection) {
	s, of := a.screen(a.out), &in.Log.Session
	s.say("session", "%s", lookback.SessionRef(of.ID))
	s.say("name", "%s", of.Name)
	s.say("cwd", "%s", of.Cwd)
	s.say("version", "%d", of.Version)
	if of.Parent != "" {
		s.say("parent", "%s", of.Parent)
	}
	s.say("entries", "%s", thousands(len(in.Log.Entries)))
	s.say("nodes", "%s", thousands(len(in.Nodes)))
	if b := in.Boundary; b != nil {
		s.say("boundary", "%s at #%d; the model has the words from #%d on", b.Cause, b.At, b.Entry)
	}
	for _, w := range in.Log.Warnings {
		s.say("warning", "%s, line %d, %s: %s", w.Kind, w.Line, count(w.Count, "time", "times"), w.Detail)
	}
	for i, tip := range in.Forest.Tips {
		fmt.Fprintf(s.w, "\n%s\n", s.Style.Bold(fmt.Sprintf("branch %d", i+1)))
		for _, at := range in.Forest.Branch(tip) {
			x := &in.Forest.Exchanges[at]
			mark := "+"
			if !x.Completed {
				mark = "-"
			}
			text := lookback.Flatten(s.Labels.Archived(x.Text(in.Log.Entries)), 200)
			s.rows(2, plain(fmt.Sprintf("%s #%d–#%d  %s  %s", mark, x.Users[0], x.Last(), s.Minute(x.From), text)))
		}
	}
}
