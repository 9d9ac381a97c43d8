package lookback

import (
	"strings"
	"testing"
)

// written is the tree of a log, with a text in every summary.
func written(log []Entry, archive string) []Node {
	f := Exchanges(log)
	nodes := BuildTree(archive, "name", log, &f)
	for i := range nodes {
		if n := &nodes[i]; n.Kind == KindSummary {
			n.Text, n.Ready = "about "+local(n.ID), true
		}
	}
	return nodes
}

func TestReuse(t *testing.T) {
	sixteen := turns(16)
	tests := []struct {
		name     string
		old, now string
		spoil    func(old []Node) // what happened to the old record
		reread   func(log []Entry)
		lost     string // summaries that stay without a text
		taken    int
	}{
		{"nothing changed", sixteen, sixteen, nil, nil, "", 5},
		{"nothing was there", "", turns(4), nil, nil, "1:e8", 0},
		{"the log grew", turns(5), turns(9), nil, nil, "1:e16", 1},
		{"the log grew by a level", turns(15), sixteen, nil, nil, "1:e32 2:e32", 3},
		{"a new branch", turns(4), turns(4) + "u<6 a", nil, nil, "1:e10", 1},
		{"answered now", turns(3) + "u", turns(4), nil, nil, "1:e8", 0},
		{"answered now, with a failed try in between", turns(3) + "u b", turns(3) + "u b a", nil, nil, "1:e9", 0},
		{"closed as it was", turns(3) + "u b", turns(3) + "u b u a", nil, nil, "", 1},
		{"an exchange reads otherwise", sixteen, sixteen, nil, func(log []Entry) { log[8].Parts = nil }, "1:e16 2:e32", 3},
		{"an answer is final now", turns(3) + "u k", turns(3) + "u k", nil, func(log []Entry) { log[7].Stop = StopFinal }, "1:e8", 0},
		{"a text was lost", sixteen, sixteen, func(old []Node) {
			n := byID(old)["A:1:e16"]
			n.Text, n.Ready = "", false
		}, nil, "1:e16 2:e32", 3},
		{"an exchange is missing in the record", sixteen, sixteen, func(old []Node) { byID(old)["A:0:e10"].ID = "A:0:gone" }, nil, "1:e16 2:e32", 3},
		{"other children", turns(4), turns(4), func(old []Node) { byID(old)["A:1:e8"].Children[0] = "A:0:e0" }, nil, "1:e8", 0},
		{"children in another order", turns(4), turns(4), func(old []Node) {
			c := byID(old)["A:1:e8"].Children
			c[0], c[1] = c[1], c[0]
		}, nil, "1:e8", 0},
		{"fewer children", turns(4), turns(4), func(old []Node) {
			n := byID(old)["A:1:e8"]
			n.Children = n.Children[:3]
		}, nil, "1:e8", 0},
		{"a summary rewritten by the other program", sixteen, sixteen, func(old []Node) { byID(old)["A:1:e8"].Text = "better" }, nil, "", 5},
	}
	for _, tt := range tests {
		old := written(grow(t, tt.old), "A")
		if tt.spoil != nil {
			tt.spoil(old)
		}
		log := grow(t, tt.now)
		if tt.reread != nil {
			tt.reread(log)
		}
		nodes := treeOf(log)
		taken := Reuse(nodes, old)
		var lost []string
		was := byID(old)
		for _, n := range nodes {
			if n.Kind == KindSummary && !n.Ready {
				lost = append(lost, local(n.ID))
			}
			if n.Kind == KindSummary && n.Ready && n.Text != was[n.ID].Text {
				t.Errorf("%s: %s has text %q", tt.name, n.ID, n.Text)
			}
		}
		if got := strings.Join(lost, " "); got != tt.lost || taken != tt.taken {
			t.Errorf("%s: without a text %q, want %q; took %d, want %d", tt.name, got, tt.lost, taken, tt.taken)
		}
	}
}

// A fork copies entries with their ids into a session of its own, whose archive
// has another id: the summaries of the shared beginning are paid for once.
func TestReuseAcrossArchives(t *testing.T) {
	old := written(grow(t, turns(6)), "parent")
	nodes := treeOf(grow(t, turns(4)+"u a=x"))
	if got := Reuse(nodes, old); got != 1 || byID(nodes)["A:1:e8"].Text != "about 1:e8" {
		t.Errorf("took %d", got)
	}
}

// A text that is there already is not replaced, and counts for its parent.
func TestReuseKeepsWhatIsThere(t *testing.T) {
	log := grow(t, turns(16))
	nodes := treeOf(log)
	n := byID(nodes)["A:1:e8"]
	n.Text, n.Ready = "mine", true
	if got := Reuse(nodes, written(log, "A")); got != 3 || n.Text != "mine" {
		t.Errorf("took %d, text %q", got, n.Text)
	}
	if byID(nodes)["A:2:e32"].Ready {
		t.Error("the summary above stands on another text")
	}
}

func TestReuseOfNothing(t *testing.T) {
	if got := Reuse(nil, nil) + Reuse(nil, written(grow(t, turns(4)), "A")); got != 0 {
		t.Errorf("took %d", got)
	}
}
