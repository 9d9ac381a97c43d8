package lookback

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// Fanout is how many neighbouring nodes one summary covers.
const Fanout = 4

// Kind says what a node, or the thing a hit points at, is.
type Kind uint8

// Kinds. KindEntry occurs in hits only.
const (
	KindSession Kind = iota
	KindExchange
	KindSummary
	KindEntry
)

// String gives the kind as written in JSON and on screen.
func (k Kind) String() string {
	return [...]string{"session", "exchange", "summary", "entry"}[k]
}

// Node is one place in the browse tree of a session. Its JSON form is the
// archive's, see docs/archive.md.
type Node struct {
	ID        string // archive id, level and the id of the last entry covered, joined by colons; a session node's id is the archive id
	Kind      Kind
	Level     int      // -1 session, 0 exchange, n a summary of level n-1
	Children  []string // ids, oldest first
	Parents   []string // ids: summaries in the order they were made, the session last
	EntryIDs  []string // exchange: its user entries, then its answer; summary: first and last entry covered; session: none
	Text      string   // exchange: its words; summary: "" until written; session: its name
	From, To  time.Time
	Ready     bool // Text is there; false only for a summary that is not written yet
	Completed bool // exchange: finished; others: all children are
}

// BuildTree arranges the exchanges of a session into the browse tree under the
// archive id. Per branch, every four consecutive nodes of a level get one summary
// above them, from the start; what is left over hangs under the session. Branches
// share the nodes of their common beginning and no summary spans two branches, so
// a node can have several parents. Time and memory are linear in the nodes.
//
// Nodes come in tip order, level by level within a branch, the session node last.
// Summaries have no text yet: see Reuse. With no exchange the result is empty.
func BuildTree(id, name string, entries []Entry, f *Forest) []Node {
	if len(f.Exchanges) == 0 {
		return nil
	}
	b := treeBuilder{id: id, entries: entries, f: f, keys: exchangeKeys(entries, f), towers: make([][]int, len(f.Exchanges))}
	x := 0
	for _, tip := range f.Tips {
		b.branch(x, tip)
		x = tip + 1
	}
	b.session(name)
	return b.nodes
}

// treeBuilder grows the tree. towers[x] holds the nodes that end with exchange
// x: the exchange itself at index 0, then the summaries of level 1, 2, …
type treeBuilder struct {
	id      string
	entries []Entry
	f       *Forest
	keys    []string
	nodes   []Node
	start   []int // per node: index of the exchange before the first one covered, -1 for none
	first   []int // per node: Seq of the first entry covered
	towers  [][]int
}

// branch adds the nodes of exchanges first…last, which Forest numbers in a row:
// they are the part of one branch that earlier branches do not share.
func (b *treeBuilder) branch(first, last int) {
	for x := first; x <= last; x++ {
		b.leaf(x)
	}
	width := Fanout
	for level := 1; width <= b.f.Exchanges[last].Depth; level++ {
		for x := first; x <= last; x++ {
			if b.f.Exchanges[x].Depth%width == 0 {
				b.summary(x, level)
			}
		}
		width *= Fanout
	}
}

func (b *treeBuilder) add(n Node, x, start, first int) {
	b.towers[x] = append(b.towers[x], len(b.nodes))
	b.nodes = append(b.nodes, n)
	b.start = append(b.start, start)
	b.first = append(b.first, first)
}

func (b *treeBuilder) leaf(x int) {
	e := &b.f.Exchanges[x]
	n := Node{
		ID: b.nodeID(0, x), Kind: KindExchange, Text: e.Text(b.entries),
		From: e.From, To: e.To, Ready: true, Completed: e.Completed,
	}
	for _, seq := range e.Members() {
		n.EntryIDs = append(n.EntryIDs, b.entries[seq-1].NodeID())
	}
	b.add(n, x, e.Prev, e.Users[0])
}

func (b *treeBuilder) summary(x, level int) {
	n := Node{ID: b.nodeID(level, x), Kind: KindSummary, Level: level, Completed: true}
	n.Children = make([]string, Fanout)
	at, first := x, 0
	for i := Fanout - 1; i >= 0; i-- {
		child := b.towers[at][level-1]
		c := &b.nodes[child]
		n.Children[i] = c.ID
		n.Completed = n.Completed && c.Completed
		c.Parents = append(c.Parents, n.ID)
		cover(&n, c)
		if i == Fanout-1 {
			n.EntryIDs = []string{"", c.EntryIDs[len(c.EntryIDs)-1]}
		}
		if i == 0 {
			n.EntryIDs[0] = c.EntryIDs[0]
		}
		at, first = b.start[child], b.first[child]
	}
	b.add(n, x, at, first)
}

// cover widens the span of n by that of c, over those that have a time.
func cover(n, c *Node) {
	if n.From.IsZero() || (!c.From.IsZero() && c.From.Before(n.From)) {
		n.From = c.From
	}
	if c.To.After(n.To) {
		n.To = c.To
	}
}

// session adds the directory of the topmost nodes of all branches.
func (b *treeBuilder) session(name string) {
	n := Node{ID: b.id, Kind: KindSession, Level: -1, Text: name, Ready: true, Completed: true}
	var tops []int
	seen := make([]bool, len(b.nodes))
	for _, tip := range b.f.Tips {
		from := len(tops)
		for x := tip; x >= 0; {
			tower := b.towers[x]
			node := tower[len(tower)-1]
			if seen[node] {
				break // an earlier branch went on from here
			}
			seen[node] = true
			tops = append(tops, node)
			x = b.start[node]
		}
		slices.Reverse(tops[from:])
	}
	slices.SortStableFunc(tops, func(x, y int) int { return b.first[x] - b.first[y] })
	for _, node := range tops {
		c := &b.nodes[node]
		n.Children = append(n.Children, c.ID)
		n.Completed = n.Completed && c.Completed
		c.Parents = append(c.Parents, n.ID)
		cover(&n, c)
	}
	b.nodes = append(b.nodes, n)
}

func (b *treeBuilder) nodeID(level, x int) string {
	return b.id + ":" + strconv.Itoa(level) + ":" + b.keys[x]
}

// exchangeKeys names each exchange by the id of its last entry. If an earlier
// exchange has that name, the later one adds "~" and the Seq of its last user
// entry, and the Seq of its last entry where a damaged log has that name twice.
func exchangeKeys(entries []Entry, f *Forest) []string {
	keys := make([]string, len(f.Exchanges))
	taken := make(map[string]bool, len(keys))
	for i := range f.Exchanges {
		x := &f.Exchanges[i]
		key := entries[x.Last()-1].NodeID()
		if taken[key] {
			key += "~" + strconv.Itoa(x.Users[len(x.Users)-1])
		}
		for taken[key] {
			key += "~" + strconv.Itoa(x.Last())
		}
		taken[key] = true
		keys[i] = key
	}
	return keys
}

// SplitNodeID splits a node id into archive id, level and key. A session node's
// id, which is the archive id alone, has level -1 and no key. ok is false when
// id has another form.
func SplitNodeID(id string) (archive string, level int, key string, ok bool) {
	archive, rest, found := strings.Cut(id, ":")
	if !found {
		return id, -1, "", id != ""
	}
	num, key, found := strings.Cut(rest, ":")
	level, err := strconv.Atoi(num)
	return archive, level, key, found && err == nil && level >= 0 && archive != "" && key != ""
}
