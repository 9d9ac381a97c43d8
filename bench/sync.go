package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"lookback/bench/measure"
	"lookback/bench/report"
)

// unchanged syncs when there is nothing to do.
func (b *bench) unchanged(ctx context.Context) ([]report.Row, error) {
	p, _, err := b.warm(ctx)
	if err != nil {
		return nil, err
	}
	var used []measure.Used
	for range b.short() {
		u, err := p.Run(ctx, "sync")
		if err != nil {
			return nil, err
		}
		used = append(used, u)
	}
	idle, err := p.Run(ctx, "version")
	return []report.Row{{ID: "unchanged-c10k", Name: "nothing changed, c10k", Unit: seconds, Limit: 0.10, Values: cpus(used),
		Note: fmt.Sprintf("`lookback sync`; the process alone: `lookback version` takes %s", report.Figure(idle.CPU.Seconds()))}}, err
}

// appended adds one line to a session of ordinary size and searches for it: the
// search brings the index up to date by itself.
func (b *bench) appended(ctx context.Context) ([]report.Row, error) {
	p, s, err := b.warm(ctx)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(s.extra(), "2026-07-01T00-00-00-000Z_0000be4c-0000-4000-8000-000000000001.jsonl")
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	defer os.Remove(path)
	defer file.Close()
	w := newLog(file, "0000be4c-0000-4000-8000-000000000001")
	for i := range 20 {
		w.exchange(fmt.Sprintf("Question %d about the quarterly harbour plan", i), fmt.Sprintf("Answer %d: it is fine.", i), 3, 4000)
	}
	if err := w.flush(); err != nil {
		return nil, err
	}
	if _, err := p.Run(ctx, "sync"); err != nil {
		return nil, err
	}
	var used []measure.Used
	for i := range b.short() {
		word := fmt.Sprintf("zq%sx%d", strings.Repeat("v", i%7+1), i)
		w.user("Please look at " + word)
		if err := w.flush(); err != nil {
			return nil, err
		}
		time.Sleep(20 * time.Millisecond) // a coarse clock of the file system must move on
		u, err := p.Run(ctx, "search", "--all", "--json", word)
		if err != nil {
			return nil, err
		}
		if !bytes.Contains(u.Out, []byte(`"total":1`)) {
			return nil, fmt.Errorf("the line appended is not found: %.300s", u.Out)
		}
		used = append(used, u)
	}
	return []report.Row{{ID: "appended-c10k", Name: "one line appended, c10k, until it is found", Unit: seconds, Limit: 0.15, Values: cpus(used),
		Note: "`lookback search --all WORD`, which syncs first"}}, nil
}

// process searches as a person does, a process for each search.
func (b *bench) process(ctx context.Context) ([]report.Row, error) {
	p, _, err := b.warm(ctx)
	if err != nil {
		return nil, err
	}
	queries, err := b.queries(ctx)
	if err != nil {
		return nil, err
	}
	var wall, cpu, memory []float64
	for i := range 2 * b.short() {
		u, err := p.Run(ctx, "search", "--all", queries[i%len(queries)])
		if err != nil {
			return nil, err
		}
		wall = append(wall, u.Wall.Seconds()*1000)
		cpu = append(cpu, u.CPU.Seconds()*1000)
		memory = append(memory, mib(u.Memory))
	}
	return []report.Row{
		{ID: "process-wall", Name: "`lookback search` as a process on c10k, p50", Unit: "ms", Limit: 80, Values: wall,
			Note: fmt.Sprintf("--all, sync check included; CPU ms p50 %s, p95 %s", report.Figure(report.Percentile(cpu, 0.5)), report.Figure(report.Percentile(cpu, 0.95)))},
		{ID: "process-memory", Name: "its peak memory", Unit: mebibytes, Limit: 64, Values: memory},
	}, nil
}

// binarySize is that of the stripped program.
func (b *bench) binarySize(context.Context) ([]report.Row, error) {
	info, err := os.Stat(b.bin)
	if err != nil {
		return nil, err
	}
	return []report.Row{{ID: "binary", Name: "stripped binary", Unit: "MB", Limit: 45, Values: []float64{float64(info.Size()) / 1e6}}}, nil
}
