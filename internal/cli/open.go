package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"lookback"
	"lookback/internal/render"
	"lookback/internal/service"
)

// open opens the service, once.
func (a *app) open(ctx context.Context) (*service.Service, error) {
	if a.svc != nil {
		return a.svc, nil
	}
	if a.g.noSync && missing(a.c.Places.Index) {
		return nil, &fault{codeNoIndex, "no_index", "there is no index yet and syncing is off", "run lookback sync, or leave --no-sync out"}
	}
	svc, err := a.c.Open(ctx, a.setup())
	if err != nil {
		return nil, err
	}
	a.svc = svc
	if n := svc.Notice(); n != "" {
		a.note(n)
	}
	return svc, nil
}

// fresh opens the service and brings it up to date before an answer. What keeps
// the sync from finishing is said and stops nothing.
func (a *app) fresh(ctx context.Context) (*service.Service, error) {
	svc, err := a.open(ctx)
	if err != nil || a.g.noSync {
		return svc, err
	}
	bar := a.newBar()
	notes, report, err := svc.Refresh(ctx, service.SyncOptions{Workspaces: a.roots(ctx, svc), Progress: bar.step})
	bar.clear()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		notes = append(notes, fmt.Sprintf("the sync did not finish, newer entries may not be found: %v", err))
	}
	for _, n := range notes {
		a.note(n)
	}
	a.stale = len(notes) > 0
	if n := unreadable(report.Warnings); n > 0 {
		a.note(fmt.Sprintf("%s could not be read; lookback doctor says which", count(n, "source", "sources")))
	}
	return svc, nil
}

// roots are the directories that may be the workspace of the working directory:
// as it was typed, and with links resolved, which is how agents log it.
func (a *app) roots(ctx context.Context, svc *service.Service) []string {
	var out []string
	for _, dir := range physical(a.c.Dir) {
		if root, err := svc.Workspace(ctx, dir); err == nil && !slices.Contains(out, root) {
			out = append(out, root)
		}
	}
	return out
}

// physical lists the names of a directory: as given, and with links resolved.
func physical(dir string) []string {
	out := []string{dir}
	if real, err := filepath.EvalSymlinks(dir); err == nil && real != dir {
		out = append(out, real)
	}
	return out
}

// workspace finds the root of the workspace that dir belongs to. Where dir is
// known under two names, the one with more sessions is meant.
func (a *app) workspace(ctx context.Context, svc *service.Service, dir string) (root string, sessions int, err error) {
	sessions = -1
	for _, name := range physical(dir) {
		r, err := svc.Workspace(ctx, name)
		if err != nil {
			return "", 0, err
		}
		list, err := svc.Sessions(ctx, service.ListRequest{Scope: lookback.InWorkspace(r), Limit: 1})
		if err != nil {
			return "", 0, err
		}
		if list.Total > sessions {
			root, sessions = r, list.Total
		}
	}
	return root, sessions, nil
}

func unreadable(warnings []lookback.Warning) int {
	n := 0
	for _, w := range once(warnings) {
		if w.Kind == lookback.Unreadable || w.Kind == lookback.BadArchive {
			n++
		}
	}
	return n
}

// once leaves one warning per file and kind.
func once(warnings []lookback.Warning) []lookback.Warning {
	type key struct {
		kind lookback.WarningKind
		file string
	}
	seen := map[key]bool{}
	var out []lookback.Warning
	for _, w := range warnings {
		if k := (key{w.Kind, w.File}); !seen[k] {
			seen[k] = true
			out = append(out, w)
		}
	}
	return out
}

// count gives "1 session" or "3 sessions".
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%s %s", thousands(n), many)
}

func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// ago says how long ago something was.
func (a *app) ago(t time.Time) string {
	d := a.c.Now().Sub(t)
	switch {
	case t.IsZero():
		return "never"
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h ago", int(d.Hours()))
	}
	return fmt.Sprintf("%d days ago", int(d.Hours()/24))
}

// fitRef breaks a ref that is wider than the screen, so that rows fit and nothing
// of it is lost.
func fitRef(ref string, cols int) []string {
	var out []string
	for cols > 0 && render.Width(ref) > cols {
		out = append(out, ref[:cols]) // refs are ASCII
		ref = ref[cols:]
	}
	return append(out, ref)
}

// indent puts blanks before each row.
func indent(n int, rows ...string) string {
	var b strings.Builder
	for _, r := range rows {
		b.WriteString(strings.Repeat(" ", n) + r + "\n")
	}
	return b.String()
}
