package lookback

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// shape says what a drawn log is like.
type shape struct {
	kinds  string // letters of kindly, drawn at random
	forks  int    // one entry in so many hangs somewhere else than below the one before
	reused int    // one id in so many was used before; 0 for none
}

// anyShape draws tame logs, which grow several levels of summaries, as well as
// wild ones, which hold every kind of entry.
func anyShape(rt *rapid.T) shape {
	return shape{
		kinds: rapid.SampledFrom([]string{"uaua", "uauauauauaub", "uauauauaua" + allKinds}).Draw(rt, "kinds"),
		forks: rapid.SampledFrom([]int{4, 15, 40}).Draw(rt, "forks"),
	}
}

func (s shape) log(rt *rapid.T) []Entry {
	var log []Entry
	for range rapid.IntRange(0, 120).Draw(rt, "size") {
		log = append(log, s.entry(rt, log))
	}
	return log
}

func (s shape) entry(rt *rapid.T, log []Entry) Entry {
	seq := len(log) + 1
	kind := s.kinds[rapid.IntRange(0, len(s.kinds)-1).Draw(rt, "kind")]
	if len(s.kinds) <= 4 { // always in turn
		kind = s.kinds[len(log)%len(s.kinds)]
	}
	e := kindly(kind, seq)
	e.Parent = seq - 1
	if rapid.IntRange(1, s.forks).Draw(rt, "fork") == s.forks {
		e.Parent = rapid.IntRange(0, seq-1).Draw(rt, "parent")
	}
	e.Time = minute(rapid.IntRange(seq-3, seq+3).Draw(rt, "time"))
	if s.reused > 0 && len(log) > 0 && rapid.IntRange(1, s.reused).Draw(rt, "again") == s.reused {
		e.ID = log[rapid.IntRange(0, len(log)-1).Draw(rt, "as")].ID
	}
	return e
}

// anyLog draws a log as damaged as a reader may hand on: ids used twice, parents
// that stand after their children.
func anyLog(rt *rapid.T) []Entry {
	s := anyShape(rt)
	s.reused = rapid.SampledFrom([]int{0, 10, 3}).Draw(rt, "reused")
	log := s.log(rt)
	if rapid.IntRange(0, 2).Draw(rt, "shuffled") == 0 {
		log = shuffled(rt, log)
	}
	return log
}

// shuffled renumbers the entries at random and keeps who hangs below whom.
func shuffled(rt *rapid.T, log []Entry) []Entry {
	order := make([]int, len(log))
	for i := range order {
		order[i] = i
	}
	order = rapid.Permutation(order).Draw(rt, "order")
	out := make([]Entry, len(log))
	for i, e := range log {
		e.Seq = order[i] + 1
		if e.Parent > 0 {
			e.Parent = order[e.Parent-1] + 1
		}
		out[order[i]] = e
	}
	return out
}

func TestExchangesAgreeWithTheOracle(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		log := anyLog(rt)
		f := Exchanges(log)
		var got [][]naiveExchange
		for _, tip := range f.Tips {
			var b []naiveExchange
			for _, i := range f.Branch(tip) {
				b = append(b, naiveExchange{Exchange: f.Exchanges[i]})
			}
			got = append(got, b)
		}
		if got, want := outline(got), outline(naiveBranches(log)); got != want {
			rt.Errorf("got\n%swant\n%s", got, want)
		}
		if got, want := Tips(log), naiveTips(log); !slices.Equal(got, want) {
			rt.Errorf("tips %v, want %v", got, want)
		}
		checkForest(rt, &f)
	})
}

// checkForest checks what BuildTree relies on: exchanges stand after those
// before them, and each branch's own ones stand in a row that ends at its tip.
func checkForest(t rapid.TB, f *Forest) {
	next := 0
	for _, tip := range f.Tips {
		if tip < next {
			t.Errorf("tip %d stands in an earlier branch's part, before %d", tip, next)
		}
		for i := next; i <= tip; i++ {
			x := &f.Exchanges[i]
			if i > next && x.Prev != i-1 || x.Prev >= next && i == next {
				t.Errorf("exchange %d follows %d", i, x.Prev)
			}
			depth := 1
			if x.Prev >= 0 {
				depth += f.Exchanges[x.Prev].Depth
			}
			if x.Depth != depth {
				t.Errorf("exchange %d has depth %d, want %d", i, x.Depth, depth)
			}
		}
		next = tip + 1
	}
	if next != len(f.Exchanges) {
		t.Errorf("%d exchanges, %d of them on listed branches", len(f.Exchanges), next)
	}
}

