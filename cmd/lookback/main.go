// Command lookback finds and re-reads what was said in earlier sessions of coding
// agents. This package turns the process's surroundings into the configuration of
// the command line, names the sources, and holds the demo's sample sessions. It
// keeps no rules of its own.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"
	_ "time/tzdata" // --tz works where the system has no time zones

	"golang.org/x/term"

	"lookback/internal/cli"
	"lookback/internal/mcp"
)

func main() { os.Exit(run()) }

// collectAt is how much the heap may grow between two collections, in per cent.
// Go's own 100 lets a session of 118 MB take 260 MiB, this takes 200 for 5 % more
// processor time.
const collectAt = 50

// clearing is how long after a signal no other one ends the process at once.
const clearing = 500 * time.Millisecond

func run() int {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectAt)
	}
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // nohup stays what it is
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	defer stop()
	// The first signal asks for an end, a later one makes it. Some senders send each
	// signal twice, to the process and to its group.
	context.AfterFunc(ctx, func() { time.AfterFunc(clearing, stop) })
	c, err := config(ctx)
	if err != nil {
		fmt.Fprintf(os.Stderr, "lookback: %v\n  set LOOKBACK_CACHE_DIR, LOOKBACK_DATA_DIR and LOOKBACK_CONFIG_DIR, or HOME\n", err)
		return 1
	}
	return cli.Run(ctx, c)
}

// config reads the process's surroundings.
func config(ctx context.Context) (cli.Config, error) {
	dir, _ := os.Getwd() // commands that need it say that it is gone
	home, _ := os.UserHomeDir()
	places, err := placesFor(os.Getenv, home)
	if err != nil {
		return cli.Config{}, err
	}
	w := wiring{getenv: os.Getenv, home: home, places: places}
	c := cli.Config{
		Args: os.Args[1:], In: input{ctx, os.Stdin}, Out: os.Stdout, Err: os.Stderr, Terminal: terminal(),
		Getenv: os.Getenv, Dir: dir, Places: places, Now: time.Now, Version: version(),
		Open: w.open, Inspect: w.inspect, Watch: w.watch,
	}
	c.MCP = func(ctx context.Context, s cli.MCPSetup) error {
		return mcp.Serve(ctx, s.Service, mcp.Options{
			Caller: s.Caller, Fault: s.Fault, Narrow: s.Narrow, Handoff: s.Handoff, Debug: s.Debug, Version: c.Version, In: os.Stdin, Out: os.Stdout, Log: os.Stderr,
		})
	}
	c.Demo = func(ctx context.Context, wait bool) error { return demo(ctx, c, wait) }
	return c, nil
}

// terminal asks the system about the three streams. LOOKBACK_FORCE_TTY, a number
// of columns, makes the output a terminal whatever it is.
func terminal() cli.Terminal {
	is := func(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }
	t := cli.Terminal{In: is(os.Stdin), Out: is(os.Stdout), Err: is(os.Stderr)}
	for _, f := range []*os.File{os.Stdout, os.Stderr} {
		if cols, rows, err := term.GetSize(int(f.Fd())); err == nil && t.Cols == 0 {
			t.Cols, t.Rows = cols, rows
		}
	}
	if force := strings.TrimSpace(os.Getenv("LOOKBACK_FORCE_TTY")); force != "" {
		t.Out = true
		if cols, err := strconv.Atoi(force); err == nil && cols > 0 {
			t.Cols = cols
		}
	}
	return t
}

var errNoHome = errors.New("there is no home directory to keep the index in")
