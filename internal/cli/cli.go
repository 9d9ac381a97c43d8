// Package cli is the command line: flags and arguments in, tables, text and JSON
// out. Data goes to standard output, everything else to standard error.
//
// It takes what it shows from the service and stores nothing itself. It never
// opens a native log, changes no file, and shows no byte that has not gone
// through the render package.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lookback/internal/service"
)

// Config is all that a run needs from the outside world.
type Config struct {
	Args     []string // without the program's name
	In       io.Reader
	Out, Err io.Writer
	Terminal Terminal
	Getenv   func(string) string
	Dir      string           // working directory, absolute
	Places   Places           // where our own files are
	Now      func() time.Time // nil for time.Now
	Version  string

	// Open opens the service. It is called at most once.
	Open func(context.Context, Setup) (*service.Service, error)
	// Inspect reads one native file.
	Inspect func(ctx context.Context, s Setup, path, agent string) (service.Inspection, error)
	// Watch lists the directories in which new and changed logs appear.
	Watch func(Setup) []string
	// Demo shows the guided tour in a home of its own; wait allows it to wait for Enter.
	Demo func(ctx context.Context, wait bool) error
	// MCP serves the tools over standard input and output until the input ends.
	MCP MCPServer
}

// Terminal says which streams are terminals, and how large the screen is.
type Terminal struct {
	In, Out, Err bool
	Cols, Rows   int // of the output, 0 when not known
}

// Places are the absolute paths of our own files.
type Places struct {
	Index    string // the index database
	Archive  string // the user's archive directory
	Settings string // config.toml, which need not exist
	Home     string // shown as ~, "" for none
}

// Setup is what settings and flags say about opening the service.
type Setup struct {
	NoSync bool
	Roots  map[string][]string // agent → further directories with its sessions
	Moved  map[string]string   // directory as logged → where it is now
}

// Run carries out one command line and returns its exit code.
func Run(ctx context.Context, c Config) int {
	if c.Now == nil {
		c.Now = time.Now
	}
	a := &app{c: c}
	root := a.root()
	root.SetArgs(c.Args)
	root.SetIn(c.In)
	root.SetOut(c.Out)
	root.SetErr(c.Err)
	err := a.execute(ctx, root)
	if a.svc != nil {
		if cerr := a.svc.Close(); err == nil && cerr != nil {
			err = fmt.Errorf("close index: %w", cerr)
		}
	}
	return a.finish(ctx, err)
}

// execute runs the command line. A fault of ours is told in two lines like any
// other; LOOKBACK_DEBUG lets it through with its stack.
func (a *app) execute(ctx context.Context, root *cobra.Command) (err error) {
	if a.c.Getenv("LOOKBACK_DEBUG") == "" {
		defer func() {
			if p := recover(); p != nil {
				err = &fault{codeFailed, "bug", fmt.Sprintf("this is a fault in lookback %s: %v", a.c.Version, p), "please report it, with what LOOKBACK_DEBUG=1 prints for the same command"}
			}
		}()
	}
	return root.ExecuteContext(ctx)
}

// finish tells an error and gives the exit code.
func (a *app) finish(ctx context.Context, err error) int {
	if err == nil {
		return codeDone
	}
	if ctx.Err() != nil {
		return codeInterrupted
	}
	var quiet exitCode
	if errors.As(err, &quiet) {
		return int(quiet)
	}
	// A wrong flag ends the parsing before --json is seen.
	a.g.json = a.g.json || slices.Contains(a.c.Args, "--json")
	f := explain(err)
	a.tell(f)
	return f.Code
}

// app is one run.
type app struct {
	c        Config
	settings settings
	g        globals
	svc      *service.Service
	zone     *time.Location
	stale    bool // the sync before this answer did not finish
}

