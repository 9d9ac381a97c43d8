package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
	workspace     string
	all           bool
	filters       map[string]*[]string // by the names they have in a query
	limit, offset int
}

// scopeFlags adds the flags of commands that look in one workspace.
func (n *narrow) scopeFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVarP(&n.workspace, "workspace", "w", "", "the workspace of `DIR` instead of the working directory's")
	f.BoolVarP(&n.all, "all", "a", false, "all sessions, wherever they ran")
	_ = cmd.MarkFlagDirname("workspace")
}

// filterUsage describes the filters of queries that are flags too.
var filterUsage = map[string]string{
	"agent":   "only sessions of `AGENT`, such as pi",
	"session": "only the session with this `ID` or beginning of one",
	"name":    "only sessions with `WORDS` in their name",
	"after":   "only after a `TIME`: 2026-01-31, 2026-01 or an age, 7d",
	"before":  "only before a `TIME`",
	"role":    "only words of `ROLE`: user or assistant",
	"kind":    "only this `KIND`: exchange, summary, entry or session",
}

// filterFlags adds filters as flags. They go before those in the query.
func (n *narrow) filterFlags(cmd *cobra.Command, names ...string) {
	n.filters = map[string]*[]string{}
	for _, name := range names {
		n.filters[name] = cmd.Flags().StringArray(name, nil, filterUsage[name])
	}
	completeWith(cmd, "agent", "pi")
}

func (n *narrow) pageFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.IntVarP(&n.limit, "limit", "n", 0, fmt.Sprintf("at most `N` rows, 1 to %d (default %d)", maxLimit, defaultLimit))
	f.IntVar(&n.offset, "offset", 0, "skip `N` rows")
}

// checkPage settles the limit: the flag, else the setting, else the default.
func (a *app) checkPage(cmd *cobra.Command, n *narrow) error {
	if !cmd.Flags().Changed("limit") {
		if n.limit = a.settings.Limit; n.limit == 0 {
			n.limit = defaultLimit
		}
	}
	if n.offset < 0 {
		return usage(fmt.Sprintf("--offset cannot be %d", n.offset), "use 0 or more")
	}
	return between("--limit", n.limit, 1, maxLimit)
}

// apply puts the flags over the filters of a query.
func (n *narrow) apply(f *lookback.Filters, now time.Time) error {
	for _, name := range lookback.FilterNames() {
		flag := n.filters[name]
		if flag == nil || len(*flag) == 0 {
			continue
		}
		values := *flag
		if name == "kind" {
			f.Kinds = nil
			values = strings.Split(strings.Join(values, ","), ",")
		}
		for _, v := range values {
			if _, err := f.Set(name, v, now); err != nil {
				return err
			}
		}
	}
	return f.Check()
}

// place is where a command looks.
type place struct {
	scope lookback.Scope
	root  string // of the workspace, "" for all sessions
}

// where settles the scope once everything is fresh: the workspace of the working
// directory, unless flags say otherwise or a filter names a session or a
// directory, which would find nothing elsewhere for no reason that a person sees.
func (a *app) where(ctx context.Context, n *narrow, f *lookback.Filters) (place, error) {
	if err := a.fresh(ctx); err != nil {
		return place{}, err
	}
	if err := a.checkNames(ctx, f); err != nil {
		return place{}, err
	}
	if n.all || n.workspace == "" && (f.In != "" || f.Session != "") {
		return place{scope: lookback.Everything()}, nil
	}
	dir := a.absolute(n.workspace)
	if dir == "" {
		return place{}, errGone
	}
	root, err := a.svc.Workspace(ctx, dir)
	if err != nil {
		return place{}, err
	}
	// Of a directory that was removed the sessions may be there still.
	info, err := os.Stat(dir)
	if n.workspace != "" && (err == nil && !info.IsDir() || err != nil && root == dir && a.matching(ctx, lookback.Filters{In: dir}) == 0) {
		return place{}, usage(fmt.Sprintf("%s is no directory", n.workspace), "name the directory that the sessions ran in, or look everywhere with --all")
	}
	return place{lookback.InWorkspace(root), root}, nil
}

// checkNames looks at what filters name: a directory is also what its links lead
// to, an agent has to be known, and a session that is not there is said.
func (a *app) checkNames(ctx context.Context, f *lookback.Filters) error {
	if f.In != "" {
		f.In = a.absolute(f.In)
		if real, err := filepath.EvalSymlinks(f.In); err == nil && a.matching(ctx, lookback.Filters{In: f.In}) == 0 {
			f.In = real // as agents may have logged it
		}
	}
	known := a.svc.Agents()
	if f.Agent != "" && !slices.Contains(known, f.Agent) && a.matching(ctx, lookback.Filters{Agent: f.Agent}) == 0 {
		return usage(fmt.Sprintf("no agent is called %q", f.Agent), "known agents: "+strings.Join(known, ", "))
	}
	if f.Session != "" && a.matching(ctx, lookback.Filters{Agent: f.Agent, Session: f.Session}) == 0 {
		a.note(fmt.Sprintf("no session's id begins with %q", f.Session))
	}
	return nil
}

// matching counts the sessions that filters leave of all. Where they cannot be
// counted, the look-up itself says why.
func (a *app) matching(ctx context.Context, f lookback.Filters) int {
	list, _ := a.svc.Sessions(ctx, service.ListRequest{Scope: lookback.Everything(), Filters: f, Limit: 1})
	return list.Total
}

// placeName is what people call the place.
func (a *app) placeName(p place) string {
	if p.root == "" {
		return "all sessions"
	}
	return "workspace " + a.dir(p.root)
}
