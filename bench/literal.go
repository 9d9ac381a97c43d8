package main

import (
	"context"
	"fmt"

	"lookback"
	"lookback/bench/report"
	"lookback/internal/service"
)

// literal looks for runs of characters in all of c1k and in its largest words.
func (b *bench) literal(ctx context.Context) ([]report.Row, error) {
	home, err := b.home(ctx, "c1k")
	if err != nil {
		return nil, err
	}
	said, _, err := b.projectIn(ctx, home)
	if err != nil {
		return nil, err
	}
	s := state{b.cache + "/state/c1k"}
	p, err := b.program(home, s)
	if err != nil {
		return nil, err
	}
	if _, err := p.Run(ctx, "sync"); err != nil {
		return nil, err
	}
	svc, err := service.Open(ctx, service.Config{Index: s.index(), NoSync: true})
	if err != nil {
		return nil, err
	}
	defer svc.Close()
	per := 10e6 / float64(said.Words)
	var worst *timed
	note := ""
	visited := 0
	for _, text := range []string{"e", "the", "erver", "is that", "zzqqyx", "。", "Server Key", "gegramvewe"} {
		t := &timed{}
		for range b.short() + 1 {
			if err := t.ask(ctx, svc, lookback.Everything(), lookback.Query{Text: text, Literal: true}); err != nil {
				return nil, err
			}
		}
		t.cpu = t.cpu[1:] // the first one has read the pages
		for i := range t.cpu {
			t.cpu[i] *= per
		}
		p50 := report.Percentile(t.cpu, 0.5)
		note += fmt.Sprintf(" %q %s", text, report.Figure(p50))
		if worst == nil || p50 > report.Percentile(worst.cpu, 0.5) {
			worst = t
			visited = int(t.visited[0])
		}
	}
	return []report.Row{{ID: "literal", Name: "`match: text`, for 10 MB of words in scope", Unit: millis, Limit: 50, Values: worst.cpu, Visited: visited,
		Note: fmt.Sprintf("all of c1k, %s MB of words, the dearest of:%s", report.Figure(float64(said.Words)/1e6), note)}}, nil
}
