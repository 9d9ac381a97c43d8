package lookback

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// The oracle says what the spec says, as plainly as it can: every branch is
// walked alone, from its root to its tip, and nothing is shared. It is quadratic
// and knows sound parents only.

// naiveExchange is an exchange found by walking one branch. Its path names it:
// the entries from the root to the one that closed it or was the last to join.
type naiveExchange struct {
	Exchange
	name string
}

func naiveTips(log []Entry) []int {
	var tips []int
	for i := range log {
		tip := log[i].Message
		for j := range log {
			if j != i && log[j].Message && slices.Contains(Path(log, j+1), i+1) {
				tip = false
			}
		}
		if tip {
			tips = append(tips, i+1)
		}
	}
	return tips
}

// naiveBranch walks one path.
func naiveBranch(log []Entry, path []int) []naiveExchange {
	var out []naiveExchange
	var users, answers []int // of the open exchange
	shut := func(completed bool) {
		if len(users) == 0 {
			return
		}
		x := naiveExchange{Exchange: Exchange{Prev: -1, Depth: len(out) + 1, Users: users, Completed: completed}}
		last := users[len(users)-1]
		if n := len(answers); n > 0 {
			x.Answer, last = answers[n-1], answers[n-1]
			cut := n - 1 // the pieces are answers[cut:n-1]
			for cut > 0 && log[answers[cut-1]-1].Stop == StopLength && !log[answers[cut-1]-1].CallsTools() {
				cut--
			}
			x.Steps, x.Pieces = answers[:cut:cut], answers[cut:n-1:n-1]
		}
		x.From, x.To = log[users[0]-1].Time, log[last-1].Time
		if x.To.Before(x.From) {
			x.From, x.To = x.To, x.From
		}
		x.name = fmt.Sprint(x.Members(), completed)
		out = append(out, x)
		users, answers = nil, nil
	}
	for _, seq := range path {
		e := log[seq-1]
		switch {
		case !e.Message || e.Injected:
		case e.Role == RoleUser:
			if n := len(answers); n > 0 {
				if s := log[answers[n-1]-1].Stop; s == StopAborted || s == StopError {
					shut(false)
				}
			}
			users = append(users, seq)
		case e.Role == RoleAssistant && len(users) > 0:
			answers = append(answers, seq)
			if e.Stop == StopFinal && !e.CallsTools() {
				shut(true)
			}
		}
	}
	shut(false)
	return out
}

// naiveBranches lists the branches: neither empty, nor the beginning of another,
// nor equal to an earlier one.
func naiveBranches(log []Entry) [][]naiveExchange {
	var all [][]naiveExchange
	for _, tip := range naiveTips(log) {
		all = append(all, naiveBranch(log, Path(log, tip)))
	}
	var out [][]naiveExchange
	for i, b := range all {
		listed := len(b) > 0
		for j, other := range all {
			if i != j && isBeginning(b, other) && (len(b) < len(other) || j < i) {
				listed = false
			}
		}
		if listed {
			out = append(out, b)
		}
	}
	return out
}

func isBeginning(b, of []naiveExchange) bool {
	if len(b) > len(of) {
		return false
	}
	for i := range b {
		if b[i].name != of[i].name {
			return false
		}
	}
	return true
}

// naiveNode is a node before it has its id: named by level and by the name of the
// last exchange, first by the Seq of the first entry covered.
type naiveNode struct {
	Node
	first int
}

// naiveTree builds each branch's levels alone and joins them by id.
func naiveTree(id, name string, log []Entry) map[string]*naiveNode {
	branches := naiveBranches(log)
	if len(branches) == 0 {
		return map[string]*naiveNode{}
	}
	keys := naiveKeys(log, branches)
	nodes := map[string]*naiveNode{}
	var tops []*naiveNode
	for _, b := range branches {
		var level []*naiveNode
		for _, x := range b {
			n := &naiveNode{first: x.Users[0], Node: Node{
				ID: id + ":0:" + keys[x.name], Kind: KindExchange, Text: x.Text(log),
				From: x.From, To: x.To, Ready: true, Completed: x.Completed,
			}}
			for _, seq := range x.Members() {
				n.EntryIDs = append(n.EntryIDs, log[seq-1].NodeID())
			}
			level = append(level, join(nodes, n))
		}
		var left []*naiveNode
		for l := 1; len(level) > 0; l++ {
			var up []*naiveNode
			for len(level) >= 4 {
				up = append(up, join(nodes, above(id, l, level[:4])))
				level = level[4:]
			}
			left = append(level[:len(level):len(level)], left...)
			level = up
		}
		for _, n := range left {
			if !slices.Contains(tops, n) {
				tops = append(tops, n)
			}
		}
	}
	sort.SliceStable(tops, func(i, j int) bool { return tops[i].first < tops[j].first })
	s := &naiveNode{Node: Node{ID: id, Kind: KindSession, Level: -1, Text: name, Ready: true, Completed: true}}
	nodes[id] = s
	for _, n := range tops {
		s.adopt(n)
	}
	return nodes
}

// join adds a node or gives the equal one that another branch made.
func join(nodes map[string]*naiveNode, n *naiveNode) *naiveNode {
	if old := nodes[n.ID]; old != nil {
		return old
	}
	nodes[n.ID] = n
	for _, child := range n.Children {
		nodes[child].Parents = append(nodes[child].Parents, n.ID)
	}
	return n
}

func above(id string, level int, four []*naiveNode) *naiveNode {
	_, _, key, _ := SplitNodeID(four[3].ID)
	n := &naiveNode{first: four[0].first, Node: Node{ID: fmt.Sprint(id, ":", level, ":", key), Kind: KindSummary, Level: level, Completed: true}}
	for _, c := range four {
		n.Children = append(n.Children, c.ID)
		n.Completed = n.Completed && c.Completed
		n.widen(c)
	}
	last := four[3].EntryIDs
	n.EntryIDs = []string{four[0].EntryIDs[0], last[len(last)-1]}
	return n
}

func (n *naiveNode) adopt(c *naiveNode) {
	n.Children = append(n.Children, c.ID)
	c.Parents = append(c.Parents, n.ID)
	n.Completed = n.Completed && c.Completed
	n.widen(c)
}

func (n *naiveNode) widen(c *naiveNode) {
	if n.From.IsZero() || c.From.Before(n.From) {
		n.From = c.From
	}
	if c.To.After(n.To) {
		n.To = c.To
	}
}

func naiveKeys(log []Entry, branches [][]naiveExchange) map[string]string {
	keys, used := map[string]string{}, map[string]bool{}
	for _, b := range branches {
		for _, x := range b {
			if keys[x.name] != "" {
				continue
			}
			key := log[x.Last()-1].NodeID()
			if used[key] {
				key += fmt.Sprint("~", x.Users[len(x.Users)-1])
			}
			if used[key] {
				key += fmt.Sprint("~", x.Last())
			}
			keys[x.name], used[key] = key, true
		}
	}
	return keys
}

// outline writes branches with everything that an exchange holds.
func outline(branches [][]naiveExchange) string {
	var b strings.Builder
	for _, branch := range branches {
		for _, x := range branch {
			fmt.Fprintf(&b, "%d. %v → %d pieces %v steps %v %v %s…%s\n", x.Depth, x.Users, x.Answer, x.Pieces, x.Steps, x.Completed,
				x.From.Format("15:04"), x.To.Format("15:04"))
		}
		b.WriteString("--\n")
	}
	return b.String()
}
