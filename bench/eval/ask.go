package main

import (
	"context"
	"time"

	"lookback"
	"lookback/bench/measure"
	"lookback/internal/service"
)

// depth is how many hits are asked for: MRR is cut there, and 16,000 characters
// are fewer.
const depth = 100

// asker asks the queries of a set through the service, as a person's
// "lookback search" does.
type asker struct {
	svc *service.Service
	set *set
	im  *imported
	u   *units

	sentences int           // queries that were taken for a question
	faults    int           // queries that the parser refused
	visited   int           // rows looked at by all searches
	spent     time.Duration // processor time
	searches  int
}

// parse reads a query as a person types it.
func (a *asker) parse(text string) lookback.Query {
	q, err := lookback.ParseQuery(text, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	if err != nil {
		a.faults++
		return lookback.ParseTerms(text)
	}
	if q.Question {
		a.sentences++
	}
	return q
}

// run asks all queries for units of a level. Turns are asked for as entries,
// exchanges as the default, and sessions are those of the default's hits.
func (a *asker) run(ctx context.Context, level string) (run, error) {
	out := run{}
	a.sentences, a.faults = 0, 0
	for i := range a.set.Queries {
		q := &a.set.Queries[i]
		ask := a.parse(q.Text)
		if level == "turn" {
			ask.Filters.Kinds = []lookback.Kind{lookback.KindEntry}
		}
		from := measure.CPU()
		res, err := a.svc.Search(ctx, service.Request{
			Scope: lookback.InWorkspace(root(a.set.Name, q.Conversation)), Query: ask, Limit: depth,
		})
		a.spent += measure.CPU() - from
		if err != nil {
			return nil, err
		}
		a.searches++
		a.visited += res.Visited
		out[q.ID] = a.ranked(level, res)
	}
	return out, nil
}

// ranked maps hits to units, each once; related ones follow the full ones.
func (a *asker) ranked(level string, res service.Results) []string {
	var turns, out []string
	seen := map[string]bool{}
	for _, h := range append(res.Hits, res.Related...) {
		native := h.Ref.Session.Native
		switch {
		case h.Ref.Seq > 0:
			turns = []string{a.im.turn[place{native, h.Ref.Seq}]}
		case h.Ref.Key != "" && (level == "session" || h.Kind == lookback.KindExchange):
			turns = a.im.nodes[h.Ref]
		case level == "session":
			turns = a.im.whole[native]
		default:
			continue // a summary or a session is no unit of this level
		}
		for _, id := range a.u.lift(level, turns) {
			if !seen[id] {
				seen[id] = true
				out = append(out, id)
			}
		}
	}
	return out
}
