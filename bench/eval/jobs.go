package main

import (
	"context"
	"fmt"
	"path/filepath"

	"lookback/internal/index"
	"lookback/internal/service"
)

// job is a set asked at one level.
type job struct {
	set, level, exclude string
	natural             bool // its queries are sentences: none may stay without an answer
}

// jobs are those of the bars, and some more for comparison.
var jobs = []job{
	{"locomo", "turn", "adversarial", true},
	{"locomo", "session", "adversarial", true},
	{"locomo", "exchange", "adversarial", true},
	{"memorybank-zh", "exchange", "", true},
	{"memorybank-en", "exchange", "", true},
	{"madial-zh", "turn", "", true},
	{"pi-code", "turn", "", false},
}

// result is what a job measured.
type result struct {
	job
	set       *set
	u         *units
	run       run
	ours      map[string]*scores
	and, or   map[string]*scores
	sentences int
	faults    int
	visited   int     // rows looked at by a query, mean
	cpu       float64 // milliseconds of a query, mean
}

// measureJobs runs the jobs whose set is wanted. Each set has an index of its own,
// or all have one together, as the sessions of a person do.
func measureJobs(ctx context.Context, dir, temp string, together bool, want func(string) bool) ([]*result, error) {
	var out []*result
	opened := map[string]*asker{}
	for _, j := range jobs {
		if !want(j.set) || opened[j.set] != nil {
			continue
		}
		path := filepath.Join(temp, j.set, "index.db")
		if together {
			path = filepath.Join(temp, "together", "index.db")
		}
		a, err := open(ctx, dir, path, j.set)
		if err != nil {
			return nil, err
		}
		defer a.svc.Close()
		opened[j.set] = a
	}
	for _, j := range jobs {
		if opened[j.set] == nil {
			continue
		}
		r, err := opened[j.set].do(ctx, j)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", j.set, j.level, err)
		}
		out = append(out, r)
	}
	return out, nil
}

// open loads a set and puts it into an index.
func open(ctx context.Context, dir, path, name string) (*asker, error) {
	s, err := loadSet(dir, name)
	if err != nil {
		return nil, err
	}
	im, err := fill(ctx, path, s)
	if err != nil {
		return nil, err
	}
	svc, err := service.Open(ctx, service.Config{Index: path, NoSync: true})
	if err != nil {
		return nil, err
	}
	return &asker{svc: svc, set: s, im: im, u: s.units()}, nil
}

func fill(ctx context.Context, path string, s *set) (*imported, error) {
	db, err := index.Open(ctx, path, index.Options{})
	if err != nil {
		return nil, err
	}
	defer db.Close()
	w, err := db.Writer(ctx, true)
	if err != nil {
		return nil, err
	}
	im, err := load(ctx, w, s)
	if cerr := w.Close(); err == nil {
		err = cerr
	}
	return im, err
}

func (a *asker) do(ctx context.Context, j job) (*result, error) {
	a.visited, a.spent, a.searches = 0, 0, 0
	got, err := a.run(ctx, j.level)
	if err != nil {
		return nil, err
	}
	r := &result{job: j, set: a.set, u: a.u, run: got, ours: evaluate(a.set, a.u, got, j.level, j.exclude),
		sentences: a.sentences, faults: a.faults, visited: a.visited / max(1, a.searches),
		cpu: a.spent.Seconds() * 1000 / float64(max(1, a.searches))}
	p, err := newPlain(a.set, j.level)
	if err != nil {
		return nil, err
	}
	defer p.close()
	for _, x := range []struct {
		join string
		into *map[string]*scores
	}{{" AND ", &r.and}, {" OR ", &r.or}} {
		other, err := p.run(a.set, x.join)
		if err != nil {
			return nil, err
		}
		*x.into = evaluate(a.set, a.u, other, j.level, j.exclude)
	}
	return r, nil
}
