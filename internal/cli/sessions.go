package cli

import (
	"bufio"
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"lookback"
	"lookback/internal/render"
	"lookback/internal/service"
)

func (a *app) sessionsCommand() *cobra.Command {
	var o narrow
	cmd := &cobra.Command{
		Use:   "sessions",
		Short: "list sessions, newest first",
		Example: `  lookback sessions
  lookback sessions --all --after 7d
  lookback sessions --name "retry" | cut -f1`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.checkPage(&o, cmd.Flags().Changed("limit")); err != nil {
				return err
			}
			return a.sessions(cmd.Context(), &o)
		},
	}
	o.scopeFlags(cmd)
	o.filterFlags(cmd)
	o.pageFlags(cmd, true)
	return cmd
}

// noArgs refuses arguments and says where they belong.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if cmd.HasSubCommands() {
		return unknownCommand(cmd, args[0])
	}
	return usage(fmt.Sprintf("%s takes no arguments, here %q", cmd.CommandPath(), lookback.Clip(args[0], 60)), cmd.CommandPath()+" --help shows what it takes")
}

func (a *app) sessions(ctx context.Context, o *narrow) error {
	var f lookback.Filters
	if err := o.apply(&f, a.now()); err != nil {
		return err
	}
	svc, err := a.fresh(ctx)
	if err != nil {
		return err
	}
	p, err := a.where(ctx, svc, o, &f)
	if err != nil {
		return err
	}
	list, err := svc.Sessions(ctx, service.ListRequest{Scope: p.scope, Filters: f, Limit: o.limit, Offset: o.offset})
	if err != nil {
		return err
	}
	if a.g.json {
		return a.print(sessionsJSON(&list, p, o.offset))
	}
	if len(list.Sessions) == 0 {
		return a.noSessions(ctx, svc, p, o)
	}
	if !a.human() {
		return a.sessionRows(list.Sessions)
	}
	if err := a.sessionScreen(&list, p, o); err != nil {
		return err
	}
	return nil
}

func (a *app) noSessions(ctx context.Context, svc *service.Service, p place, o *narrow) error {
	if o.offset > 0 {
		fmt.Fprintln(a.c.Err, "There are no more sessions.")
		return nil
	}
	fmt.Fprintf(a.c.Err, "No sessions in %s, index %s.\n", cleaned(a.placeName(p)), a.freshness(ctx, svc))
	all, err := svc.Sessions(ctx, service.ListRequest{Scope: lookback.Everything(), Limit: 1})
	switch {
	case err != nil:
	case all.Total == 0:
		fmt.Fprintln(a.c.Err, "  None are known at all: lookback doctor says where they are looked for.")
	case p.root != "":
		fmt.Fprintf(a.c.Err, "  %s elsewhere: add --all.\n", count(all.Total-p.sessions, "session is", "sessions are"))
	default:
		fmt.Fprintln(a.c.Err, "  Leave filters out to look further.")
	}
	return nil
}

func (a *app) sessionRows(sessions []service.Session) error {
	w := bufio.NewWriter(a.c.Out)
	for i := range sessions {
		s := &sessions[i]
		if err := row(w, lookback.SessionRef(s.ID).String(), a.stamp(s.Last), s.ID.Agent, s.Cwd, s.Name, strconv.Itoa(s.Entries),
			strconv.Itoa(s.Exchanges), strconv.Itoa(s.Pending), origin(s)); err != nil {
			return err
		}
	}
	return w.Flush()
}

// origin says where the words of a session are.
func origin(s *service.Session) string {
	if s.Source == "" || s.Gone {
		return string(service.FromArchive)
	}
	return string(service.FromLog)
}

func (a *app) sessionScreen(list *service.SessionList, place place, o *narrow) error {
	w := bufio.NewWriter(a.c.Out)
	p := a.page()
	for i := range list.Sessions {
		s := &list.Sessions[i]
		name := render.Clean(s.Name)
		if name == "" {
			name = "(no name)"
		}
		about := p.Minute(s.Last) + "  " + count(s.Exchanges, "exchange", "exchanges") + "  " + render.Clean(s.ID.Agent)
		if place.root == "" || s.Cwd != place.root {
			about += "  " + render.Clean(a.dir(s.Cwd))
		}
		if origin(s) == string(service.FromArchive) {
			about += "  archive only"
		}
		w.WriteString(p.Style.Bold(render.Fit(name, p.Cols)) + "\n")
		w.WriteString("  " + render.Fit(about, p.Cols-2) + "\n")
		for _, part := range fitRef(lookback.SessionRef(s.ID).String(), p.Cols-2) {
			w.WriteString("  " + p.Style.Dim(part) + "\n")
		}
	}
	end := o.offset + len(list.Sessions)
	text := fmt.Sprintf("%d–%d of %s in %s", o.offset+1, end, count(list.Total, "session", "sessions"), a.placeName(place))
	w.WriteString("\n" + p.Style.Dim(render.Fit(render.Clean(text), p.Cols)) + "\n")
	if end < list.Total {
		w.WriteString(p.Style.Dim(render.Fit(fmt.Sprintf("more: the same with --offset %d", end), p.Cols)) + "\n")
	}
	return w.Flush()
}

// The JSON of sessions.
type sessionsDoc struct {
	Sessions []sessionDoc `json:"sessions"`
	Total    int          `json:"total"`
	Offset   int          `json:"offset"`
	Scope    string       `json:"scope"`
	Root     string       `json:"root,omitempty"`
}

func sessionsJSON(list *service.SessionList, p place, offset int) sessionsDoc {
	d := sessionsDoc{Sessions: make([]sessionDoc, len(list.Sessions)), Total: list.Total, Offset: offset, Scope: "all", Root: p.root}
	if p.root != "" {
		d.Scope = "workspace"
	}
	for i := range list.Sessions {
		d.Sessions[i] = sessionJSON(&list.Sessions[i])
	}
	return d
}
