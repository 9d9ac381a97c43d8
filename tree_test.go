package lookback

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

// drawn writes a tree, one line a node: its id without the archive's, its
// children, its parents after ^, and + when completed.
func drawn(nodes []Node) string {
	short := func(ids []string) string {
		out := make([]string, len(ids))
		for i, id := range ids {
			out[i] = strings.TrimPrefix(id, "A:")
		}
		return strings.Join(out, " ")
	}
	var b strings.Builder
	for _, n := range nodes {
		mark := "-"
		if n.Completed {
			mark = "+"
		}
		fmt.Fprintf(&b, "%s%s", short([]string{n.ID}), mark)
		if len(n.Children) > 0 {
			fmt.Fprintf(&b, " (%s)", short(n.Children))
		}
		if len(n.Parents) > 0 {
			fmt.Fprintf(&b, " ^%s", short(n.Parents))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestBuildTree(t *testing.T) {
	tests := []struct{ name, log, want string }{
		{"no exchange", "n a o", ""},
		{"one", "u a", `
0:e2+ ^A
A+ (0:e2)
`},
		{"three stay under the session", "u a u a u", `
0:e2+ ^A
0:e4+ ^A
0:e5- ^A
A- (0:e2 0:e4 0:e5)
`},
		{"four get a summary", turns(4), `
0:e2+ ^1:e8
0:e4+ ^1:e8
0:e6+ ^1:e8
0:e8+ ^1:e8
1:e8+ (0:e2 0:e4 0:e6 0:e8) ^A
A+ (1:e8)
`},
		{"one left over, one unfinished", "u a u b u a u a u", `
0:e2+ ^1:e8
0:e4- ^1:e8
0:e6+ ^1:e8
0:e8+ ^1:e8
0:e9- ^A
1:e8- (0:e2 0:e4 0:e6 0:e8) ^A
A- (1:e8 0:e9)
`},
		{"two branches with a summary of their own each", turns(3) + "u a u<6 a", `
0:e2+ ^1:e8 1:e10
0:e4+ ^1:e8 1:e10
0:e6+ ^1:e8 1:e10
0:e8+ ^1:e8
1:e8+ (0:e2 0:e4 0:e6 0:e8) ^A
0:e10+ ^1:e10
1:e10+ (0:e2 0:e4 0:e6 0:e10) ^A
A+ (1:e8 1:e10)
`},
		{"a shared prefix under a summary and the session", turns(4) + "u<4 a", `
0:e2+ ^1:e8 A
0:e4+ ^1:e8 A
0:e6+ ^1:e8
0:e8+ ^1:e8
1:e8+ (0:e2 0:e4 0:e6 0:e8) ^A
0:e10+ ^A
A+ (1:e8 0:e2 0:e4 0:e10)
`},
		{"a shared summary", turns(4) + "u a u<8 a", `
0:e2+ ^1:e8
0:e4+ ^1:e8
0:e6+ ^1:e8
0:e8+ ^1:e8
0:e10+ ^A
1:e8+ (0:e2 0:e4 0:e6 0:e8) ^A
0:e12+ ^A
A+ (1:e8 0:e10 0:e12)
`},
		{"prefix branches add nothing", turns(2) + "o<2", `
0:e2+ ^A
0:e4+ ^A
A+ (0:e2 0:e4)
`},
		{"order by first entry, not by tip", "u u<0 a a<1", `
0:e3+ ^A
0:e4+ ^A
A+ (0:e4 0:e3)
`},
		{"ties in tip order", "u a a<1", `
0:e2+ ^A
0:e3+ ^A
A+ (0:e2 0:e3)
`},
		{"two roots make no common summary", turns(3) + "u<0 a", `
0:e2+ ^A
0:e4+ ^A
0:e6+ ^A
0:e8+ ^A
A+ (0:e2 0:e4 0:e6 0:e8)
`},
	}
	for _, tt := range tests {
		nodes := treeOf(grow(t, tt.log))
		if got, want := drawn(nodes), strings.TrimPrefix(tt.want, "\n"); got != want {
			t.Errorf("%s: %s\ngot\n%swant\n%s", tt.name, tt.log, got, want)
		}
		checkTree(t, nodes)
	}
}

func TestBuildTreeSuffixedKeys(t *testing.T) {
	tests := []struct {
		name, log string
		want      string // exchange ids in tree order
	}{
		{"unfinished answer, other later user entries", "u b r r<2 r<2 u<1", "0:e2 0:e6"},
		{"steered in one branch only", "u t r u<2", "0:e2 0:e2~4"},
		{"steered differently", "u t u u<2", "0:e2 0:e2~4"},
		{"id used again on another branch", "u a=x u<0 a=x", "0:x 0:x~3"},
		{"id used again on the same branch", "u a=x u a=x", "0:x 0:x~3"},
		{"id used again by the same question's answers", "u a=x a=x<1 a=x<1", "0:x 0:x~1 0:x~1~4"},
		{"id that looks suffixed twice", "u a=x~1~5 a=x<1 a=x<1 a=x<1", "0:x~1~5 0:x 0:x~1 0:x~1~5~5"},
		{"id that looks suffixed", "u<0 a=x~5 u<0 a=x u<0 a=x", "0:x~5 0:x 0:x~5~6"},
		{"the later in tip order, though earlier in the file", "u<0 a=x u<0 a=x u<2", "0:x 0:x~1 0:e5"},
	}
	for _, tt := range tests {
		var got []string
		nodes := treeOf(grow(t, tt.log))
		for _, n := range nodes {
			if n.Kind == KindExchange {
				got = append(got, strings.TrimPrefix(n.ID, "A:"))
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %s: got %v, want %s", tt.name, tt.log, got, tt.want)
		}
		checkTree(t, nodes)
	}
}

// A suffixed exchange names the summary above it too, so that two groups which
// end with the same entry are two nodes.
func TestBuildTreeSuffixedSummary(t *testing.T) {
	log := grow(t, turns(3)+"u t r u<8")
	var got []string
	for _, n := range treeOf(log) {
		if n.Kind == KindSummary {
			got = append(got, n.ID)
		}
	}
	if want := []string{"A:1:e8", "A:1:e8~10"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestBuildTreeNodes(t *testing.T) {
	log := grow(t, "u u a u b u a u l a u")
	log[1].Key = "v1-2"
	for i := range 3 { // the first exchange has no time at all
		log[i].Time = time.Time{}
	}
	log[4].Time = minute(-4)   // the second one ends before it begins
	log[9].Time = minute(30)   // the fourth ends after what follows
	log[8].Parts[0].Text = "I" // cut by length
	got := treeOf(log)
	want := []Node{
		{ID: "A:0:e3", Kind: KindExchange, Parents: []string{"A:1:e10"}, EntryIDs: []string{"e1", "v1-2", "e3"},
			Text: "用户：\nw1\n\n用户：\nw2\n\n助手：\nw3", Ready: true, Completed: true},
		{ID: "A:0:e5", Kind: KindExchange, Parents: []string{"A:1:e10"}, EntryIDs: []string{"e4", "e5"},
			Text: "用户：\nw4\n\n助手：\nw5", From: minute(-4), To: minute(4), Ready: true},
		{ID: "A:0:e7", Kind: KindExchange, Parents: []string{"A:1:e10"}, EntryIDs: []string{"e6", "e7"},
			Text: "用户：\nw6\n\n助手：\nw7", From: minute(6), To: minute(7), Ready: true, Completed: true},
		{ID: "A:0:e10", Kind: KindExchange, Parents: []string{"A:1:e10"}, EntryIDs: []string{"e8", "e10"},
			Text: "用户：\nw8\n\n助手：\nI\nw10", From: minute(8), To: minute(30), Ready: true, Completed: true},
		{ID: "A:0:e11", Kind: KindExchange, Parents: []string{"A"}, EntryIDs: []string{"e11"},
			Text: "用户：\nw11", From: minute(11), To: minute(11), Ready: true},
		{ID: "A:1:e10", Kind: KindSummary, Level: 1, Children: []string{"A:0:e3", "A:0:e5", "A:0:e7", "A:0:e10"},
			Parents: []string{"A"}, EntryIDs: []string{"e1", "e10"}, From: minute(-4), To: minute(30)},
		{ID: "A", Kind: KindSession, Level: -1, Children: []string{"A:1:e10", "A:0:e11"}, Text: "name",
			From: minute(-4), To: minute(30), Ready: true},
	}
	for i := range want {
		if i >= len(got) || !reflect.DeepEqual(got[i], want[i]) {
			t.Errorf("node %d\n got %+v\nwant %+v", i, got[min(i, len(got)-1)], want[i])
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d nodes, want %d", len(got), len(want))
	}
}

// The same tree comes out of the same log, and another archive id changes
// nothing but the beginning of each id.
func TestBuildTreeIsTheSameEveryTime(t *testing.T) {
	log := grow(t, turns(9)+"u<4 a "+turns(6)+"u<0 t r u<34")
	f := Exchanges(log)
	first := BuildTree("A", "name", log, &f)
	if !reflect.DeepEqual(first, treeOf(log)) {
		t.Error("two scans, two trees")
	}
	for i, n := range BuildTree("B", "name", log, &f) {
		if local(n.ID) != local(first[i].ID) || !strings.HasPrefix(n.ID, "B") {
			t.Errorf("node %d is %s, was %s", i, n.ID, first[i].ID)
		}
	}
}

func TestSplitNodeID(t *testing.T) {
	tests := []struct {
		id, archive string
		level       int
		key         string
		ok          bool
	}{
		{"A", "A", -1, "", true},
		{"A:0:e1", "A", 0, "e1", true},
		{"A:12:e1~7", "A", 12, "e1~7", true},
		{"A:0:with:colons", "A", 0, "with:colons", true},
		{"", "", -1, "", false},
		{"A:", "A", 0, "", false},
		{"A:1", "A", 1, "", false},
		{"A:1:", "A", 1, "", false},
		{"A:x:e1", "A", 0, "e1", false},
		{"A:-1:e1", "A", -1, "e1", false},
		{":0:e1", "", 0, "e1", false},
	}
	for _, tt := range tests {
		archive, level, key, ok := SplitNodeID(tt.id)
		if ok != tt.ok || ok && (archive != tt.archive || level != tt.level || key != tt.key) {
			t.Errorf("SplitNodeID(%q) = %q %d %q %v, want %q %d %q %v", tt.id, archive, level, key, ok, tt.archive, tt.level, tt.key, tt.ok)
		}
	}
}