func TestBuildTreeAgreesWithTheOracle(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		log := anyLog(rt)
		f := Exchanges(log)
		nodes := BuildTree("A", "name", log, &f)
		want := naiveTree("A", "name", log)
		if len(nodes) != len(want) {
			rt.Errorf("%d nodes, want %d", len(nodes), len(want))
		}
		for _, n := range nodes {
			if w := want[n.ID]; w == nil || !reflect.DeepEqual(n, w.Node) {
				rt.Errorf("node %s\n got %+v\nwant %+v", n.ID, n, w)
			}
		}
		checkTree(rt, nodes)
	})
}

// checkTree checks what holds for every tree: links agree both ways, children
// stand before their parents, ids are unique, the session node is the last.
func checkTree(t rapid.TB, nodes []Node) {
	at := map[string]int{}
	for i, n := range nodes {
		if _, twice := at[n.ID]; twice {
			t.Errorf("two nodes %s", n.ID)
		}
		at[n.ID] = i
		if n.Kind == KindSummary && len(n.Children) != Fanout || n.Kind == KindExchange && len(n.Children) != 0 {
			t.Errorf("%s has %d children", n.ID, len(n.Children))
		}
		if archive, level, _, ok := SplitNodeID(n.ID); !ok || archive != "A" || level != n.Level {
			t.Errorf("%s: level %d", n.ID, n.Level)
		}
		if (n.Kind == KindSession) != (i == len(nodes)-1) || (n.Kind == KindSession) != (len(n.Parents) == 0) {
			t.Errorf("%s %v is node %d of %d and has parents %v", n.ID, n.Kind, i, len(nodes), n.Parents)
		}
		for _, child := range n.Children {
			if c, ok := at[child]; !ok || !slices.Contains(nodes[c].Parents, n.ID) {
				t.Errorf("%s: its child %s does not stand before it or does not know it", n.ID, child)
			}
		}
	}
	for _, n := range nodes {
		for _, p := range n.Parents {
			if i, ok := at[p]; !ok || !slices.Contains(nodes[i].Children, n.ID) {
				t.Errorf("%s: its parent %s does not know it", n.ID, p)
			}
		}
	}
}

// group names a summary by what it covers, whatever its id: the text of every
// exchange below it and whether it is finished. Texts of grown logs are unique.
func group(nodes map[string]*Node, n *Node) string {
	if n.Kind == KindExchange {
		return fmt.Sprint(n.Text, n.Completed)
	}
	var parts []string
	for _, c := range n.Children {
		parts = append(parts, group(nodes, nodes[c]))
	}
	return "(" + strings.Join(parts, " ") + ")"
}

func byID(nodes []Node) map[string]*Node {
	m := map[string]*Node{}
	for i := range nodes {
		m[nodes[i].ID] = &nodes[i]
	}
	return m
}

func treeOf(log []Entry) []Node {
	f := Exchanges(log)
	return BuildTree("A", "name", log, &f)
}

// Appending changes no group of four: where all exchanges of a summary are still
// there, so is the summary, over the same four. Ids stay too, but for those that
// carry a suffix because an exchange had to step aside.
func TestGrowthChangesNoCompleteGroup(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := anyShape(rt)
		log := s.log(rt)
		old := treeOf(log)
		for range rapid.IntRange(1, 15).Draw(rt, "more") {
			log = append(log, s.entry(rt, log))
		}
		grown := treeOf(log)
		was, is := byID(old), byID(grown)
		still, groups := map[string]bool{}, map[string]string{}
		suffixed := false
		for id, n := range is {
			suffixed = suffixed || strings.Contains(id, "~")
			if n.Kind == KindExchange {
				still[group(is, n)] = true
			} else if n.Kind == KindSummary {
				groups[group(is, n)] = id
			}
		}
		for id, n := range was {
			if n.Kind != KindSummary || !allStill(was, n, still) {
				continue
			}
			now, ok := groups[group(was, n)]
			if !ok || now != id && !suffixed && !strings.Contains(id, "~") {
				rt.Errorf("summary %s over %v became %q", id, n.Children, now)
			}
		}
	})
}

