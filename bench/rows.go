package main

import (
	"context"
	"strings"

	"lookback/bench/report"
)

// measurement gives the rows that one way of measuring answers, in the order of
// their ids.
type measurement struct {
	ids     []string
	measure func(*bench, context.Context) ([]report.Row, error)
}

// measurements are in the order of the specification's table. Later ones may use
// the index that cold indexing has left.
var measurements = []measurement{
	{[]string{"cold-c1k"}, (*bench).coldSmall},
	{[]string{"cold-c10k", "memory-c10k", "index-size"}, (*bench).coldLarge},
	{[]string{"unchanged-c10k"}, (*bench).unchanged},
	{[]string{"appended-c10k"}, (*bench).appended},
	{[]string{"call-workspace", "call-everything", "call-conversation"}, (*bench).calls},
	{[]string{"literal"}, (*bench).literal},
	{[]string{"million-rare", "million-commonest", "million-workspace"}, (*bench).million},
	{[]string{"process-wall", "process-memory"}, (*bench).process},
	{[]string{"first-page"}, (*bench).firstPage},
	{[]string{"idle-watch"}, (*bench).idle},
	{[]string{"project"}, (*bench).project},
	{[]string{"chain", "chain-memory", "chain-sync", "tips", "tips-memory", "tips-sync", "big", "big-memory", "big-sync"}, (*bench).shapes},
	{[]string{"binary"}, (*bench).binarySize},
}

func allIDs() (out []string) {
	for _, m := range measurements {
		out = append(out, m.ids...)
	}
	return out
}

// wanted reports whether a measurement is among the chosen ones.
func (m *measurement) wanted(chosen string) bool {
	if chosen == "" {
		return true
	}
	for _, c := range strings.Split(chosen, ",") {
		for _, id := range m.ids {
			if c != "" && strings.HasPrefix(id, c) {
				return true
			}
		}
	}
	return false
}

// Units of rows.
const (
	mebibytes = "MiB"
	seconds   = "CPU s"
	millis    = "CPU ms"
)

func mib(n int64) float64 { return float64(n) / (1 << 20) }
