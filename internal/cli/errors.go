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
	Code    int
	Kind    string // stable name for scripts
	Message string
	Hint    string
}

func (f *fault) Error() string { return f.Message }

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
	case errors.Is(err, service.ErrNotFound):
		return &fault{codeFailed, "not_found", strings.TrimPrefix(err.Error(), service.ErrNotFound.Error()+": "), "look for it with lookback search or lookback sessions --all"}
	case errors.Is(err, service.ErrBusy):
		return &fault{codeBusy, "busy", "another process is writing the index", "try again later, or wait for it with lookback sync --wait"}
	case errors.Is(err, context.Canceled):
		return &fault{codeInterrupted, "interrupted", "interrupted", "run the same command again; it goes on where it stopped"}
	case errors.Is(err, fs.ErrPermission):
		return &fault{codeFailed, "permission", err.Error(), "check who owns the path and its permissions"}
	case errors.Is(err, fs.ErrNotExist):
		return &fault{codeFailed, "no_file", err.Error(), "check the path"}
	}
	return &fault{codeFailed, "failed", err.Error(), "lookback doctor says what state things are in"}
}

// tell writes a fault to standard error: two lines, or one line of JSON.
func (a *app) tell(f *fault) {
	if a.g.json {
		var v struct {
			Error struct {
				Code    string `json:"code"`
				Message string `json:"message"`
				Hint    string `json:"hint"`
			} `json:"error"`
		}
		v.Error.Code, v.Error.Message, v.Error.Hint = f.Kind, f.Message, f.Hint
		if b, err := render.JSON(v); err == nil {
			fmt.Fprintf(a.c.Err, "%s\n", b)
		}
		return
	}
	fmt.Fprintf(a.c.Err, "lookback: %s\n", a.errStyle().Warn(render.Clean(f.Message)))
	if f.Hint != "" {
		fmt.Fprintf(a.c.Err, "  %s\n", render.Clean(f.Hint))
	}
}

// note says something on standard error that is no part of the answer.
func (a *app) note(text string) { fmt.Fprintf(a.c.Err, "lookback: %s\n", render.Clean(text)) }

func unknownCommand(cmd *cobra.Command, name string) error {
	hint := "lookback help lists the commands"
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" {
			names = append(names, c.Name())
		}
	}
	if near := nearest(name, names); near != "" {
		hint = fmt.Sprintf("did you mean %s %s ?", cmd.CommandPath(), near)
	} else if cmd.HasParent() {
		hint = fmt.Sprintf("%s has: %s", cmd.CommandPath(), strings.Join(names, ", "))
	} else if len(strings.Fields(name)) > 0 {
		hint = fmt.Sprintf("to look for it: lookback search %q; lookback help lists the commands", lookback.Clip(name, 60))
	}
	return usage(fmt.Sprintf("no command is called %q", lookback.Clip(name, 60)), hint)
}

// flagError explains a flag that cobra did not understand.
func flagError(cmd *cobra.Command, err error) error {
	hint := cmd.CommandPath() + " --help lists its flags"
	message := err.Error()
	var missing *pflag.NotExistError
	if errors.As(err, &missing) {
		name := missing.GetSpecifiedName()
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		message = fmt.Sprintf("%s has no flag --%s", cmd.CommandPath(), name)
		if missing.GetSpecifiedShortnames() != "" {
			message = fmt.Sprintf("%s has no flag -%s", cmd.CommandPath(), missing.GetSpecifiedShortnames())
			if cmd.Name() == "search" {
				hint = `to exclude a word, quote the whole query: lookback search "backoff -jitter"`
			}
		}
		if near := nearest(name, names); near != "" {
			hint = fmt.Sprintf("did you mean --%s ?", near)
		}
	}
	return usage(message, hint)
}

// nearest finds the name that was probably meant, "" for none.
func nearest(s string, names []string) string {
	best, limit := "", 1+min(len(s)/4, 2)
	for _, n := range names {
		if len(s) >= 3 && strings.HasPrefix(n, s) {
			return n
		}
		if d := edits(strings.ToLower(s), n); d <= limit {
			best, limit = n, d-1
		}
	}
	return best
}

// edits counts letters added, left out, replaced or swapped between two names.
func edits(a, b string) int {
	var before, row []int
	next := make([]int, len(b)+1)
	for j := range next {
		next[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, row, next = row, next, make([]int, len(b)+1)
		next[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			next[j] = min(row[j]+1, next[j-1]+1, row[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
	}
	return next[len(b)]
}

// missing reports whether a path does not exist.
func missing(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// exclusiveKey marks flags of a command that contradict each other.
const exclusiveKey = "lookback.exclusive"

// exclusive says that two flags cannot go together.
func exclusive(cmd *cobra.Command, a, b string) {
	if cmd.Annotations == nil {
		cmd.Annotations = map[string]string{}
	}
	cmd.Annotations[exclusiveKey] = a + " " + b
}

func checkExclusive(cmd *cobra.Command) error {
	a, b, ok := strings.Cut(cmd.Annotations[exclusiveKey], " ")
	if ok && cmd.Flags().Changed(a) && cmd.Flags().Changed(b) {
		return usage(fmt.Sprintf("--%s and --%s cannot go together", a, b), "use one of them")
	}
	return nil
}