func allStill(nodes map[string]*Node, n *Node, still map[string]bool) bool {
	if n.Kind == KindExchange {
		return still[group(nodes, n)]
	}
	for _, c := range n.Children {
		if !allStill(nodes, nodes[c], still) {
			return false
		}
	}
	return true
}

// write gives summaries texts, from the lowest level up, a child always before
// its parents; about one in five, and what stands above it, stays without one.
func write(rt *rapid.T, nodes []Node) {
	is := byID(nodes)
	for i := range nodes {
		n := &nodes[i]
		if n.Kind != KindSummary || rapid.IntRange(0, 4).Draw(rt, "pending") == 0 {
			continue
		}
		n.Ready = true
		for _, c := range n.Children {
			n.Ready = n.Ready && is[c].Ready
		}
		if n.Ready {
			n.Text = "about " + n.ID
		}
	}
}

// keeps says whether the text of n may be taken from old: old has it, over the
// same children, and these are unchanged all the way down.
func keeps(now, old map[string]*Node, id string) bool {
	n, o := now[id], old[id]
	if o == nil || !o.Ready || n.Kind != o.Kind {
		return false
	}
	if n.Kind == KindExchange {
		return n.Text == o.Text && n.Completed == o.Completed
	}
	if !slices.Equal(n.Children, o.Children) {
		return false
	}
	for _, c := range n.Children {
		if !keeps(now, old, c) {
			return false
		}
	}
	return true
}

func TestReuseKeepsExactlyWhatItMay(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		log := anyLog(rt)
		old := treeOf(log)
		write(rt, old)
		log = slices.Clone(log)
		for i := range log { // words that a better reader reads otherwise
			if rapid.IntRange(0, 15).Draw(rt, "reread") == 0 {
				log[i].Parts = []Part{{Text: "reread"}}
			}
		}
		for range rapid.IntRange(0, 5).Draw(rt, "more") {
			log = append(log, anyShape(rt).entry(rt, log))
		}
		nodes := treeOf(log)
		taken := Reuse(nodes, old)
		now, was := byID(nodes), byID(old)
		ready := 0
		for _, n := range nodes {
			if n.Kind != KindSummary {
				continue
			}
			if n.Ready {
				ready++
			}
			if may := keeps(now, was, n.ID); n.Ready != may || may && n.Text != was[n.ID].Text || !may && n.Text != "" {
				rt.Errorf("%s: ready %v with %q, may keep: %v", n.ID, n.Ready, n.Text, may)
			}
		}
		if taken != ready {
			rt.Errorf("took %d, %d are ready", taken, ready)
		}
	})
}

func TestParseRefReadsString(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.OneOf(rapid.StringN(1, 20, -1), rapid.Map(rapid.SliceOfN(rapid.Byte(), 1, 20), func(b []byte) string { return string(b) }))
		want := SessionRef(SessionID{text.Draw(rt, "agent"), text.Draw(rt, "native")})
		switch rapid.IntRange(0, 2).Draw(rt, "kind") {
		case 1:
			want.Seq = rapid.IntRange(1, 1<<40).Draw(rt, "seq")
		case 2:
			want.Level, want.Key = rapid.IntRange(0, 20).Draw(rt, "level"), text.Draw(rt, "key")
		}
		s := want.String()
		if strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-%:#@") != "" {
			rt.Errorf("%q is not encoded", s)
		}
		for _, prefix := range []string{"", "lookback://"} {
			if got, err := ParseRef(prefix + s); err != nil || got != want {
				rt.Errorf("ParseRef(%q) = %+v, %v; want %+v", prefix+s, got, err, want)
			}
		}
	})
}
