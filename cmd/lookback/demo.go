package main

import (
	"bufio"
	"bytes"
	"context"
	"embed"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"lookback/internal/cli"
	"lookback/internal/render"
)

// demoSessions are invented conversations in Pi's format: a payment client that
// retries too eagerly, a fork of it, a choice of database with two branches and a
// compaction, and an import in Chinese.
//
//go:embed demo/*.jsonl
var demoSessions embed.FS

// step is one command of the tour and why one would use it.
type step struct {
	why  string
	args []string
	dir  string // working directory it is run in
}

const (
	demoPayments = "/home/sam/payments"
	demoLedger   = "/home/sam/ledger"
	demoRetry    = "pi:0197a1c0-5b7e-7c31-9a44-2f0d6a7b1c01"
	demoDatabase = "pi:0197b3d2-10aa-7d42-8c15-6e2b9f4d2c02"
)

// tour is the guided search, in order.
var tour = []step{
	{"Four sample sessions lie in a temporary home. The first command reads them.", []string{"sync"}, demoPayments},
	{"What was said about waiting between retries? All words must occur.", []string{"search", "backoff jitter"}, demoPayments},
	{"A question works too. It is asked in another project, so look everywhere.", []string{"search", "--all", "--limit", "2", "how do we avoid charging a customer twice?"}, demoLedger},
	{"Any language, without spaces between words.", []string{"search", "--all", "商户名 乱码"}, demoPayments},
	{"What is not there is said, with the place that was searched.", []string{"search", "kubernetes"}, demoLedger},
	{"A ref names anything. Read an entry among its neighbours.", []string{"read", demoRetry + "#6", "--around", "2"}, demoPayments},
	{"The tree of a session: the topmost nodes, each with a ref to go on.", []string{"tree", demoDatabase}, demoLedger},
	{"Down: one exchange, with the way back up.", []string{"tree", demoDatabase + "#3"}, demoLedger},
	{"Sessions of the workspace, newest first.", []string{"sessions"}, demoLedger},
	{"For scripts: tab-separated in a pipe, or JSON.", []string{"search", "--json", "--limit", "1", "idempotency"}, demoPayments},
	{"What was found, and is anything wrong?", []string{"doctor"}, demoPayments},
}

// demo runs the tour in a home of its own and removes that again. With wait it
// waits for Enter between the steps; q ends it.
func demo(ctx context.Context, c cli.Config, wait bool) (err error) {
	home, err := os.MkdirTemp("", "lookback-demo-")
	if err != nil {
		return fmt.Errorf("make a temporary home: %w", err)
	}
	// A closed pipe would end the process at once. It ends the tour instead, and
	// then, with the home gone, the process.
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGPIPE)
	defer func() {
		closed := ctx.Err() != nil
		if rerr := os.RemoveAll(home); err == nil && rerr != nil {
			err = fmt.Errorf("remove the temporary home: %w", rerr)
		}
		if stop(); closed {
			fmt.Fprintln(c.Out)
		}
	}()
	if err := writeDemo(home); err != nil {
		return err
	}
	in := bufio.NewReader(c.In)
	for i, s := range tour {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := demoStep(ctx, c, home, i, s); err != nil {
			return err
		}
		if wait && i < len(tour)-1 {
			fmt.Fprint(c.Err, "\n[Enter for the next step, q to end] ")
			line, err := in.ReadString('\n')
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil || strings.HasPrefix(strings.ToLower(strings.TrimSpace(line)), "q") {
				break
			}
		}
	}
	_, err = fmt.Fprint(c.Out, "\nThat was all in a temporary home, which is gone again. On your own sessions:\n\n  lookback search WORDS…\n  lookback help\n")
	return err
}

// writeDemo puts the sample sessions where Pi would have written them.
func writeDemo(home string) error {
	dir := filepath.Join(home, ".pi", "agent", "sessions", "--home-sam--")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make the sample sessions: %w", err)
	}
	files, err := demoSessions.ReadDir("demo")
	if err != nil {
		return fmt.Errorf("list the sample sessions: %w", err)
	}
	for _, f := range files {
		data, err := demoSessions.ReadFile("demo/" + f.Name())
		if err == nil {
			data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
			err = os.WriteFile(filepath.Join(dir, f.Name()), data, 0o600)
		}
		if err != nil {
			return fmt.Errorf("write the sample sessions: %w", err)
		}
	}
	return nil
}

// demoStep shows a command and what it really prints.
func demoStep(ctx context.Context, c cli.Config, home string, i int, s step) error {
	if i > 0 {
		fmt.Fprintln(c.Out)
	}
	fmt.Fprintf(c.Out, "── %d of %d ──\n", i+1, len(tour))
	cols := demoCols
	if c.Terminal.Cols > 0 {
		cols = c.Terminal.Cols
	}
	for _, row := range render.Wrap(s.why, cols) {
		fmt.Fprintln(c.Out, s.why[row.Start:row.End])
	}
	fmt.Fprintf(c.Out, "\n%s$ lookback %s\n", filepath.Base(s.dir), shellWords(s.args))
	if code := cli.Run(ctx, demoConfig(c, home, s)); code != 0 {
		return fmt.Errorf("the demo's step %d ended with code %d", i+1, code)
	}
	return nil
}

func shellWords(args []string) string {
	shown := make([]string, len(args))
	for i, a := range args {
		shown[i] = a
		if strings.ContainsAny(a, " ?*'#") {
			shown[i] = "'" + a + "'"
		}
	}
	return strings.Join(shown, " ")
}

// demoConfig runs a step in the temporary home: nothing of the user's own is
// seen, and nothing is asked.
func demoConfig(c cli.Config, home string, s step) cli.Config {
	outer, plain := c.Getenv, !c.Terminal.Out
	c.Getenv = func(name string) string {
		switch {
		case strings.HasPrefix(name, "LOOKBACK_"), strings.HasPrefix(name, "PI_"):
			return ""
		case name == "NO_COLOR" && plain && outer("CLICOLOR_FORCE") == "":
			return "1"
		}
		return outer(name)
	}
	w := wiring{getenv: c.Getenv, home: home, places: cli.Places{
		Index: filepath.Join(home, "cache", "index.db"), Archive: filepath.Join(home, "data", "archive"), Home: home,
	}}
	c.Args, c.Dir, c.Places, c.In = s.args, s.dir, w.places, strings.NewReader("")
	c.Open, c.Inspect, c.Watch = w.open, w.inspect, w.watch
	c.Terminal.In = false
	if plain {
		// The tour shows what a person sees, and the talk belongs to it.
		c.Terminal.Out, c.Terminal.Cols, c.Err = true, demoCols, c.Out
	}
	return c
}

// demoCols is the width of the tour's screens where there is no terminal.
const demoCols = 80
