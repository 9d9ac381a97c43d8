package cli

import (
	"bufio"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"lookback"
	"lookback/internal/render"
	"lookback/internal/service"
)

func (a *app) archiveCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "archive",
		Short: "keep, check and move archives",
		Long: `An archive is a directory with one file per session that holds its words and
summaries, so that they outlive the agent's own log and travel with a workspace.
docs/archive.md describes the format.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.archiveHere(), a.archiveList(), a.archiveVerify(), a.archiveImport(), a.archiveExport())
	return cmd
}

func (a *app) archiveHere() *cobra.Command {
	return &cobra.Command{
		Use:   "here [DIR]",
		Short: "keep a workspace's history with the workspace",
		Long: `Here makes the archive of the working directory, or of DIR, in .pi/pbot/history/
and fills it with the sessions that ran there. From then on it is kept up to date.`,
		Args: atMostOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			svc, err := a.fresh(cmd.Context())
			if err != nil {
				return err
			}
			dir := a.c.Dir
			if len(args) == 1 {
				dir = a.absolute(args[0])
			}
			rep, err := svc.ArchiveHere(cmd.Context(), dir)
			if err != nil {
				return err
			}
			return a.archived([]service.ArchiveReport{rep})
		},
	}
}

// atMostOne wants no argument or one.
func atMostOne(cmd *cobra.Command, args []string) error {
	if len(args) <= 1 {
		return nil
	}
	return usage(fmt.Sprintf("%s takes one argument, not %d", cmd.CommandPath(), len(args)), cmd.CommandPath()+" --help shows examples")
}

func (a *app) archiveVerify() *cobra.Command {
	return &cobra.Command{
		Use:   "verify [DIR]",
		Short: "check every record of an archive, or of all known ones",
		Args:  atMostOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			svc, err := a.open(cmd.Context())
			if err != nil {
				return err
			}
			dir := ""
			if len(args) == 1 {
				dir = a.absolute(args[0])
			}
			reports, err := svc.ArchiveVerify(cmd.Context(), dir)
			if err != nil {
				return err
			}
			return a.archived(reports)
		},
	}
}

func (a *app) archiveImport() *cobra.Command {
	var user bool
	var workspace string
	cmd := &cobra.Command{
		Use:   "import FROM",
		Short: "take over the records of another archive",
		Long: `Import copies records of the archive in FROM into the archive of the working
