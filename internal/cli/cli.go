// Package cli is the command line: flags and arguments in, tables, text and JSON
// out. Data goes to standard output, everything else to standard error.
//
// It takes what it shows from the service and stores nothing itself. It never
// opens a native log, changes no file, and shows no byte that has not gone
// through the render package.
package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lookback"
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
	a := newApp(c)
	root := a.root()
	root.SetArgs(c.Args)
	err := a.execute(ctx, root)
	if a.svc != nil {
		err = errors.Join(err, a.svc.Close())
	}
	return a.finish(ctx, errors.Join(err, a.out.Flush()))
}

// execute runs the command line. A fault of ours is told in two lines like any
// other; LOOKBACK_DEBUG lets it through with its stack.
func (a *app) execute(ctx context.Context, root *cobra.Command) (err error) {
	if a.c.Getenv("LOOKBACK_DEBUG") == "" {
		defer func() {
			if p := recover(); p != nil {
				what := fmt.Sprintf("this is a fault in lookback %s: %v", a.c.Version, p)
				err = &fault{codeFailed, "bug", what, "please report it, with what LOOKBACK_DEBUG=1 prints for the same command"}
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
	out      *bufio.Writer // standard output
	settings settings
	g        globals
	svc      *service.Service // nil until open
	zone     *time.Location
	asOf     string // how fresh what is looked at is, in words
}

func newApp(c Config) *app {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Terminal.Cols == 0 {
		c.Terminal.Cols = 80
	}
	return &app{c: c, out: bufio.NewWriter(c.Out)}
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

It reads the agents' own session logs, which it never changes, and keeps an
index of them that it brings up to date by itself. Everything stays on this
machine.

  lookback demo                     a tour on sample sessions
  lookback search retry backoff     in this workspace; --all for every session
  lookback read REF                 the words behind a hit
  lookback tree REF                 its neighbours: summaries above, words below

A REF is what search prints: pi:SESSION, pi:SESSION#12 or pi:SESSION@0:ENTRY.`,
		SilenceErrors: true, SilenceUsage: true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return errors.Join(contradiction(cmd), a.prepare()) },
	}
	root.Version = a.c.Version
	root.SetVersionTemplate(a.versionLine())
	root.SetIn(a.c.In)
	root.SetOut(a.out)
	root.SetErr(a.c.Err)
	f := root.PersistentFlags()
	f.BoolVar(&a.g.json, "json", false, "print JSON, see docs/scripting.md")
	f.BoolVar(&a.g.noInput, "no-input", false, "never ask and never wait for a key")
	f.BoolVar(&a.g.noSync, "no-sync", false, "answer from the index as it is")
	f.StringVar(&a.g.color, "color", "", "colour `WHEN`: auto, always or never")
	f.StringVar(&a.g.tz, "tz", "", "times in this `ZONE`, such as UTC or Europe/Berlin")
	completeWith(root, "color", colors...)
	root.SetFlagErrorFunc(flagError)
	a.addCommands(root)
	return root
}

// addCommands adds all commands in groups, which keep the order of use.
func (a *app) addCommands(root *cobra.Command) {
	root.AddGroup(&cobra.Group{ID: "find", Title: "Find and read:"}, &cobra.Group{ID: "keep", Title: "Keep:"}, &cobra.Group{ID: "more", Title: "More:"})
	root.SetHelpCommandGroupID("more")
	root.SetCompletionCommandGroupID("more")
	cobra.EnableCommandSorting = false
	family(root)
	add(root, "find", a.searchCommand(), a.readCommand(), a.treeCommand(), a.sessionsCommand(), a.openCommand())
	add(root, "keep", a.syncCommand(), a.archiveCommand(), a.forgetCommand())
	add(root, "more", a.demoCommand(), a.doctorCommand(), a.inspectCommand(), a.toolCommand(), a.mcpCommand(), a.manCommand(), a.versionCommand())
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range pages(root) {
		c.DisableFlagsInUseLine = true
		if c.Name() == "completion" {
			c.Short = "print a completion script for a shell"
			family(c)
		}
	}
}

func add(root *cobra.Command, group string, cmds ...*cobra.Command) {
	for _, c := range cmds {
		c.GroupID = group
		root.AddCommand(c)
	}
}

// family makes a command that has only others below it show its help.
func family(cmd *cobra.Command) {
	cmd.Args = args(0, 0, "")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
}

// completeWith lets shells complete the value of a flag.
func completeWith(cmd *cobra.Command, flag string, values ...string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// args wants from least to most arguments; what is said to be missing.
func args(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		hint := cmd.CommandPath() + " --help shows how to use it"
		switch {
		case len(args) < least:
			return usage(fmt.Sprintf("%s needs %s", cmd.CommandPath(), what), hint)
		case len(args) <= most:
			return nil
		case cmd.HasSubCommands():
			return unknownCommand(cmd, args[0])
		}
		return usage(fmt.Sprintf("%s cannot use %q", cmd.CommandPath(), lookback.Clip(args[most], 60)), hint)
	}
}

// prepare reads settings before a command runs.
func (a *app) prepare() error {
	if err := a.loadSettings(); err != nil {
		return err
	}
	a.zone = time.Local
	if a.g.tz != "" {
		var err error
		if a.zone, err = time.LoadLocation(a.g.tz); err != nil || strings.TrimSpace(a.g.tz) == "" {
			return usage(fmt.Sprintf("no time zone is called %q", a.g.tz), "write a name such as UTC, Local or Europe/Berlin")
		}
	}
	return checkColor("--color", a.g.color)
}

// now is the time in the reader's zone.
func (a *app) now() time.Time { return a.c.Now().In(a.zone) }
