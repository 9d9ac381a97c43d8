package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"lookback"
	"lookback/internal/render"
	"lookback/internal/service"
)

// Exit codes, as docs/scripting.md lists them.
const (
	codeDone        = 0
	codeFailed      = 1
	codeUsage       = 2
	codeUnreadable  = 3
	codeNoIndex     = 10
	codeBusy        = 11
	codeInterrupted = 130
)

// exitCode ends a run whose story is told already.
type exitCode int

func (e exitCode) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// fault is an error for people: what happened and what to do next.
type fault struct {
	Code    int    `json:"-"`
	Kind    string `json:"code"` // stable name for scripts
	Message string `json:"message"`
	Hint    string `json:"hint"`
}

func (f *fault) Error() string { return f.Message }

// errGone refuses what needs the working directory when that was removed.
var errGone = &fault{codeFailed, "no_dir", "the working directory is gone", "cd somewhere else"}

func usage(message, hint string) error { return &fault{codeUsage, "usage", message, hint} }

// explain makes a fault of any error.
func explain(err error) *fault {
	var f *fault
	var q *lookback.QueryError
	switch {
	case errors.As(err, &f):
		return f
	case errors.As(err, &q):
		return &fault{codeUsage, "query", q.Problem, q.Hint}
	case errors.Is(err, lookback.ErrRef):
		return &fault{codeUsage, "ref", err.Error(), "copy a ref from lookback search or lookback sessions"}
	case errors.Is(err, service.ErrCursor):
		return &fault{codeUsage, "usage", "--cursor is malformed or belongs to another search", "pass on the next of the page before, or leave --cursor out"}
	case errors.Is(err, service.ErrNotFound):
		what := strings.TrimPrefix(err.Error(), service.ErrNotFound.Error()+": ")
		return &fault{codeFailed, "not_found", what, "look for it with lookback search or lookback sessions --all"}
	case errors.Is(err, service.ErrBusy):
		return &fault{codeBusy, "busy", "another process is writing the index", "try again later, or wait for it with lookback sync --wait"}
	case errors.Is(err, context.Canceled):
		return &fault{codeInterrupted, "interrupted", "interrupted", "run the same command again; it goes on where it stopped"}
	case errors.Is(err, fs.ErrPermission):
		return &fault{codeFailed, "permission", err.Error(), "check who owns the path and its permissions"}
	case errors.Is(err, fs.ErrNotExist):
		what := err.Error()
		if p := new(fs.PathError); errors.As(err, &p) {
			what = p.Path + ": no such file"
		}
		return &fault{codeFailed, "no_file", what, "check the path"}
	}
	return &fault{codeFailed, "failed", err.Error(), "lookback doctor says what state things are in"}
}

// tell writes a fault to standard error: two lines, or one line of JSON.
func (a *app) tell(f *fault) {
	if a.g.json {
		if b, err := render.JSON(map[string]*fault{"error": f}); err == nil {
			a.talk("%s\n", b)
		}
		return
	}
	a.talk("lookback: %s\n", a.style(a.c.Terminal.Err).Warn(render.Clean(f.Message)))
	if f.Hint != "" {
		a.talk("  %s\n", render.Clean(f.Hint))
	}
}

// note says something on standard error that is no part of the answer.
func (a *app) note(text string) { a.talk("lookback: %s\n", render.Clean(text)) }

// talk writes to standard error, after what standard output has so far.
func (a *app) talk(format string, args ...any) {
	_ = a.out.Flush() // a failure is told at the end
	fmt.Fprintf(a.c.Err, format, args...)
}

func unknownCommand(cmd *cobra.Command, name string) error {
	var names []string
	for _, c := range cmd.Commands() {
		names = append(names, c.Name())
	}
	name = lookback.Clip(name, 60)
	hint := fmt.Sprintf("to look for it: lookback search %q; lookback help lists the commands", name)
	if near := nearest(name, names); near != "" {
		hint = fmt.Sprintf("did you mean %s %s ?", cmd.CommandPath(), near)
	} else if cmd.HasParent() {
		hint = fmt.Sprintf("%s has: %s", cmd.CommandPath(), strings.Join(names, ", "))
	}
	return usage(fmt.Sprintf("no command is called %q", name), hint)
}

// flagError explains a flag that cobra did not understand.
func flagError(cmd *cobra.Command, err error) error {
	hint := cmd.CommandPath() + " --help lists its flags"
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) && invalid.GetFlag().Value.Type() == "int" {
		return usage(fmt.Sprintf("--%s cannot be %q", invalid.GetFlag().Name, lookback.Clip(invalid.GetValue(), 60)), "use a whole number")
	}
	var missing *pflag.NotExistError
	if !errors.As(err, &missing) {
		return usage(err.Error(), hint)
	}
	name := missing.GetSpecifiedName()
	flag := "--" + name
	if short := missing.GetSpecifiedShortnames(); short != "" {
		flag = "-" + short
		if cmd.Name() == "search" {
			hint = `to exclude a word, quote the whole query: lookback search "backoff -jitter"`
		}
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if near := nearest(name, names); near != "" {
		hint = fmt.Sprintf("did you mean --%s ?", near)
	}
	return usage(fmt.Sprintf("%s has no flag %s", cmd.CommandPath(), flag), hint)
}

// nearest finds the name that was probably meant, "" for none. Cobra knows how far
// apart names are, but only those of commands.
func nearest(s string, names []string) string {
	var probe cobra.Command
	for _, n := range names {
		probe.AddCommand(&cobra.Command{Use: n, Run: func(*cobra.Command, []string) {}})
	}
	for far := 1; len(s) > 2 && far <= 1+min(len(s)/4, 2); far++ {
		probe.SuggestionsMinimumDistance = far
		if near := probe.SuggestionsFor(s); len(near) > 0 {
			return near[0]
		}
	}
	return ""
}

// missing reports whether a path does not exist.
func missing(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// contradictions are flags that cannot go together.
var contradictions = [][2]string{{"workspace", "all"}, {"user", "workspace"}, {"yes", "dry-run"}, {"cursor", "offset"}}

func contradiction(cmd *cobra.Command) error {
	for _, c := range contradictions {
		if cmd.Flags().Changed(c[0]) && cmd.Flags().Changed(c[1]) {
			return usage(fmt.Sprintf("--%s and --%s cannot go together", c[0], c[1]), "use one of them")
		}
	}
	return nil
}

// between refuses a number out of bounds, which what names.
func between(what string, n, least, most int) error {
	if least <= n && n <= most {
		return nil
	}
	return usage(fmt.Sprintf("%s cannot be %d", what, n), fmt.Sprintf("use a number from %d to %d", least, most))
}
