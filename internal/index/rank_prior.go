package index

import "lookback"

// sessionSaturation is k1 of a session's own score, which takes the whole session
// as one text. Its length does not count: b 0.75 and 0 gave the same on every set
// (LoCoMo sessions R@10 92.5 and 92.7), and a session that grows would change the
// order while somebody turns pages.
const sessionSaturation = 1.2

// addSessions adds to every candidate how well its session matches as a whole, as
// far as the candidates show it: BM25 over whole sessions. Summaries repeat what
// their session said.
func (s *search) addSessions(list []*candidate) error {
	sums := map[int64][]float64{}
	holding := make([]float64, s.found.wants)
	for _, x := range list {
		seg, err := s.segment(segmentOf(x.id))
		if err != nil {
			return err
		}
		sum := sums[seg.session]
		if sum == nil {
			sum = make([]float64, s.found.wants)
			sums[seg.session] = sum
		}
		for w := range sum {
			for _, n := range x.counts(w) {
				if n == 0 || seg.parent == summarySegment {
					continue
				}
				if sum[w] == 0 {
					holding[w]++
				}
				sum[w] += float64(n)
			}
		}
	}
	all := max(s.stats.sessions, float64(len(sums)))
	scores := map[int64]float64{}
	for session, sum := range sums {
		for w, n := range sum {
			scores[session] += perSession * idf(all, holding[w]) * saturate(n, sessionSaturation)
		}
	}
	for _, x := range list {
		x.score.Session = scores[s.segments[segmentOf(x.id)].session]
	}
	return nil
}

// maxGap is how many entries may lie between two neighbours: the result of a tool
// call, a change of model.
const maxGap = 3

// addNeighbours adds to some of the candidates, whose rows are known, what the
// matching documents or entries right before and after them on their segment score.
func addNeighbours(some, all []*candidate) {
	at := make(map[int64]*candidate, len(all))
	for _, x := range all {
		at[x.id] = x
	}
	for _, x := range some {
		end := x.id
		if x.entry == nil {
			end = x.doc.end()
		}
		for id := end + 1; id <= end+maxGap; id++ {
			if y := at[id]; y != nil {
				x.score.Neighbours += perBeside * y.score.Words
				y.score.Neighbours += perBeside * x.score.Words
				break
			}
		}
	}
}

// nodeKey names a node within the index.
type nodeKey struct {
	session int64
	node    string
}

// addSummaries adds to what summaries cover, at any level, the score of the best
// one that matches.
func (s *search) addSummaries(list []*candidate) error {
	best := map[nodeKey]float64{} // by summary: the best score of it and those above it
	above := map[nodeKey][]string{}
	for _, x := range s.found.found {
		if !s.isSummary(x) {
			continue
		}
		if err := s.row(x); err != nil {
			return err
		}
		if err := s.summaries(segmentOf(x.id), x.doc.session, above); err != nil {
			return err
		}
		best[nodeKey{x.doc.session, x.doc.node}] = x.score.Words
	}
	if len(best) == 0 {
		return nil
	}
	done := map[nodeKey]bool{}
	var climb func(session int64, nodes []string) float64
	climb = func(session int64, nodes []string) (most float64) {
		for _, node := range nodes {
			key := nodeKey{session, node}
			if !done[key] {
				done[key] = true
				best[key] = max(best[key], climb(session, above[key]))
			}
			most = max(most, best[key])
		}
		return most
	}
	for _, x := range list {
		if x.doc.kind != lookback.KindSummary {
			x.score.Summary = perSummary * climb(x.doc.session, x.doc.parents)
		}
	}
	return nil
}