// globals are the flags that every command has.
type globals struct {
	json, noInput, noSync bool
	color, tz             string
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "lookback",
		Short: "find and re-read what was said in earlier agent sessions",
		Long: `Lookback finds and re-reads what was said in earlier sessions of coding agents.

It reads the agents' own session logs, which it never changes, and keeps an index
of them that it brings up to date by itself. Everything stays on this machine.

  lookback demo                     a tour on sample sessions
  lookback search retry backoff     in this workspace; --all for every session
  lookback read REF                 the words behind a hit
  lookback tree REF                 its neighbours, summaries above, originals below

A REF is what search prints: pi:SESSION, pi:SESSION#12 or pi:SESSION@0:ENTRY.`,
		SilenceErrors: true, SilenceUsage: true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return unknownCommand(cmd, args[0])
		},
		RunE:              func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return errors.Join(checkExclusive(cmd), a.prepare()) },
		// Our own completion and man commands keep the wording in one place.
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	f := root.PersistentFlags()
	f.BoolVar(&a.g.json, "json", false, "print JSON, see docs/scripting.md")
	f.BoolVar(&a.g.noInput, "no-input", false, "never ask and never wait for a key")
	f.BoolVar(&a.g.noSync, "no-sync", false, "answer from the index as it is")
	f.StringVar(&a.g.color, "color", "", "`WHEN` to use colour: auto, always or never")
	f.StringVar(&a.g.tz, "tz", "", "time `ZONE` of times, such as UTC or Europe/Berlin")
	_ = root.RegisterFlagCompletionFunc("color", cobra.FixedCompletions([]string{"auto", "always", "never"}, cobra.ShellCompDirectiveNoFileComp))
	root.SetFlagErrorFunc(flagError)
	root.SetHelpCommand(&cobra.Command{Use: "help [COMMAND]", Short: "help about a command", Run: helpFor})
	root.AddGroup(&cobra.Group{ID: "find", Title: "Find and read:"}, &cobra.Group{ID: "keep", Title: "Keep:"}, &cobra.Group{ID: "more", Title: "More:"})
	root.SetHelpCommandGroupID("more")
	cobra.EnableCommandSorting = false // by use, not by letter
	a.add(root, "find", a.searchCommand(), a.readCommand(), a.treeCommand(), a.sessionsCommand(), a.openCommand())
	a.add(root, "keep", a.syncCommand(), a.archiveCommand(), a.forgetCommand())
	a.add(root, "more", a.inspectCommand(), a.doctorCommand(), a.toolCommand(), a.mcpCommand(), a.demoCommand(), completionCommand(), a.manCommand(), a.versionCommand())
	return root
}

func (a *app) add(root *cobra.Command, group string, cmds ...*cobra.Command) {
	for _, c := range cmds {
		c.GroupID = group
		root.AddCommand(c)
	}
}

func helpFor(cmd *cobra.Command, args []string) {
	target, _, err := cmd.Root().Find(args)
	if err != nil || target == nil {
		target = cmd.Root()
	}
	_ = target.Help()
}

// Tree returns the command tree, for generating documents.
func Tree() *cobra.Command {
	a := &app{c: Config{Getenv: func(string) string { return "" }}}
	return a.root()
}

// prepare reads settings before a command runs.
func (a *app) prepare() error {
	warnings, err := a.loadSettings()
	if err != nil {
		return err
	}
	for _, w := range warnings {
		a.note(w)
	}
	a.zone = time.Local
	if a.g.tz != "" {
		if a.zone, err = time.LoadLocation(a.g.tz); err != nil || strings.TrimSpace(a.g.tz) == "" {
			return usage(fmt.Sprintf("no time zone is called %q", a.g.tz), "write a name such as UTC, Local or Europe/Berlin")
		}
	}
	switch a.g.color {
	case "", "auto", "always", "never":
		return nil
	}
	return usage(fmt.Sprintf("--color cannot be %q", a.g.color), "use auto, always or never")
}

// now is the time in the reader's zone.
func (a *app) now() time.Time { return a.c.Now().In(a.zone) }
