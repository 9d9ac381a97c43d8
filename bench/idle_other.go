//go:build !linux

package main

import (
	"context"

	"lookback/bench/report"
)

// idle needs the clock ticks of another process, which only Linux tells.
func (b *bench) idle(context.Context) ([]report.Row, error) {
	return []report.Row{{ID: "idle-watch", Name: "idle: `sync --watch` with nothing happening", Unit: "ticks", Note: "measured on Linux only"}}, nil
}
