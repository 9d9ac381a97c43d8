package index

import (
	"context"
	"os"
	"strconv"
	"testing"
	"time"

	"lookback"
)

// benchSize is how many exchanges the index of the benchmarks has:
// LOOKBACK_BENCH_EXCHANGES, else 20,000.
func benchSize() int {
	if n, err := strconv.Atoi(os.Getenv("LOOKBACK_BENCH_EXCHANGES")); err == nil {
		return n
	}
	return 20_000
}

func BenchmarkSearch(b *testing.B) {
	db := newTestDB(b)
	generate(b, db, benchSize())
	all := lookback.Everything()
	some := lookback.InWorkspace("/w/p5")
	ordinary := lookback.InConversation(lookback.SessionID{Agent: "pi", Native: "s9"}, 8, 8)
	big := lookback.InConversation(lookback.SessionID{Agent: "pi", Native: "s5"}, benchSize()/5, benchSize()/5)
	common, middle, seldom, rare := vocabulary(0), vocabulary(60), vocabulary(6000), rareWord(10)
	for _, c := range []struct {
		name  string
		scope lookback.Scope
		query lookback.Query
	}{
		{"all/rare", all, lookback.ParseTerms(rare)},
		{"all/seldom", all, lookback.ParseTerms(seldom)},
		{"all/middle", all, lookback.ParseTerms(middle)},
		{"all/commonest", all, lookback.ParseTerms(common)},
		{"all/and3", all, lookback.ParseTerms(vocabulary(3) + " " + vocabulary(10) + " " + middle)},
		{"all/question", all, question(common + " " + middle + " " + vocabulary(300) + " " + rare)},
		{"all/questionCommon", all, question(common + " " + vocabulary(1) + " " + vocabulary(3))},
		{"all/missing", all, lookback.ParseTerms(common + " qqxyzzy")},
		{"workspace/commonest", some, lookback.ParseTerms(common)},
		{"workspace/middle", some, lookback.ParseTerms(middle)},
		{"workspace/and3", some, lookback.ParseTerms(vocabulary(3) + " " + vocabulary(10) + " " + middle)},
		{"conversation/commonest", ordinary, lookback.ParseTerms(common)},
		{"conversation/middle", ordinary, lookback.ParseTerms(middle)},
		{"conversation/big/commonest", big, lookback.ParseTerms(common)},
		{"conversation/big/middle", big, lookback.ParseTerms(middle)},
		{"conversation/big/and3", big, lookback.ParseTerms(vocabulary(3) + " " + vocabulary(10) + " " + middle)},
		{"workspace/literal", some, lookback.Query{Literal: true, Text: middle}},
		{"big/literal", big, lookback.Query{Literal: true, Text: middle}},
	} {
		b.Run(c.name, func(b *testing.B) {
			var out Results
			var err error
			from := cpuTime()
			for b.Loop() {
				if out, err = db.Search(context.Background(), Request{Scope: c.scope, Query: c.query, Limit: 10, Budget: time.Minute}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64((cpuTime()-from).Microseconds())/1000/float64(b.N), "cpu-ms/op")
			b.ReportMetric(float64(out.Total), "total")
			b.ReportMetric(float64(out.Visited), "rows")
		})
	}
}

func question(s string) lookback.Query {
	q := lookback.ParseTerms(s)
	q.Question = true
	return q
}
