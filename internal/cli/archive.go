package cli

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"lookback"
	"lookback/internal/render"
	"lookback/internal/service"
)

type reports = []service.ArchiveReport

// one makes a list of what an operation on one archive gave.
func one(r service.ArchiveReport, err error) (reports, error) { return reports{r}, err }

func (a *app) archiveCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "archive",
		Short: "keep, check and move archives",
		Long: `An archive is a directory with one file per session that holds its words and
summaries, so that they outlive the agent's own log and travel with a
workspace. docs/archive.md describes the format.`,
	}
	family(cmd)
	here := a.archiveVerb("here [DIR]", "keep a workspace's history with the workspace", args(0, 1, ""),
		func(ctx context.Context, dir string) (reports, error) {
			dir = cmp.Or(dir, a.c.Dir)
			if err := a.ownWorkspace(dir); err != nil {
				return nil, err
			}
			if err := a.fresh(ctx); err != nil {
				return nil, err
			}
			return one(a.svc.ArchiveHere(ctx, dir))
		})
	here.Long = `Here makes the archive of the working directory, or of DIR, in
.pi/pbot/history/ and fills it with the sessions that ran there. From then on
it is kept up to date.`
	verify := a.archiveVerb("verify [DIR]", "check every record of an archive, or of all known ones", args(0, 1, ""),
		func(ctx context.Context, dir string) (reports, error) {
			svc, err := a.open(ctx)
			if err != nil {
				return nil, err
			}
			return svc.ArchiveVerify(ctx, dir)
		})
	cmd.AddCommand(here, a.archiveList(), verify, a.archiveImport(), a.archiveExport())
	return cmd
}

// ownWorkspace refuses the home directory and the top of a file system: an archive
// there would take in the sessions of every workspace below.
func (a *app) ownWorkspace(dir string) error {
	if dir == "" {
		return errGone
	}
	real := func(path string) string {
		if r, err := filepath.EvalSymlinks(path); err == nil {
			return r
		}
		return path
	}
	if at := real(dir); at == real(a.c.Places.Home) || at == filepath.Dir(at) {
		return usage(a.dir(dir)+" is no workspace: an archive there would take in every session below it", "name a project's directory: lookback archive here DIR")
	}
	return nil
}

// archiveVerb makes a command that does something to archives and tells what; dir
// is its argument, "" for none.
func (a *app) archiveVerb(use, short string, wants cobra.PositionalArgs, do func(ctx context.Context, dir string) (reports, error)) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Args: wants,
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := ""
			if len(args) == 1 {
				if args[0] == "" { // as from an unset variable; it must not mean the working directory
					return usage("the directory is empty", cmd.CommandPath()+" --help says what it needs")
				}
				dir = a.absolute(args[0])
			}
			done, err := do(cmd.Context(), dir)
			if err != nil {
				return err
			}
			outcome := func(r *service.ArchiveReport) string {
				if cmd.Name() == "verify" {
					return count(r.Same, "record", "records") + " checked, " + count(len(r.Problems), "problem", "problems")
				}
				return fmt.Sprintf("%s written, %d as they were", count(r.Written, "record", "records"), r.Same)
			}
			return a.archived(done, outcome)
		},
	}
}

func (a *app) archiveImport() *cobra.Command {
	var user bool
	var n narrow
	cmd := a.archiveVerb("import FROM", "take over the records of another archive", args(1, 1, "an archive directory"),
		func(ctx context.Context, from string) (reports, error) {
			p, err := a.where(ctx, &n, &lookback.Filters{})
			if err != nil {
				return nil, err
			}
			if user {
				p.root = ""
			}
			return one(a.svc.ArchiveImport(ctx, from, p.root))
		})
	cmd.Long = `Import copies records of the archive in FROM into the archive of the working
directory's workspace if it has one, else or with --user into yours, and says
which. It makes no workspace archive. Nothing there is lost: of two records
of one session the one with more written summaries stays.`
	cmd.Flags().BoolVar(&user, "user", false, "into the user's archive")
	cmd.Flags().StringVarP(&n.workspace, "workspace", "w", "", "into the archive of the workspace of `DIR`")
	return cmd
}

func (a *app) archiveExport() *cobra.Command {
	var n narrow
	cmd := a.archiveVerb("export TO", "copy the records of sessions into a directory", args(1, 1, "a directory to write to"),
		func(ctx context.Context, to string) (reports, error) {
			p, err := a.where(ctx, &n, &lookback.Filters{})
			if err != nil {
				return nil, err
			}
			return one(a.svc.ArchiveExport(ctx, p.scope, to))
		})
	n.scopeFlags(cmd)
	return cmd
}

// archived tells what was done to archives, each in the words of outcome; problems
// in them make it a failure.
func (a *app) archived(done reports, outcome func(*service.ArchiveReport) string) error {
	problems := 0
	for i := range done {
		r := &done[i]
		r.Problems, r.Warnings = list(r.Problems), once(r.Warnings)
		problems += len(r.Problems)
	}
	if err := a.archives(list(done), len(done)); err != nil {
		return err
	}
	for i := range done {
		r := &done[i]
		if a.g.json {
			break
		}
		a.warnings(r.Warnings)
		for _, p := range r.Problems {
			a.note("problem: " + p)
		}
		fmt.Fprintf(a.out, "%s: %s\n", render.Clean(a.dir(r.Dir)), outcome(r))
	}
	if problems > 0 {
		return exitCode(codeFailed)
	}
	return nil
}

// archives prints a list of archives as JSON, or says that there is none.
func (a *app) archives(all any, n int) error {
	if a.g.json {
		return a.print(doc{"archives": all})
	}
	if n == 0 {
		a.note("no archive is known")
	}
	return nil
}

func (a *app) archiveList() *cobra.Command {
	var detail bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "list the archives this machine knows",
		Args:  args(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			svc, err := a.open(cmd.Context())
			if err != nil {
				return err
			}
			all, err := svc.ArchiveList(cmd.Context(), detail)
			if err != nil {
				return err
			}
			if !a.g.json {
				a.archiveRows(all)
			}
			return a.archives(list(all), len(all))
		},
	}
	cmd.Flags().BoolVar(&detail, "sessions", false, "list the records too")
	return cmd
}

// archiveRows writes a row per archive and, with detail, one per record.
func (a *app) archiveRows(all []service.ArchiveInfo) {
	s := a.screen(a.out)
	for _, i := range all {
		if a.human() {
			s.rows(0, plain(a.dir(i.Dir)), plain(count(i.Records, "record", "records")))
		} else {
			a.row("archive", i.Dir, i.Workspace, i.Records)
		}
		for _, r := range i.Sessions {
			if a.human() {
				s.rows(2, plain(r.Name))
				s.rows(4, s.whole(r.Ref.String()))
			} else {
				a.row("record", r.Ref, r.Record, r.Name, r.Exchanges, r.Summaries, r.Pending, r.Alone)
			}
		}
	}
}
