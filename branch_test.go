package lookback

import (
	"slices"
	"testing"
)

func TestOrder(t *testing.T) {
	tests := []struct {
		name, log string
		want      []int
	}{
		{"empty", "", nil},
		{"log order", "u a u<1 a<0", []int{1, 2, 3, 4}},
		{"later parent", "a<2 u<0", []int{2, 1}},
		{"several later parents", "a<3 a<3 u<0 u<1", []int{3, 1, 2, 4}},
		{"ring and what hangs below it", "u a<3 a<2 a<3 a<1", []int{1, 5}},
		{"own parent", "u<1 a<0", []int{2}},
	}
	for _, tt := range tests {
		if got := Order(grow(t, tt.log)); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestPath(t *testing.T) {
	tests := []struct {
		log  string
		leaf int
		want []int
	}{
		{"u a u<1 a", 4, []int{1, 3, 4}},
		{"u a u<1 a", 2, []int{1, 2}},
		{"u a u<0", 3, []int{3}},
		{"a<2 u<0", 1, []int{2, 1}},
		{"u a", 0, nil},
		{"u a", -1, nil},
		{"u a", 3, nil},
		{"", 1, nil},
	}
	for _, tt := range tests {
		if got := Path(grow(t, tt.log), tt.leaf); !slices.Equal(got, tt.want) {
			t.Errorf("Path(%s, %d) = %v, want %v", tt.log, tt.leaf, got, tt.want)
		}
	}
	if got := Path(grow(t, "u<2 a<1"), 1); len(got) > 3 {
		t.Errorf("a ring gave a path of %d", len(got))
	}
}

func TestTips(t *testing.T) {
	tests := []struct {
		name, log string
		want      []int
	}{
		{"empty", "", nil},
		{"the last entry", "u a", []int{2}},
		{"a label is no tip", "u a n n", []int{2}},
		{"nor does it hide one", "u a n u", []int{4}},
		{"labels alone", "n n", nil},
		{"several, in file order", "u a a<1 u<2 r<3 a<0", []int{4, 5, 6}},
		{"side label", "u n<1 a<1", []int{3}},
		{"a tool result and an injected message are", "u t r i<1", []int{3, 4}},
		{"child before its parent", "a<2 u<0 a<2", []int{1, 3}},
		{"a ring has none", "u a u<4 a<3 a<4", []int{2}},
	}
	for _, tt := range tests {
		if got := Tips(grow(t, tt.log)); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestAround(t *testing.T) {
	path := []int{10, 20, 30, 40, 50, 60}
	tests := []struct {
		name string
		n    int
		at   []int
		want []int
	}{
		{"no neighbour", 0, []int{2}, []int{30}},
		{"no neighbour at the ends", 0, []int{0, 5}, []int{10, 60}},
		{"one on each side", 1, []int{2}, []int{20, 30, 40}},
		{"at the beginning", 2, []int{0}, []int{10, 20, 30}},
		{"at the end", 2, []int{5}, []int{40, 50, 60}},
		{"more than there are", 99, []int{3}, path},
		{"overlapping windows", 1, []int{2, 3}, []int{20, 30, 40, 50}},
		{"windows apart", 1, []int{0, 5}, []int{10, 20, 50, 60}},
		{"path order, each once", 0, []int{4, 1, 4}, []int{20, 50}},
		{"outside the path", 1, []int{-1, 6, 99}, nil},
		{"some outside", 1, []int{-1, 0}, []int{10, 20}},
		{"nothing asked for", 3, nil, nil},
	}
	for _, tt := range tests {
		if got := Around(path, tt.n, tt.at...); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
	if got := Around(nil, 2, 0); got != nil {
		t.Errorf("empty path: %v", got)
	}
}

func TestLastBoundary(t *testing.T) {
	tests := []struct {
		name, log string
		leaf      int
		want      *Boundary
	}{
		{"none", "u a u a", 4, nil},
		{"empty path", "", 0, nil},
		{"keeps from an entry", "u a u a c:e3 u", 6, &Boundary{CauseCompaction, 3, 5, "cut"}},
		{"keeps the entry right before", "u a c:e2 u", 4, &Boundary{CauseCompaction, 2, 3, "cut"}},
		{"keeps the root", "u a c:e1", 3, &Boundary{CauseCompaction, 1, 3, "cut"}},
		{"keeps nothing", "u a c u", 4, &Boundary{CauseCompaction, 3, 3, "cut"}},
		{"keeps itself", "u a c:e3 u", 4, &Boundary{CauseCompaction, 3, 3, "cut"}},
		{"keeps itself, its id was used before", "u=x a c=x:x u", 4, &Boundary{CauseCompaction, 3, 3, "cut"}},
		{"id used twice: the nearest earlier", "u=x a u=x a c:x", 5, &Boundary{CauseCompaction, 3, 5, "cut"}},
		{"unknown entry", "u a c:gone u", 4, &Boundary{CauseCompaction, 3, 3, "cut"}},
		{"entry of another branch", "u a u<1 a c:e2 u", 6, &Boundary{CauseCompaction, 5, 5, "cut"}},
		{"entry after it", "u a c:e4 u", 4, &Boundary{CauseCompaction, 3, 3, "cut"}},
		{"reset", "u a z u", 4, &Boundary{CauseReset, 3, 3, "cut"}},
		{"handoff", "u t h:e3 a", 4, &Boundary{CauseHandoff, 3, 3, "cut"}},
		{"the last one decides", "u a c:e1 u a h u", 7, &Boundary{CauseHandoff, 6, 6, "cut"}},
		{"the last one may keep from before an earlier one", "u a h u a c:e2", 6, &Boundary{CauseCompaction, 2, 6, "cut"}},
		{"at the leaf itself", "u a c:e2", 3, &Boundary{CauseCompaction, 2, 3, "cut"}},
		{"after the leaf", "u a c:e2 u", 2, nil},
		{"on another branch", "u a c:e2 u<2 a", 5, nil},
	}
	for _, tt := range tests {
		log := grow(t, tt.log)
		got := LastBoundary(log, Path(log, tt.leaf))
		if (got == nil) != (tt.want == nil) || got != nil && *got != *tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

// The kept entry is named by the agent's own id, not by the key of old archives.
func TestLastBoundaryUsesNativeIDs(t *testing.T) {
	log := grow(t, "u a u a c:v1-2")
	log[1].Key = "v1-2"
	if got := LastBoundary(log, Path(log, 5)); got.Entry != 5 {
		t.Errorf("kept from %d by key", got.Entry)
	}
}
