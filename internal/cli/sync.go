package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"lookback"
	"lookback/internal/service"
)

func (a *app) syncCommand() *cobra.Command {
	var o service.SyncOptions
	var watch bool
	cmd := &cobra.Command{
		Use:   "sync",
		Short: "read what is new in the agents' logs",
		Long: `Sync brings the index and the archives up to date. Other commands do it by
themselves; run it to see progress and warnings, or to keep going with
--watch. It can be stopped at any time and goes on where it was. Exit code 3
says that some sources could not be read, 11 that another process is at it.`,
		Args: args(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if a.g.noSync {
				return usage("sync with --no-sync does nothing", "leave --no-sync out")
			}
			svc, err := a.open(cmd.Context())
			if err != nil {
				return err
			}
			root, _ := svc.Workspace(cmd.Context(), a.c.Dir) // the sync finds out what is wrong
			o.Workspaces = []string{root}
			if watch {
				return a.watch(cmd.Context(), svc, o)
			}
			return a.sync(cmd.Context(), svc, o)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&watch, "watch", false, "keep going: sync whenever a log changes, until interrupted")
	f.BoolVar(&o.Rescan, "rescan", false, "read everything again")
	f.BoolVar(&o.Wait, "wait", false, "wait while another process writes the index")
	return cmd
}

func (a *app) sync(ctx context.Context, svc *service.Service, o service.SyncOptions) error {
	before := told{}
	if kept, err := svc.Warnings(ctx); err == nil && !o.Rescan {
		before.fresh(kept)
	}
	report, err := a.syncOnce(ctx, svc, o)
	if err != nil && ctx.Err() != nil {
		a.note("interrupted; what was read is kept, the next sync goes on")
	}
	if err != nil {
		return err
	}
	fresh := before.fresh(report.Warnings)
	a.warnings(fresh)
	if older := len(once(report.Warnings)) - len(fresh); older > 0 && !a.g.json {
		a.note(count(older, "older warning", "older warnings") + "; lookback doctor lists them")
	}
	if err := a.reportSync(&report); err != nil {
		return err
	}
	if unreadable(report.Warnings) > 0 {
		return exitCode(codeUnreadable)
	}
	return nil
}

func (a *app) syncOnce(ctx context.Context, svc *service.Service, o service.SyncOptions) (service.Report, error) {
	bar := a.newBar()
	o.Progress = bar.step
	report, err := svc.Sync(ctx, o)
	bar.clear()
	return report, err
}

// warnings tells each warning once per file and kind, on standard error. JSON
// carries them itself.
func (a *app) warnings(all []lookback.Warning) {
	if a.g.json {
		return
	}
	for _, w := range once(all) {
		text := w.String()
		if w.Count > 1 {
			text += fmt.Sprintf(" (%d times)", w.Count)
		}
		a.note("warning: " + text)
	}
}

// syncDoc is the JSON of one sync.
type syncDoc struct {
	*service.Report
	Millis int64 `json:"millis"`
}

func (a *app) reportSync(r *service.Report) error {
	if a.g.json {
		r.Warnings = once(r.Warnings)
		return a.print(syncDoc{r, r.Took.Milliseconds()})
	}
	text := count(r.Places, "file", "files") + " looked at"
	switch {
	case r.Read > 0:
		text += fmt.Sprintf(", %s read (%s), %s in %s", thousands(r.Read), size(r.Bytes),
			count(r.Entries, "new entry", "new entries"), count(r.Sessions, "session", "sessions"))
	case r.Records > 0: // somebody removed them
		text += fmt.Sprintf(", %s written", count(r.Records, "archive record", "archive records"))
	case r.Sessions > 0:
		text += fmt.Sprintf(", %s brought up to date from archives", count(r.Sessions, "session", "sessions"))
	case r.Gone == 0:
		text += ", nothing new"
	}
	if r.Gone > 0 {
		text += fmt.Sprintf(", %s gone and kept in the archive", count(r.Gone, "log", "logs"))
	}
	fmt.Fprintf(a.out, "%s, %s\n", text, r.Took.Round(time.Millisecond))
	return a.out.Flush()
}
