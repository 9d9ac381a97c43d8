package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"lookback"
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
		Args: args(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.checkPage(cmd, &o); err != nil {
				return err
			}
			return a.sessions(cmd.Context(), &o)
		},
	}
	o.scopeFlags(cmd)
	o.filterFlags(cmd, "agent", "session", "name", "after", "before")
	o.pageFlags(cmd)
	return cmd
}

func (a *app) sessions(ctx context.Context, o *narrow) error {
	var f lookback.Filters
	if err := o.apply(&f, a.now()); err != nil {
		return err
	}
	p, err := a.where(ctx, o, &f)
	if err != nil {
		return err
	}
	r := service.ListRequest{Scope: p.scope, Filters: f, Limit: o.limit, Offset: o.offset}
	list, err := a.svc.Sessions(ctx, r)
	if err != nil {
		return err
	}
	switch {
	case a.g.json:
		return a.print(p.add(doc{"sessions": each(list.Sessions, sessionJSON), "total": list.Total, "offset": o.offset}))
	case len(list.Sessions) > 0 && a.human():
		a.sessionScreen(&list, p, o)
	case len(list.Sessions) > 0:
		for i := range list.Sessions {
			s := &list.Sessions[i]
			a.row(lookback.SessionRef(s.ID), s.Last, s.ID.Agent, s.Cwd, s.Name, s.Entries, s.Exchanges, s.Pending, origin(s))
		}
	case o.offset > 0:
		a.talk("There are no more sessions.\n")
	default:
		hints := []string{"Leave filters out to look further."}
		r.Scope, r.Limit = lookback.Everything(), 1
		if wide, err := a.svc.Sessions(ctx, r); err == nil && wide.Total > 0 {
			hints = []string{count(wide.Total, "session is", "sessions are") + " elsewhere: add --all."}
		}
		a.nothing(ctx, "Nothing found", p, hints)
	}
	return nil
}

// origin says where the words of a session are.
func origin(s *service.Session) service.Origin {
	if s.Source == "" || s.Gone {
		return service.FromArchive
	}
	return service.FromLog
}

func (a *app) sessionScreen(list *service.SessionList, place place, o *narrow) {
	s := a.screen(a.out)
	for i := range list.Sessions {
		one := &list.Sessions[i]
		name := one.Name
		if name == "" {
			name = "(no name)"
		}
		about := s.Minute(one.Last) + "  " + count(one.Exchanges, "exchange", "exchanges") + "  " + one.ID.Agent
		if place.root == "" || one.Cwd != place.root {
			about += "  " + a.dir(one.Cwd)
		}
		if origin(one) == service.FromArchive {
			about += "  archive only"
		}
		s.rows(0, s.bold(name))
		s.rows(2, plain(about))
		s.rows(2, s.whole(lookback.SessionRef(one.ID).String()))
	}
	end := o.offset + len(list.Sessions)
	s.blank()
	text := fmt.Sprintf("%d–%d of %s", o.offset+1, end, count(list.Total, "session", "sessions"))
	if place.root != "" {
		text += " in " + a.placeName(place)
	}
	s.rows(0, s.dim(text))
	if end < list.Total {
		a.more(end)
	}
}
