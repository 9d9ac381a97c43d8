package cli

import (
	"context"
	"errors"
	"fmt"

	"lookback"
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
func (a *app) fresh(ctx context.Context) error {
	a.asOf = "as the last sync left them"
	svc, err := a.open(ctx)
	if err == nil && a.g.noSync {
		return a.filled(ctx)
	}
	if err != nil {
		return err
	}
	root, _ := svc.Workspace(ctx, a.c.Dir) // the sync finds out what is wrong
	bar := a.newBar()
	notes, report, err := svc.Refresh(ctx, service.SyncOptions{Workspaces: []string{root}, Progress: bar.step})
	bar.clear()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		notes = append(notes, fmt.Sprintf("the sync did not finish, newer entries may not be found: %v", err))
	}
	if len(notes) == 0 {
		a.asOf = upToDate
	}
	for _, n := range notes {
		a.note(n)
	}
	if n := unreadable(report.Warnings); n > 0 {
		a.note(fmt.Sprintf("%s could not be read; lookback doctor says which", count(n, "source", "sources")))
	}
	return nil
}

// upToDate is said when a sync has just ended well.
const upToDate = "up to date now"

// filled refuses an index that was no use and is empty since it was opened: only a
// sync fills it again.
func (a *app) filled(ctx context.Context) error {
	all, err := a.svc.Sessions(ctx, service.ListRequest{Scope: lookback.Everything(), Limit: 1})
	if err == nil && all.Total == 0 && a.svc.Notice() != "" {
		err = service.ErrRebuilt
	}
	return a.emptied(err)
}

// emptied explains that the index was found damaged where nothing may be synced.
func (a *app) emptied(err error) error {
	if a.g.noSync && errors.Is(err, service.ErrRebuilt) {
		return &fault{codeNoIndex, "no_index", "the index was damaged", "run lookback sync, or leave --no-sync out"}
	}
	return err
}

// folders are the directories in which sessions are looked for, for people.
func (a *app) folders() []string {
	var out []string
	for _, dir := range a.c.Watch(a.setup()) {
		text := a.dir(dir)
		if missing(dir) {
			text += " (does not exist)"
		}
		out = append(out, text)
	}
	return out
}

// complete lets a person write the beginning of a session id, as long as only one
// session has it. What is not there is said by the service.
func (a *app) complete(ctx context.Context, r lookback.Ref) (lookback.Ref, error) {
	list, err := a.svc.Sessions(ctx, service.ListRequest{
		Scope:   lookback.Everything(),
		Filters: lookback.Filters{Agent: r.Session.Agent, Session: r.Session.Native},
	})
	if err != nil || list.Total == 0 {
		return r, err
	}
	first := list.Sessions[0].ID
	for i := range list.Sessions {
		if list.Sessions[i].ID == r.Session {
			return r, nil
		}
	}
	switch list.Total {
	case 1:
		r.Session = first
	case len(list.Sessions): // with more of them, the one meant may be on another page
		return r, &fault{codeUsage, "ambiguous", fmt.Sprintf("%d sessions begin with %s", list.Total, lookback.SessionRef(r.Session)),
			"write more of the id, such as " + lookback.SessionRef(first).String()}
	}
	return r, nil
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

// told are the warnings that were told already, by kind and file.
type told map[[2]string]bool

// fresh leaves one warning per kind and file, and none that was told.
func (t told) fresh(all []lookback.Warning) []lookback.Warning {
	out := []lookback.Warning{}
	for _, w := range all {
		if key := [2]string{string(w.Kind), w.File}; !t[key] {
			t[key] = true
			out = append(out, w)
		}
	}
	return out
}

// once leaves one warning per kind and file.
func once(all []lookback.Warning) []lookback.Warning { return told{}.fresh(all) }

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
