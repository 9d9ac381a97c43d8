package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"lookback/bench/report"
)

// idle counts the clock ticks that a waiting program takes.
func (b *bench) idle(ctx context.Context) ([]report.Row, error) {
	p, _, err := b.warm(ctx)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := exec.CommandContext(ctx, p.Path, "sync", "--watch")
	cmd.Dir, cmd.Env = p.Dir, p.Env
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	defer cmd.Wait() //nolint:errcheck // it is killed
	defer cancel()
	wait := 60 * time.Second
	if b.quick {
		wait = 2 * time.Second
	}
	select {
	case <-time.After(5 * time.Second): // it syncs once
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	from, err := ticks(cmd.Process.Pid)
	if err != nil {
		return nil, err
	}
	select {
	case <-time.After(wait):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	to, err := ticks(cmd.Process.Pid)
	if err != nil {
		return nil, err
	}
	return []report.Row{{ID: "idle-watch", Name: "idle: `sync --watch` with nothing happening", Unit: "ticks", Limit: 0, Values: []float64{float64(to - from)},
		Note: fmt.Sprintf("in %v on c10k; serve and mcp are not measured yet", wait)}}, nil
}

// ticks reads the user and system time of a process, in clock ticks.
func ticks(pid int) (int, error) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(data), ") ")
	f := strings.Fields(rest)
	if len(f) < 13 {
		return 0, fmt.Errorf("/proc stat has %d fields", len(f))
	}
	user, err := strconv.Atoi(f[11])
	if err != nil {
		return 0, err
	}
	system, err := strconv.Atoi(f[12])
	return user + system, err
}
