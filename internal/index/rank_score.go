package index

import "math"

// Parameters of the ranking, as finding.md gives them; the measurements are
// tables 2 to 4 of the retrieval research. b per field is a starting point there.
const (
	saturation = 0.9 // k1: 0.4 to 0.9 were best on short texts, 1.2 on long ones
	perMatch   = 1.0 // for every want matched: a strict tier costs 3 to 8 points of R@10 on questions
	perSession = 0.6
	perSummary = 0.6
	perBeside  = 0.2 // for the neighbours' scores
)

// fieldWeight says how much a word in a field counts: user to assistant 2 : 1
// was best on user and assistant chats; the other two are kept low unmeasured.
var fieldWeight = [fields]float64{2, 1, 0.5, 0.5}

// fieldLength says how much a field's length counts: short, even texts want
// little of it, long ones much (b 0.3 on answers halves R@1).
var fieldLength = [fields]float64{0.3, 0.75, 0.75, 0.3}

// stats are what the weight of a want and of a text's length follow from.
type stats struct {
	docs     float64         // documents in scope
	sessions float64         // sessions in scope
	holding  []float64       // by want: documents in scope that hold it
	average  [fields]float64 // length of a field
}

// weight is a want's inverse document frequency.
func (t *stats) weight(want int) float64 { return idf(t.docs, t.holding[want]) }

func idf(all, holding float64) float64 {
	return math.Log(1 + (max(all, holding)-holding+0.5)/(holding+0.5))
}

// score is BM25 with fields: the sum over the wants of their weight, times how
// often they occur, fields weighted and long ones discounted, with diminishing
// returns. It fills in the parts that the words decide. A text whose length is not
// known is taken for an average one.
func (t *stats) score(x *candidate) {
	x.score.Words, x.score.Matched = 0, 0
	long := [fields]float64{1, 1, 1, 1}
	for f, n := range x.size() {
		if n > 0 {
			long[f] = 1 - fieldLength[f] + fieldLength[f]*float64(n)/max(t.average[f], 1)
		}
	}
	for w := range t.holding {
		sum := 0.0
		for f, n := range x.counts(w) {
			sum += fieldWeight[f] * float64(n) / long[f]
		}
		if sum > 0 {
			x.score.Words += t.weight(w) * saturate(sum, saturation)
			x.score.Matched += perMatch
		}
	}
}

// saturate gives diminishing returns for how often something occurs.
func saturate(n, k float64) float64 { return n * (k + 1) / (n + k) }

// total sums the parts up.
func (s *Score) total() float64 {
	s.Total = s.Words + s.Matched + s.Session + s.Summary + s.Neighbours
	return s.Total
}

// explain fills in which terms made a hit's place.
func (s *search) explain(x *candidate) {
	if s.stats == nil || len(x.tf) != len(s.asked)*fields || len(s.stats.holding) != len(s.asked) {
		return // a literal search ranks nothing
	}
	x.score.Terms = nil
	for w := range s.asked {
		if n := x.counts(w); x.holds(w) {
			x.score.Terms = append(x.score.Terms, TermScore{
				Term: s.asked[w].text, User: int(n[fieldUser]), Assistant: int(n[fieldAssistant]),
				Steps: int(n[fieldSteps]), Meta: int(n[fieldMeta]), Weight: s.stats.weight(w),
			})
		}
	}
}
