package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/pprof"
	"strings"

	"lookback/bench/measure"
	"lookback/bench/report"
)

func main() {
	if len(os.Args) > 2 && os.Args[1] == childFlag {
		end(child(os.Args[2]))
	}
	if len(os.Args) > 2 && os.Args[1] == measure.HelperFlag {
		end(measure.Helper(os.Args[2:]))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	end(run(ctx))
}

// end ends the process.
func end(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

func run(ctx context.Context) error {
	b := &bench{}
	var chosen string
	var profile string
	var write, list bool
	flag.StringVar(&chosen, "rows", "", "only these rows, ids joined by commas; the beginning of an id will do")
	flag.BoolVar(&list, "list", false, "list the ids of the rows")
	flag.BoolVar(&b.quick, "quick", false, "small inputs and one run of each, no bars")
	flag.IntVar(&b.runs, "runs", 3, "runs of each long measurement; short ones run more often")
	flag.StringVar(&b.corpus, "corpus", "", "folder with c1k and c10k; made when missing")
	flag.StringVar(&b.cache, "cache", "", "folder for what is kept between runs")
	flag.IntVar(&b.exchanges, "exchanges", 1_000_000, "exchanges of the generated index")
	flag.StringVar(&profile, "profile", "", "write a processor profile of the searches to this file")
	flag.BoolVar(&write, "write", false, "put the table into docs/bench.md")
	flag.Parse()
	if list {
		for _, m := range measurements {
			fmt.Println(strings.Join(m.ids, "\n"))
		}
		return nil
	}
	if err := b.prepare(ctx); err != nil {
		return err
	}
	defer b.close()
	if profile != "" {
		f, err := os.Create(profile)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	t := report.New("speed", "raw scan of the same bytes")
	var faults []error
	for _, m := range measurements {
		if !m.wanted(chosen) {
			continue
		}
		fmt.Fprintf(os.Stderr, "measuring %s\n", strings.Join(m.ids, ", "))
		rows, err := m.measure(b, ctx)
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			faults = append(faults, fmt.Errorf("%s: %w", m.ids[0], err))
		}
		for _, r := range rows {
			r.NoBar = r.NoBar || b.quick
			t.Add(r)
		}
	}
	if err := t.Text(os.Stdout); err != nil {
		return err
	}
	return errors.Join(append(faults, b.keep(t, write))...)
}

// keep writes the JSON, joined with the rows that this run has not measured, and
// the page. A quick run keeps apart.
func (b *bench) keep(t *report.Table, write bool) error {
	if b.quick {
		return t.Save(filepath.Join(b.repo, "bench", "out", "quick.json"))
	}
	path := filepath.Join(b.repo, "bench", "out", "speed.json")
	earlier, err := report.Earlier(path)
	if err != nil {
		return err
	}
	t.Keep(earlier, allIDs())
	if err := t.Save(path); err != nil || !write {
		return err
	}
	return report.WritePage(filepath.Join(b.repo, "docs", "bench.md"), "speed", t.Markdown())
}
