package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"lookback/internal/render"
)

// human reports whether a person looks at standard output.
func (a *app) human() bool { return a.c.Terminal.Out && !a.g.json }

// style decides about colour for a stream: the flag, then the environment as
// other programs read it, then settings, then whether it is a terminal.
func (a *app) style(terminal bool) render.Style {
	env, choice := a.c.Getenv, a.g.color
	force := env("CLICOLOR_FORCE")
	switch {
	case choice != "":
	case env("NO_COLOR") != "":
		choice = "never"
	case force != "" && force != "0":
		choice = "always"
	case env("CLICOLOR") == "0" || env("TERM") == "dumb":
		choice = "never"
	default:
		choice = a.settings.Color
	}
	return render.Style{Color: choice == "always" || choice != "never" && terminal}
}

// print writes one JSON value and a line end to standard output, at once.
func (a *app) print(v any) error {
	b, err := render.JSON(v)
	if err != nil {
		return fmt.Errorf("encode answer: %w", err)
	}
	fmt.Fprintf(a.out, "%s\n", b)
	return a.out.Flush()
}

// row writes one row of tab-separated cells, each clean, so that the number of
// tabs and line ends is fixed whatever the cells hold. Times are RFC 3339 in the
// zone that --tz names, else UTC, so that they do not depend on where a script
// runs.
func (a *app) row(cells ...any) {
	for i, c := range cells {
		if at, ok := c.(time.Time); ok && at.IsZero() {
			c = ""
		} else if ok && a.g.tz != "" {
			c = at.In(a.zone).Format(time.RFC3339)
		} else if ok {
			c = at.UTC().Format(time.RFC3339)
		}
		cells[i] = render.Clean(fmt.Sprint(c))
	}
	fmt.Fprintf(a.out, strings.Repeat("\t%s", len(cells))[1:]+"\n", cells...)
}

// dir shortens a path for people.
func (a *app) dir(path string) string {
	home := a.c.Places.Home
	if rest, ok := strings.CutPrefix(path, home); ok && home != "" && (rest == "" || os.IsPathSeparator(rest[0])) {
		return "~" + rest
	}
	return path
}

// paged shows text through the user's pager when a person looks at it and it does
// not fit on the screen; else it goes straight to standard output.
func (a *app) paged(ctx context.Context, write func(io.Writer) error) error {
	pager := a.pager()
	if pager == "" {
		return write(a.out)
	}
	var text bytes.Buffer
	if err := write(&text); err != nil {
		return err
	}
	if a.c.Terminal.Rows > 0 && bytes.Count(text.Bytes(), []byte("\n")) < a.c.Terminal.Rows {
		_, err := a.out.Write(text.Bytes())
		return err
	}
	cmd := exec.CommandContext(ctx, "sh", "-c", pager)
	if runtime.GOOS == "windows" {
		words := strings.Fields(pager)
		cmd = exec.CommandContext(ctx, words[0], words[1:]...)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(text.Bytes()), a.c.Out, a.c.Err
	cmd.Env = os.Environ()
	for name, value := range map[string]string{"LESS": "FRX", "LESSSECURE": "1"} { // colours, no paging of one screen, the text stays
		if a.c.Getenv(name) == "" {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
	}
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil || ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &exit) && exit.ExitCode() != 126 && exit.ExitCode() != 127:
		return nil // left before the end, which is the reader's right
	}
	a.note(fmt.Sprintf("the pager %q does not run: %v", pager, err))
	_, err = a.out.Write(text.Bytes())
	return err
}

// pager is the command to page with, "" for none.
func (a *app) pager() string {
	if !a.human() || !a.c.Terminal.In || a.g.noInput {
		return ""
	}
	p := strings.TrimSpace(a.settings.Pager)
	if p == "cat" {
		return ""
	}
	if _, err := exec.LookPath("less"); p == "" && err == nil {
		return "less"
	}
	return p
}
