package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"lookback/bench/report"
)

// options are the flags.
type options struct {
	sets          string
	runs          string
	check, detail bool
	misses        int
	write         bool
	together      bool
}

func main() {
	var o options
	flag.StringVar(&o.sets, "sets", "", "only these sets, names joined by commas; cases for the shared cases")
	flag.StringVar(&o.runs, "runs", "", "write a run file of each set and level to this folder")
	flag.BoolVar(&o.check, "check", false, "compare every number with the shared evaluator's, which needs python3")
	flag.BoolVar(&o.detail, "v", false, "print every measure by category")
	flag.IntVar(&o.misses, "misses", 0, "print so many of the worst queries of each category")
	flag.BoolVar(&o.together, "together", false, "put all sets into one index, to see what they do to each other")
	flag.BoolVar(&o.write, "write", false, "put the table into docs/bench.md")
	flag.Parse()
	if err := measureAll(context.Background(), os.Stdout, o); err != nil {
		fmt.Fprintln(os.Stderr, "lookback-eval:", err)
		os.Exit(1)
	}
}

func measureAll(ctx context.Context, w io.Writer, o options) error {
	shared, err := report.Shared()
	if err != nil {
		return err
	}
	repo, err := report.Root()
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "lookback-eval-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	want := func(name string) bool { return o.sets == "" || strings.Contains(","+o.sets+",", ","+name+",") }
	results, err := measureJobs(ctx, filepath.Join(shared, "eval"), temp, o.together, want)
	if err != nil {
		return err
	}
	t := report.New("finding", "plain FTS5 AND / OR")
	rows(t, results)
	var by map[string]*verdicts
	if want("cases") {
		if by, err = cases(ctx, shared, temp); err != nil {
			return err
		}
		caseRows(t, by)
	}
	if err := t.Text(w); err != nil {
		return err
	}
	for _, level := range []string{"must", "should"} {
		if by[level] != nil {
			for _, f := range by[level].failed {
				fmt.Fprintf(w, "case, %s: %s\n", level, f)
			}
		}
	}
	if o.detail {
		details(w, results)
	}
	misses(w, results, o.misses)
	if o.runs == "" {
		o.runs = filepath.Join(temp, "runs")
	}
	if err := writeRuns(o.runs, results); err != nil {
		return err
	}
	if o.check {
		if err := check(w, shared, o.runs, results); err != nil {
			return err
		}
	}
	if err := t.Save(filepath.Join(repo, "bench", "out", "finding.json")); err != nil {
		return err
	}
	if o.write {
		return report.WritePage(filepath.Join(repo, "docs", "bench.md"), "finding", t.Markdown())
	}
	return nil
}
