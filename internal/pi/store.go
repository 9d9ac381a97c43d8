package pi

import (
	"strings"

	"lookback"
)

// store is memory that many entries share, so that a log of small entries costs
// few allocations. It lives as long as any of them.
type store struct {
	parts   []lookback.Part
	calls   []lookback.Call
	replies []lookback.Reply
}

// carve copies items to shared memory.
func carve[T any](from *[]T, items []T) []T {
	n := len(items)
	if n == 0 {
		return nil
	}
	if cap(*from)-len(*from) < n {
		*from = make([]T, 0, max(n, min(16+2*cap(*from), 256)))
	}
	*from = append(*from, items...)
	return (*from)[len(*from)-n : len(*from) : len(*from)]
}

func (s *store) reply(r lookback.Reply) *lookback.Reply {
	return &carve(&s.replies, []lookback.Reply{r})[0]
}

// maxShared is the length of strings, in bytes, up to which they share memory: ids
// and names do, texts do not, so that keeping one text keeps no others.
const maxShared = 64

// strs is shared memory for short strings.
type strs struct{ b strings.Builder }

func (s *strs) add(b []byte) string {
	if s.b.Cap()-s.b.Len() < len(b) {
		grown := min(256+2*s.b.Cap(), 8<<10)
		s.b = strings.Builder{}
		s.b.Grow(max(len(b), grown))
	}
	from := s.b.Len()
	s.b.Write(b)
	return s.b.String()[from:]
}
