package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"lookback"
	"lookback/internal/service"
)

// Limits of a page of rows.
const (
	defaultLimit = 20
	maxLimit     = 1000
)

// narrow holds the flags that say where to look and what to leave out.
type narrow struct {
	workspace      string
	all            bool
	agent, session string
	name           string
	role           string
	kinds          []string
	after, before  string
	limit, offset  int
}

// scopeFlags adds the flags of commands that look in one workspace.
func (n *narrow) scopeFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVarP(&n.workspace, "workspace", "w", "", "look in the workspace of `DIR` instead of the working directory's")
	f.BoolVarP(&n.all, "all", "a", false, "look in all sessions")
	exclusive(cmd, "workspace", "all")
	_ = cmd.MarkFlagDirname("workspace")
}

// filterFlags adds the filters that searching and listing share. They do what the
// filters in a query do, and go before them.
func (n *narrow) filterFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&n.agent, "agent", "", "only sessions of `AGENT`, such as pi")
	f.StringVar(&n.session, "session", "", "only the session with this `ID` or beginning of one")
	f.StringVar(&n.name, "name", "", "only sessions with `WORDS` in their name")
	f.StringVar(&n.after, "after", "", "only after a `TIME`: 2026-01-31, 2026-01, 2026-01-31T15:04 or an age such as 7d")
	f.StringVar(&n.before, "before", "", "only before a `TIME`")
	_ = cmd.RegisterFlagCompletionFunc("agent", cobra.FixedCompletions([]string{"pi"}, cobra.ShellCompDirectiveNoFileComp))
}

func (n *narrow) pageFlags(cmd *cobra.Command, offset bool) {
	f := cmd.Flags()
	f.IntVarP(&n.limit, "limit", "n", 0, fmt.Sprintf("at most `N` rows, 1 to %d (default %d)", maxLimit, defaultLimit))
	if offset {
		f.IntVar(&n.offset, "offset", 0, "skip `N` rows")
	}
}

// checkPage settles the limit: the flag, else the setting, else the default.
func (a *app) checkPage(n *narrow, set bool) error {
	if !set {
		if n.limit = a.settings.Limit; n.limit == 0 {
			n.limit = defaultLimit
		}
	}
	if n.limit < 1 || n.limit > maxLimit {
		return usage(fmt.Sprintf("--limit cannot be %d", n.limit), fmt.Sprintf("use a number from 1 to %d", maxLimit))
	}
	if n.offset < 0 {
		return usage(fmt.Sprintf("--offset cannot be %d", n.offset), "use 0 or more")
	}
	return nil
}

// apply puts the flags over the filters of a query.
func (n *narrow) apply(f *lookback.Filters, now time.Time) (err error) {
	if n.agent != "" {
		f.Agent = n.agent
	}
	if n.session != "" {
		f.Session = n.session
		if r, err := lookback.ParseRef(n.session); err == nil {
			f.Agent, f.Session = r.Session.Agent, r.Session.Native
		}
	}
	if n.name != "" {
		f.Name = n.name
	}
	if n.role != "" {
		if f.Role, err = lookback.ParseRole(n.role); err != nil {
			return err
		}
	}
	if len(n.kinds) > 0 {
		f.Kinds = nil
		for _, s := range n.kinds {
			k, err := lookback.ParseKind(s)
			if err != nil {
				return err
			}
			f.Kinds = append(f.Kinds, k)
		}
	}
	if n.after != "" {
		if f.When.From, err = lookback.ParseTime(n.after, now, false); err != nil {
			return err
		}
	}
	if n.before != "" {
		if f.When.To, err = lookback.ParseTime(n.before, now, false); err != nil {
			return err
		}
	}
	if !f.When.From.IsZero() && !f.When.To.IsZero() && !f.When.From.Before(f.When.To) {
		return usage(fmt.Sprintf("nothing is after %s and before %s", f.When.From.Format(time.RFC3339), f.When.To.Format(time.RFC3339)), "swap --after and --before")
	}
	return nil
}

// place is where a command looks.
type place struct {
	scope    lookback.Scope
	root     string // of the workspace, "" for all sessions
	sessions int    // in the workspace
}

// where settles the scope: the workspace of the working directory, unless flags
// say otherwise or a filter names a session or a directory, which would find
// nothing elsewhere for no reason that a person sees.
func (a *app) where(ctx context.Context, svc *service.Service, n *narrow, f *lookback.Filters) (place, error) {
	if f.In != "" {
		f.In = a.absolute(f.In)
	}
	if n.all || n.workspace == "" && (f.In != "" || f.Session != "") {
		return place{scope: lookback.Everything()}, nil
	}
	dir := a.c.Dir
	if n.workspace != "" {
		dir = a.absolute(n.workspace)
	}
	root, sessions, err := a.workspace(ctx, svc, dir)
	return place{lookback.InWorkspace(root), root, sessions}, err
}

// String names the place for people.
func (a *app) placeName(p place) string {
	if p.root == "" {
		return "all sessions"
	}
	return "workspace " + a.dir(p.root)
}
