package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"lookback"
	"lookback/bench/measure"
	"lookback/bench/report"
	"lookback/internal/service"
)

// allOfCorpus is the directory above every session of the corpora.
const allOfCorpus = "/home/dev/work"

// queries are words of known rank, common to rare, and what the corpus has
// planted of each kind.
func (b *bench) queries(ctx context.Context) ([]string, error) {
	home, err := b.home(ctx, "c10k")
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(filepath.Join(home, "needles.json"))
	if err != nil {
		return nil, err
	}
	var known struct {
		Probes  []struct{ Word string }
		Needles []struct{ Query string }
	}
	if err := json.Unmarshal(data, &known); err != nil {
		return nil, err
	}
	var out []string
	for i, p := range known.Probes {
		out = append(out, p.Word)
		if i > 0 {
			out = append(out, known.Probes[i-1].Word+" "+p.Word)
		}
	}
	for _, n := range known.Needles[:min(12, len(known.Needles))] {
		out = append(out, n.Query)
	}
	return out, nil
}

// timed collects what searches cost.
type timed struct {
	cpu     []float64 // milliseconds
	full    []float64 // those with full matches
	none    []float64 // those without, which go on to look for related texts
	visited []float64 // rows
	worst   string
	most    float64
}

// ask searches once and notes the cost.
func (t *timed) ask(ctx context.Context, svc *service.Service, scope lookback.Scope, q lookback.Query) error {
	from := measure.CPU()
	res, err := svc.Search(ctx, service.Request{Scope: scope, Query: q, Limit: 10})
	ms := (measure.CPU() - from).Seconds() * 1000
	if err != nil {
		return err
	}
	t.cpu = append(t.cpu, ms)
	t.visited = append(t.visited, float64(res.Visited))
	if len(res.Hits) > 0 {
		t.full = append(t.full, ms)
	} else {
		t.none = append(t.none, ms)
	}
	if ms > t.most {
		t.most, t.worst = ms, fmt.Sprintf("%q in %s, %d rows", q.Text, scope, res.Visited)
	}
	return nil
}

// row gives the 95th percentile of the searches as one value.
func (t *timed) row(id, name string, limit float64, more string) report.Row {
	note := fmt.Sprintf("%d searches, p50 %s, p99 %s; ", len(t.cpu), at(t.cpu, 0.5), at(t.cpu, 0.99))
	if len(t.none) > 0 {
		note += fmt.Sprintf("p95 of the %d with full matches %s, of the others %s; ", len(t.full), at(t.full, 0.95), at(t.none, 0.95))
	}
	return report.Row{ID: id, Name: name, Unit: millis, Limit: limit, Values: []float64{report.Percentile(t.cpu, 0.95)},
		Visited: int(report.Percentile(t.visited, 0.95)), Note: note + more + "; most: " + t.worst}
}

func at(values []float64, p float64) string { return report.Figure(report.Percentile(values, p)) }

// calls searches for terms as agents' tools do, in the scopes that they have.
func (b *bench) calls(ctx context.Context) ([]report.Row, error) {
	_, s, err := b.warm(ctx)
	if err != nil {
		return nil, err
	}
	svc, err := service.Open(ctx, service.Config{Index: s.index(), NoSync: true})
	if err != nil {
		return nil, err
	}
	defer svc.Close()
	words, err := b.queries(ctx)
	if err != nil {
		return nil, err
	}
	spaces, talks, err := b.scopes(ctx, svc)
	if err != nil {
		return nil, err
	}
	measureIn := func(scopes []lookback.Scope) (*timed, error) {
		t := &timed{}
		for round := range b.runs + 1 {
			for _, scope := range scopes {
				for _, w := range words {
					if round == 0 { // warms the pages of the scope
						if _, err := svc.Search(ctx, service.Request{Scope: scope, Query: lookback.ParseTerms(w), Limit: 10}); err != nil {
							return nil, err
						}
						continue
					}
					if err := t.ask(ctx, svc, scope, lookback.ParseTerms(w)); err != nil {
						return nil, err
					}
				}
			}
		}
		return t, nil
	}
	var out []report.Row
	for _, x := range []struct {
		id, name string
		scopes   []lookback.Scope
		more     string
	}{
		{"call-workspace", "term query in a workspace of c10k, p95", spaces, fmt.Sprintf("the %d largest workspaces", len(spaces))},
		{"call-everything", "the same in one workspace of 10,000 sessions", []lookback.Scope{lookback.InWorkspace(allOfCorpus)}, "all of c10k lies below it"},
		{"call-conversation", "the same in a conversation, p95", talks, fmt.Sprintf("%d conversations, the longest among them", len(talks))},
	} {
		t, err := measureIn(x.scopes)
		if err != nil {
			return out, err
		}
		out = append(out, t.row(x.id, x.name, 5, x.more))
	}
	return out, nil
}

// scopes lists the largest workspaces of c10k, and conversations up to their end.
func (b *bench) scopes(ctx context.Context, svc *service.Service) (spaces, talks []lookback.Scope, err error) {
	count := map[string]int{}
	var longest []service.Session
	for cursor, page := "", 0; page < 10; page++ {
		list, err := svc.Sessions(ctx, service.ListRequest{Scope: lookback.Everything(), Limit: 1000, Cursor: cursor})
		if err != nil {
			return nil, nil, err
		}
		for i, s := range list.Sessions {
			count[s.Cwd]++
			if len(longest) < 10 || s.Entries > longest[len(longest)-1].Entries || i%100 == 0 {
				longest = insert(longest, s)
			}
		}
		if cursor = list.Next; cursor == "" {
			break
		}
	}
	for range min(8, len(count)) {
		best := ""
		for dir, n := range count {
			if n > count[best] || n == count[best] && dir < best {
				best = dir
			}
		}
		delete(count, best)
		spaces = append(spaces, lookback.InWorkspace(best))
	}
	for _, s := range longest {
		talks = append(talks, lookback.InConversation(s.ID, s.Entries, s.Entries+1))
	}
	return spaces, talks, nil
}

// insert keeps the 20 longest sessions seen so far, longest first.
func insert(list []service.Session, s service.Session) []service.Session {
	at := len(list)
	for at > 0 && list[at-1].Entries < s.Entries {
		at--
	}
	list = append(list[:at], append([]service.Session{s}, list[at:]...)...)
	return list[:min(20, len(list))]
}
