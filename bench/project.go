package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"lookback/bench/measure"
	"lookback/bench/report"
)

// projectIn has a child process read and project the sessions of a home.
func (b *bench) projectIn(ctx context.Context, home string) (out projected, u measure.Used, err error) {
	self, err := os.Executable()
	if err != nil {
		return out, u, err
	}
	p := measure.Program{Path: self, Dir: b.temp, Env: os.Environ()}
	if u, err = p.Run(ctx, childFlag, home); err == nil {
		err = json.Unmarshal(u.Out, &out)
	}
	return out, u, err
}

// project reads all of c1k without an index.
func (b *bench) project(ctx context.Context) ([]report.Row, error) {
	home, err := b.home(ctx, "c1k")
	if err != nil {
		return nil, err
	}
	paths, _, err := logs(home)
	if err != nil {
		return nil, err
	}
	var rate, raw []float64
	var last projected
	for range b.short() {
		got, _, err := b.projectIn(ctx, home)
		if err != nil {
			return nil, err
		}
		scan, size, err := measure.Scan(paths)
		if err != nil {
			return nil, err
		}
		rate = append(rate, float64(got.Bytes)/1e6/got.CPU)
		raw = append(raw, float64(size)/1e6/scan.Seconds())
		last = got
	}
	return []report.Row{{ID: "project", Name: "reading and projecting Pi logs, c1k", Unit: "MB per CPU s", Limit: 400, AtLeast: true, Values: rate,
		Beside: report.Figure(report.Percentile(raw, 0.5)) + " MB per CPU s",
		Note:   fmt.Sprintf("%d entries, %d exchanges, %d nodes", last.Entries, last.Exchanges, last.Nodes)}}, nil
}

// shape is a large session and its bars.
type shape struct {
	id, name string
	write    func(*log)
}

// shapes reads and projects large single sessions.
func (b *bench) shapes(ctx context.Context) ([]report.Row, error) {
	scale := 1
	if b.quick {
		scale = 100
	}
	var out []report.Row
	for _, s := range []shape{
		{"chain", "chain of 100,000 entries", func(l *log) { l.chain(100_000 / scale) }},
		{"tips", "5,000 tips on 200 shared exchanges", func(l *log) { l.fan(200, 5000/scale) }},
		{"big", "one 118 MB file of words", func(l *log) { l.words(int64(118_000_000/scale), 20_000/scale) }},
	} {
		home := filepath.Join(b.temp, s.id)
		path, err := b.oneLog(home, s.write)
		if err != nil {
			return out, err
		}
		var cpu, memory []float64
		var last projected
		for range b.runs {
			got, u, err := b.projectIn(ctx, home)
			if err != nil {
				return out, err
			}
			cpu, memory, last = append(cpu, got.CPU), append(memory, mib(u.Memory)), got
		}
		scan, size, err := measure.Scan([]string{path})
		if err != nil {
			return out, err
		}
		out = append(out,
			report.Row{ID: s.id, Name: s.name, Unit: seconds, Limit: 0.5, Values: cpu,
				Beside: fmt.Sprintf("%s s, %d MB", report.Figure(scan.Seconds()), size/1e6),
				Note:   fmt.Sprintf("read and projected: %d exchanges, %d nodes", last.Exchanges, last.Nodes)},
			report.Row{ID: s.id + "-memory", Name: "its peak memory", Unit: mebibytes, Limit: 256, Values: memory})
		p, err := b.program(home, state{filepath.Join(home, "state")})
		if err != nil {
			return out, err
		}
		u, err := p.Run(ctx, "sync")
		if err != nil {
			return out, err
		}
		out = append(out, report.Row{ID: s.id + "-sync", Name: "syncing it", Unit: seconds, NoBar: true, Values: cpus([]measure.Used{u}),
			Note: fmt.Sprintf("`lookback sync`, index and archive; peak memory %s MiB", report.Figure(mib(u.Memory)))})
		os.RemoveAll(home)
	}
	return out, nil
}

// oneLog makes a home with one session.
func (b *bench) oneLog(home string, write func(*log)) (path string, err error) {
	dir := filepath.Join(home, ".pi", "agent", "sessions", "--srv-demo-bench--")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	path = filepath.Join(dir, "2026-03-10T00-00-00-000Z_0000be4c-0000-4000-8000-000000000002.jsonl")
	f, err := os.Create(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	l := newLog(f, "0000be4c-0000-4000-8000-000000000002")
	write(l)
	return path, l.flush()
}

// firstPage opens a session of 128 MB at its end.
func (b *bench) firstPage(ctx context.Context) ([]report.Row, error) {
	size := int64(128_000_000)
	if b.quick {
		size /= 100
	}
	home := filepath.Join(b.temp, "first-page")
	path, err := b.oneLog(home, func(l *log) { l.work(size) })
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(home)
	p, err := b.program(home, state{filepath.Join(home, "state")})
	if err != nil {
		return nil, err
	}
	made, err := p.Run(ctx, "sync")
	if err != nil {
		return nil, err
	}
	var used []measure.Used
	var wall, memory []float64
	for range b.short() {
		u, err := p.Run(ctx, "read", "--tail", "20", "pi:0000be4c-0000-4000-8000-000000000002")
		if err != nil {
			return nil, err
		}
		used, wall, memory = append(used, u), append(wall, u.Wall.Seconds()), append(memory, mib(u.Memory))
	}
	scan, size, err := measure.Scan([]string{path})
	return []report.Row{{ID: "first-page", Name: "first page of a 128 MB session", Unit: seconds, Limit: 0.2, Values: cpus(used),
		Beside: fmt.Sprintf("%s s, %d MB", report.Figure(scan.Seconds()), size/1e6),
		Note: fmt.Sprintf("`lookback read --tail 20`; wall p50 %s s, %s MiB; it was indexed before in %s CPU s", report.Figure(report.Percentile(wall, 0.5)),
			report.Figure(report.Percentile(memory, 0.5)), report.Figure(made.CPU.Seconds()))}}, err
}
