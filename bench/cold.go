package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"lookback/bench/measure"
	"lookback/bench/report"
)

// cold indexes a corpus from nothing, archive included, so many times. The state
// of the last run stays.
func (b *bench) cold(ctx context.Context, name string, runs int) (used []measure.Used, s state, raw string, size int64, err error) {
	home, err := b.home(ctx, name)
	if err != nil {
		return nil, s, "", 0, err
	}
	paths, size, err := logs(home)
	if err != nil {
		return nil, s, "", 0, err
	}
	s = state{filepath.Join(b.cache, "state", name)}
	for range runs {
		if err := os.RemoveAll(s.dir); err != nil {
			return nil, s, "", 0, err
		}
		p, err := b.program(home, s)
		if err != nil {
			return nil, s, "", 0, err
		}
		u, err := p.Run(ctx, "sync")
		if err != nil {
			return nil, s, "", 0, err
		}
		used = append(used, u)
	}
	scan, _, err := measure.Scan(paths)
	return used, s, fmt.Sprintf("%s s, %d MB in %d files", report.Figure(scan.Seconds()), size/1e6, len(paths)), size, err
}

func (b *bench) coldSmall(ctx context.Context) ([]report.Row, error) {
	used, _, raw, _, err := b.cold(ctx, "c1k", b.runs)
	return []report.Row{{ID: "cold-c1k", Name: "cold index c1k, archive included", Unit: seconds, Limit: 2, Values: cpus(used), Beside: raw,
		Note: "`lookback sync`"}}, err
}

func (b *bench) coldLarge(ctx context.Context) ([]report.Row, error) {
	used, s, raw, size, err := b.cold(ctx, "c10k", b.runs)
	if err != nil {
		return nil, err
	}
	held, err := dirSize(s.cacheDir())
	if err != nil {
		return nil, err
	}
	archive, err := dirSize(filepath.Join(s.dir, "data"))
	if err != nil {
		return nil, err
	}
	var memory []float64
	for _, u := range used {
		memory = append(memory, mib(u.Memory))
	}
	return []report.Row{
		{ID: "cold-c10k", Name: "cold index c10k, archive included", Unit: seconds, Limit: 20, Values: cpus(used), Beside: raw, Note: "`lookback sync`"},
		{ID: "memory-c10k", Name: "peak memory while indexing c10k", Unit: mebibytes, Limit: 100, Values: memory},
		{ID: "index-size", Name: "index size ÷ log bytes, c10k", Limit: 0.35, Values: []float64{float64(held) / float64(size)},
			Note: fmt.Sprintf("index %d MB, archive %d MB", held/1e6, archive/1e6)},
	}, nil
}

func cpus(used []measure.Used) (out []float64) {
	for _, u := range used {
		out = append(out, u.CPU.Seconds())
	}
	return out
}

// warm gives the program over c10k with an index that is up to date.
func (b *bench) warm(ctx context.Context) (*measure.Program, state, error) {
	s := state{filepath.Join(b.cache, "state", "c10k")}
	home, err := b.home(ctx, "c10k")
	if err != nil {
		return nil, s, err
	}
	p, err := b.program(home, s)
	if err != nil {
		return nil, s, err
	}
	_, err = p.Run(ctx, "sync")
	return p, s, err
}

// short is how often a short measurement runs.
func (b *bench) short() int {
	if b.quick {
		return 2
	}
	return 3*b.runs + 2
}
