package lookback

import (
	"runtime"
	"testing"
)

// chain is a log of n finished exchanges in a row.
func chain(n int) []Entry {
	log := make([]Entry, 0, 2*n)
	for range n {
		log = append(log, kindly('u', len(log)+1), kindly('a', len(log)+2))
	}
	for i := range log {
		log[i].Parent = i
	}
	return log
}

// fan is a chain of shared exchanges with tips branches of one exchange more.
func fan(shared, tips int) []Entry {
	log := chain(shared)
	for range tips {
		u, a := kindly('u', len(log)+1), kindly('a', len(log)+2)
		u.Parent, a.Parent = 2*shared, u.Seq
		log = append(log, u, a)
	}
	return log
}

func countLevels(nodes []Node) map[int]int {
	levels := map[int]int{}
	for _, n := range nodes {
		levels[n.Level]++
	}
	return levels
}

func TestLargeTrees(t *testing.T) {
	tests := []struct {
		name     string
		log      []Entry
		branches int
		levels   []int // nodes of level 0, 1, …
		top      int   // children of the session node
	}{
		{"1,000 in a row", chain(1000), 1, []int{1000, 250, 62, 15, 3}, 3 + 3 + 2 + 2},
		{"100,000 in a row", chain(100_000), 1, []int{100_000, 25_000, 6_250, 1_562, 390, 97, 24, 6, 1}, 1 + 2 + 0 + 1 + 2 + 2 + 2 + 0 + 0},
		{"5,000 branches on 200", fan(200, 5000), 5000, []int{5200, 50, 12, 3}, 3 + 0 + 2 + 0 + 5000},
	}
	for _, tt := range tests {
		f := Exchanges(tt.log)
		nodes := BuildTree("A", "name", tt.log, &f)
		if len(f.Tips) != tt.branches || len(f.Exchanges) != tt.levels[0] {
			t.Errorf("%s: %d branches, %d exchanges", tt.name, len(f.Tips), len(f.Exchanges))
		}
		got := countLevels(nodes)
		for level, want := range tt.levels {
			if got[level] != want {
				t.Errorf("%s: %d nodes of level %d, want %d", tt.name, got[level], level, want)
			}
		}
		if len(got) != len(tt.levels)+1 || got[-1] != 1 {
			t.Errorf("%s: levels %v", tt.name, got)
		}
		if top := len(nodes[len(nodes)-1].Children); top != tt.top {
			t.Errorf("%s: %d nodes under the session, want %d", tt.name, top, tt.top)
		}
		checkTree(t, nodes)
	}
}

// allocated is what f allocates: objects and bytes.
func allocated(f func()) (objects, bytes uint64) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.Mallocs - before.Mallocs, after.TotalAlloc - before.TotalAlloc
}

// Four times the log may take four times the memory, and a little for slices
// that grow in steps.
func TestAllocationsAreLinear(t *testing.T) {
	tests := []struct {
		name  string
		scale func(n int) []Entry
	}{
		{"longer branch", func(n int) []Entry { return chain(5000 * n) }},
		{"more branches", func(n int) []Entry { return fan(200, 1000*n) }},
		{"children before their parents", func(n int) []Entry {
			log := chain(5000 * n)
			out := make([]Entry, len(log))
			for i, e := range log {
				e.Seq = len(log) - i
				e.Parent = (len(log) + 1 - i) % (len(log) + 1)
				out[e.Seq-1] = e
			}
			return out
		}},
		{"answers of one question", func(n int) []Entry {
			log := []Entry{kindly('u', 1)}
			for range 5000 * n {
				a := kindly('a', len(log)+1)
				a.ID, a.Parent = "again", 1
				log = append(log, a)
			}
			return log
		}},
	}
	for _, tt := range tests {
		var objects, bytes [2]uint64
		for i, n := range []int{1, 4} {
			log := tt.scale(n)
			objects[i], bytes[i] = allocated(func() { Reuse(treeOf(log), treeOf(log)) })
		}
		if objects[1] > 5*objects[0] || bytes[1] > 5*bytes[0] {
			t.Errorf("%s: four times the log took %d objects and %d bytes, once took %d and %d", tt.name, objects[1], bytes[1], objects[0], bytes[0])
		}
	}
}