directory's workspace, or with --user into yours. Nothing there is lost: of two
records of one session the one with more written summaries stays.`,
		Args: oneArg("an archive directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			svc, err := a.fresh(cmd.Context())
			if err != nil {
				return err
			}
			root := ""
			if !user {
				if root, _, err = a.workspace(cmd.Context(), svc, a.absolute(workspace)); err != nil {
					return err
				}
			}
			rep, err := svc.ArchiveImport(cmd.Context(), a.absolute(args[0]), root)
			if err != nil {
				return err
			}
			return a.archived([]service.ArchiveReport{rep})
		},
	}
	cmd.Flags().BoolVar(&user, "user", false, "into the user's archive")
	cmd.Flags().StringVarP(&workspace, "workspace", "w", "", "into the archive of the workspace of `DIR`")
	exclusive(cmd, "user", "workspace")
	return cmd
}

func (a *app) archiveExport() *cobra.Command {
	var n narrow
	cmd := &cobra.Command{
		Use:   "export TO",
		Short: "copy the records of sessions into a directory",
		Args:  oneArg("a directory to write to"),
		RunE: func(cmd *cobra.Command, args []string) error {
			svc, err := a.fresh(cmd.Context())
			if err != nil {
				return err
			}
			p, err := a.where(cmd.Context(), svc, &n, &lookback.Filters{})
			if err != nil {
				return err
			}
			rep, err := svc.ArchiveExport(cmd.Context(), p.scope, a.absolute(args[0]))
			if err != nil {
				return err
			}
			return a.archived([]service.ArchiveReport{rep})
		},
	}
	n.scopeFlags(cmd)
	return cmd
}

// The JSON of archive here, verify, import and export.
type reportDoc struct {
	Dir      string       `json:"dir"`
	Written  int          `json:"written"`
	Same     int          `json:"same"`
	Problems []string     `json:"problems"`
	Warnings []warningDoc `json:"warnings"`
}

// archived tells what was done to archives; problems in them make it a failure.
func (a *app) archived(reports []service.ArchiveReport) error {
	bad := 0
	docs := []reportDoc{}
	for _, r := range reports {
		bad += len(r.Problems)
		docs = append(docs, reportDoc{r.Dir, r.Written, r.Same, list(r.Problems), warningDocs(r.Warnings)})
	}
	if a.g.json {
		if err := a.print(map[string]any{"archives": docs}); err != nil {
			return err
		}
	} else {
		for _, r := range reports {
			a.warnings(r.Warnings)
			for _, p := range r.Problems {
				a.note("problem: " + p)
			}
			fmt.Fprintf(a.c.Out, "%s: %s written, %d as they were\n", cleaned(a.dir(r.Dir)), count(r.Written, "record", "records"), r.Same)
		}
		if len(reports) == 0 {
			a.note("no archive is known")
		}
	}
	if bad > 0 {
		return exitCode(codeFailed)
	}
	return nil
}

func (a *app) archiveList() *cobra.Command {
	var detail bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "list the archives this machine knows",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			svc, err := a.open(cmd.Context())
			if err != nil {
				return err
			}
			all, err := svc.ArchiveList(cmd.Context(), detail)
			if err != nil {
				return err
			}
			if a.g.json {
				return a.print(archivesJSON(all))
			}
			if len(all) == 0 {
				a.note("no archive is known")
			}
			return a.archiveRows(all)
		},
	}
	cmd.Flags().BoolVar(&detail, "sessions", false, "list the records too")
	return cmd
}

// archiveRows writes a row per archive and, with detail, one per record.
func (a *app) archiveRows(all []service.ArchiveInfo) error {
	w := bufio.NewWriter(a.c.Out)
	for _, i := range all {
		if a.human() {
			fmt.Fprintf(w, "%s  %s\n", render.Clean(a.dir(i.Dir)), count(i.Records, "record", "records"))
		} else if err := row(w, "archive", i.Dir, i.Workspace, strconv.Itoa(i.Records)); err != nil {
			return err
		}
		for _, s := range i.Sessions {
			if a.human() {
				w.WriteString(indent(2, render.Fit(render.Clean(s.Name), a.cols()-2)))
				w.WriteString(indent(4, fitRef(s.Ref.String(), a.cols()-4)...))
				continue
			}
			if err := row(w, "record", s.Ref.String(), s.Record, s.Name, strconv.Itoa(s.Exchanges), strconv.Itoa(s.Summaries),
				strconv.Itoa(s.Pending), strconv.FormatBool(s.Alone)); err != nil {
				return err
			}
		}
	}
	return w.Flush()
}

// The JSON of archive list.
type (
	archiveDoc struct {
		Dir       string      `json:"dir"`
		Workspace string      `json:"workspace,omitempty"`
		Records   int         `json:"records"`
		Sessions  []recordDoc `json:"sessions,omitempty"`
	}
	recordDoc struct {
		Ref       string `json:"ref"`
		Record    string `json:"record"`
		Name      string `json:"name"`
		Exchanges int    `json:"exchanges"`
		Summaries int    `json:"summaries"`
		Pending   int    `json:"pending"`
		Alone     bool   `json:"alone"` // no native log is known
	}
)

func archivesJSON(all []service.ArchiveInfo) map[string]any {
	docs := []archiveDoc{}
	for _, i := range all {
		d := archiveDoc{Dir: i.Dir, Workspace: i.Workspace, Records: i.Records}
		for _, s := range i.Sessions {
			d.Sessions = append(d.Sessions, recordDoc{s.Ref.String(), s.Record, s.Name, s.Exchanges, s.Summaries, s.Pending, s.Alone})
		}
		docs = append(docs, d)
	}
	return map[string]any{"archives": docs}
}
