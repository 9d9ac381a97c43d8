package index

import (
	"math"
	"slices"
)

// sessionSaturation is k1 of a session's own score, which takes the whole session
// as one text. Its length does not count: b 0.75 and 0 gave the same on every set
// (LoCoMo sessions R@10 92.5 and 92.7), and a session that grows would change the
// order while somebody turns pages.
const sessionSaturation = 1.2

// sessionSum is a session as its candidates show it.
type sessionSum struct {
	counts []int // by want
	score  float64
}

// addSessions adds to every candidate how well its session matches as a whole.
func (s *search) addSessions(t *stats) error {
	sums := map[int64]*sessionSum{}
	of := make([]*sessionSum, len(s.found.found))
	for i := range s.found.found {
		x := &s.found.found[i]
		seg, err := s.segment(segmentOf(x.id))
		if err != nil {
			return err
		}
		sum := sums[seg.session]
		if sum == nil {
			sum = &sessionSum{counts: make([]int, s.found.wants)}
			sums[seg.session] = sum
		}
		of[i] = sum
		if seg.parent < 0 {
			continue // a summary repeats what its session said
		}
		for w := range sum.counts {
			for _, n := range s.found.counts(x, w) {
				sum.counts[w] += int(n)
			}
		}
	}
	s.scoreSessions(t, sums)
	for i, sum := range of {
		s.found.found[i].score.Session = perSession * sum.score
	}
	return nil
}

// scoreSessions fills in the scores.
func (s *search) scoreSessions(t *stats, sums map[int64]*sessionSum) {
	holding := make([]float64, s.found.wants)
	for _, sum := range sums {
		for w, n := range sum.counts {
			if n > 0 {
				holding[w]++
			}
		}
	}
	n := max(t.sessions, float64(len(sums)))
	for _, sum := range sums {
		for w, k := range sum.counts {
			if k > 0 {
				idf := math.Log(1 + (n-holding[w]+0.5)/(holding[w]+0.5))
				sum.score += idf * float64(k) * (sessionSaturation + 1) / (float64(k) + sessionSaturation)
			}
		}
	}
}

// addSurroundings adds what the covering summaries and the neighbours say.
func (s *search) addSurroundings(window []*candidate) error {
	if err := s.addSummaries(window); err != nil {
		return err
	}
	byID := map[int64]*candidate{}
	for i := range s.found.found {
		byID[s.found.found[i].id] = &s.found.found[i]
	}
	for _, x := range window {
		if x.doc == nil || len(x.doc.users)+len(x.doc.answers) == 0 {
			continue
		}
		for _, sql := range [...]string{
			"SELECT id FROM doc WHERE id < ?1 AND id >= ?2 ORDER BY id DESC LIMIT 1",
			"SELECT id FROM doc WHERE id > ?1 AND id <= (?2 | 16777215) ORDER BY id LIMIT 1",
		} {
			id, err := s.c.number(sql, x.id, place(segmentOf(x.id), 0))
			if err != nil {
				return err
			}
			if y := byID[id]; y != nil {
				x.score.Neighbours += perBeside * y.score.Words
			}
		}
		x.sum = x.score.total()
	}
	return nil
}

// addSummaries adds to what summaries cover, at any level, the score of the best
// one that matches.
func (s *search) addSummaries(window []*candidate) error {
	cover, err := s.covers(window)
	if err != nil || len(cover) == 0 {
		return err
	}
	for _, x := range window {
		if x.doc == nil || x.doc.kind == kindOfSummary {
			continue
		}
		best := 0.0
		for _, p := range x.doc.parents {
			best = max(best, cover[nodeKey{x.doc.session, p}])
		}
		x.score.Summary = perSummary * best
		x.sum = x.score.total()
	}
	return nil
}

// nodeKey names a node within the index.
type nodeKey struct {
	session int64
	node    string
}

// covers gives, for every summary of the sessions that have a matching one, the
// best score of itself and of the summaries above it.
func (s *search) covers(window []*candidate) (map[nodeKey]float64, error) {
	own := map[nodeKey]float64{}
	segments := map[int64]int64{}
	for i := range s.found.found {
		x := &s.found.found[i]
		seg, err := s.segment(segmentOf(x.id))
		if err != nil {
			return nil, err
		}
		if seg.parent >= 0 {
			continue
		}
		if x.doc == nil {
			if x.doc, err = s.doc(x.id); err != nil {
				return nil, err
			}
		}
		if x.doc != nil && x.doc.kind == kindOfSummary {
			own[nodeKey{seg.session, x.doc.node}] = x.score.Words
			segments[seg.session] = segmentOf(x.id)
		}
	}
	cover := map[nodeKey]float64{}
	for session, segment := range segments {
		if err := s.coverSession(session, segment, own, cover); err != nil {
			return nil, err
		}
	}
	return cover, nil
}

// coverSession hands scores down from summaries to the summaries below them.
func (s *search) coverSession(session, segment int64, own, cover map[nodeKey]float64) error {
	parents := map[string][]string{}
	var nodes []string
	err := s.summaries(segment, func(node string, above []string) {
		parents[node] = above
		nodes = append(nodes, node)
	})
	if err != nil {
		return err
	}
	var best func(node string, depth int) float64
	best = func(node string, depth int) float64 {
		key := nodeKey{session, node}
		if v, ok := cover[key]; ok || depth > maxLevels {
			return v
		}
		v := own[key]
		for _, p := range parents[node] {
			v = max(v, best(p, depth+1))
		}
		cover[key] = v
		return v
	}
	for _, n := range slices.Backward(nodes) {
		best(n, 0)
	}
	return nil
}

// maxLevels bounds the height of a summary tree: four to the power of it are more
// exchanges than a session can have.
const maxLevels = 12
