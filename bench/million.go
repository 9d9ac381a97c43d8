package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"lookback"
	"lookback/bench/measure"
	"lookback/bench/report"
	"lookback/internal/index"
	"lookback/internal/service"
)

const (
	vocabulary = 60_000 // words of the generated language
	inSession  = 25     // exchanges of a session, mean
	spaces     = 400    // workspaces
)

var syllables = strings.Fields("ba de fo gu ki la mo ne pi ro su ta ve wo xi yu za che dri flo gra pla ste tru sho ")

// word gives the n-th word of the generated language; the lower n, the more
// common it is.
func word(n int) string {
	k := len(syllables)
	w := syllables[n%k] + syllables[n/k%k]
	for n /= k * k; n > 0; n /= k {
		w += syllables[n%k]
	}
	return w
}

// prose writes words by Zipf's law.
func prose(r *rand.Rand, z *rand.Zipf, n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(word(int(z.Uint64())))
		if r.IntN(12) == 0 {
			b.WriteByte('.')
		}
	}
	return b.String()
}

// generated gives the index of so many exchanges, made when it is missing. What
// making it took is told in made, "" when it was there.
func (b *bench) generated(ctx context.Context) (path, made string, err error) {
	path = filepath.Join(b.cache, fmt.Sprintf("generated-%d", b.exchanges), "index.db")
	if db, err := index.Open(ctx, path, index.Options{}); err == nil {
		notice := db.Notice()
		n := 0
		if list, err := db.Sessions(ctx, index.SessionQuery{Scope: lookback.Everything(), Limit: 1}); err == nil {
			n = list.Total
		}
		db.Close()
		if notice == "" && n >= b.exchanges/inSession {
			return path, "", nil
		}
	}
	fmt.Fprintf(os.Stderr, "generating an index of %d exchanges\n", b.exchanges)
	if err := os.RemoveAll(filepath.Dir(path)); err != nil {
		return path, "", err
	}
	from := measure.CPU()
	if err := b.generate(ctx, path); err != nil {
		os.RemoveAll(filepath.Dir(path))
		return path, "", err
	}
	size, err := dirSize(filepath.Dir(path))
	return path, fmt.Sprintf("made in %s CPU s, %d MB", report.Figure((measure.CPU() - from).Seconds()), size/1e6), err
}

func (b *bench) generate(ctx context.Context, path string) error {
	db, err := index.Open(ctx, path, index.Options{})
	if err != nil {
		return err
	}
	defer db.Close()
	w, err := db.Writer(ctx, true)
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(1, 2))
	z := rand.NewZipf(r, 1.07, 3, vocabulary-1)
	start := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	for s := 0; s*inSession < b.exchanges; s++ {
		if err := w.Put(ctx, made(r, z, s, inSession, start.Add(time.Duration(s)*10*time.Minute))); err != nil {
			w.Close()
			return err
		}
	}
	return w.Close()
}

// made is one session of n exchanges.
func made(r *rand.Rand, z *rand.Zipf, session, n int, start time.Time) index.Update {
	native := fmt.Sprintf("s%06d", session)
	u := index.Update{From: 1, Entries: make([]lookback.Entry, 0, 2*n)}
	// Sessions are not spread evenly over workspaces: the first has every fifth.
	space := session % spaces
	if session%5 == 0 {
		space = 0
	}
	u.Session.ID = lookback.SessionID{Agent: "pi", Native: native}
	u.Session.Cwd, u.Session.Started, u.Session.Record = fmt.Sprintf("/made/w%03d", space), start, "pi."+native
	u.Session.Exchanges, u.Session.Entries, u.Session.First = n, 2*n, start
	for i := range n {
		at := start.Add(time.Duration(i) * time.Minute)
		question, answer := prose(r, z, 5+r.IntN(30)), prose(r, z, 20+r.IntN(80))
		u.Entries = append(u.Entries,
			lookback.Entry{Seq: 2*i + 1, ID: fmt.Sprintf("%08x", 2*i+1), Parent: 2 * i, Role: lookback.RoleUser, Message: true, Time: at, Parts: []lookback.Part{{Text: question}}},
			lookback.Entry{Seq: 2*i + 2, ID: fmt.Sprintf("%08x", 2*i+2), Parent: 2*i + 1, Role: lookback.RoleAssistant, Message: true, Stop: lookback.StopFinal,
				Time: at.Add(20 * time.Second), Parts: []lookback.Part{{Text: answer}}})
		u.Docs = append(u.Docs, index.Doc{Kind: lookback.KindExchange, Node: fmt.Sprintf("0:%08x", 2*i+2), Users: []int{2*i + 1}, Answers: []int{2*i + 2},
			First: at, Last: at.Add(20 * time.Second), Ready: true, Done: true, Parents: []string{""}})
		u.Session.Last = at.Add(20 * time.Second)
	}
	u.Session.Name = lookback.FallbackName(u.Entries)
	u.Docs = append(u.Docs, index.Doc{Kind: lookback.KindSession, Text: u.Session.Name, Ready: true})
	return u
}

// million searches everything in the generated index.
func (b *bench) million(ctx context.Context) ([]report.Row, error) {
	path, how, err := b.generated(ctx)
	if err != nil {
		return nil, err
	}
	svc, err := service.Open(ctx, service.Config{Index: path, NoSync: true})
	if err != nil {
		return nil, err
	}
	defer svc.Close()
	rare, common := []string{}, []string{}
	for i := range 20 {
		rare = append(rare, word(vocabulary/2+i*37))
		common = append(common, word(i/4))
	}
	run := func(scope lookback.Scope, words []string) (*timed, error) {
		t := &timed{}
		for round := range b.runs + 1 {
			if round == 1 {
				t = &timed{} // the first round has read the pages
			}
			for _, w := range words {
				if err := t.ask(ctx, svc, scope, lookback.ParseTerms(w)); err != nil {
					return nil, err
				}
			}
		}
		return t, nil
	}
	var out []report.Row
	for _, x := range []struct {
		id, name string
		limit    float64
		scope    lookback.Scope
		words    []string
	}{
		{"million-rare", "unscoped, rare term, 1 M exchanges, p95", 10, lookback.Everything(), rare},
		{"million-commonest", "unscoped, commonest terms, 1 M exchanges, p95", 50, lookback.Everything(), common},
		{"million-workspace", "term in a workspace of a fifth of 1 M, p95", 5, lookback.InWorkspace("/made/w000"), append(rare, common...)},
	} {
		t, err := run(x.scope, x.words)
		if err != nil {
			return out, err
		}
		out = append(out, t.row(x.id, x.name, x.limit, strings.TrimSpace(fmt.Sprintf("%d exchanges %s", b.exchanges, how))))
	}
	return out, nil
}
