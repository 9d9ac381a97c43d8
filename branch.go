package lookback

import "slices"

// Order returns the Seqs of all entries so that every parent comes before its
// children. For a sound log that is log order. Entries on a parent cycle, which
// no reader produces, are left out, and so is what hangs below them.
func Order(entries []Entry) []int {
	order := make([]int, 0, len(entries))
	sound := true
	for i := range entries {
		sound = sound && entries[i].Parent < entries[i].Seq
		order = append(order, entries[i].Seq)
	}
	if sound {
		return order
	}
	children := make([][]int, len(entries)+1)
	for i := range entries {
		children[entries[i].Parent] = append(children[entries[i].Parent], entries[i].Seq)
	}
	order = append(order[:0], children[0]...)
	for i := 0; i < len(order); i++ {
		order = append(order, children[order[i]]...)
	}
	return order
}

// Path returns the Seqs from the root to leaf. It returns nil when leaf is no
// entry. A log with a parent cycle, which no reader produces, ends the walk.
func Path(entries []Entry, leaf int) []int {
	if leaf < 1 || leaf > len(entries) {
		return nil
	}
	var path []int
	for seq := leaf; seq != 0 && len(path) <= len(entries); seq = entries[seq-1].Parent {
		path = append(path, seq)
	}
	slices.Reverse(path)
	return path
}

// Tips returns the Seqs of the conversation entries that have no conversation
// entry below them, in log order. Labels, names and the like make no tips.
func Tips(entries []Entry) []int { return tips(entries, Order(entries)) }

func tips(entries []Entry, order []int) []int {
	below := make([]bool, len(entries)+1) // a conversation entry stands below
	for i := len(order) - 1; i >= 0; i-- {
		e := &entries[order[i]-1]
		if e.Message || below[e.Seq] {
			below[e.Parent] = true
		}
	}
	var out []int
	for _, seq := range order {
		if entries[seq-1].Message && !below[seq] {
			out = append(out, seq)
		}
	}
	slices.Sort(out)
	return out
}

// Around returns the members of path at the given positions together with n
// neighbours on each side, in path order, each once. Positions outside the path
// are ignored; n = 0 gives exactly the positions asked for.
func Around(path []int, n int, at ...int) []int {
	want := make([]bool, len(path))
	for _, p := range at {
		if p < 0 || p >= len(path) {
			continue
		}
		for i := max(0, p-n); i <= min(len(path)-1, p+n); i++ {
			want[i] = true
		}
	}
	var out []int
	for i, seq := range path {
		if want[i] {
			out = append(out, seq)
		}
	}
	return out
}

// Boundary is the first entry that is still in the model's context, and why.
type Boundary struct {
	Cause Cause
	Entry int    // Seq of the first entry kept; the Seq of the record itself when nothing was kept
	At    int    // Seq of the compaction, reset or handoff record
	Text  string // what the model was given in place of the rest
}

// LastBoundary finds the boundary of the path: the newest compaction, reset or
// handoff on it decides. It keeps from the entry it names, if that stands before
// it on the path, else nothing. It returns nil when there is none.
func LastBoundary(entries []Entry, path []int) *Boundary {
	for i := len(path) - 1; i >= 0; i-- {
		cut := entries[path[i]-1].Cut
		if cut == nil {
			continue
		}
		b := &Boundary{Cause: cut.Cause, Entry: path[i], At: path[i], Text: cut.Text}
		if cut.Keep == "" || cut.Keep == entries[path[i]-1].ID {
			return b
		}
		for j := i - 1; j >= 0; j-- {
			if entries[path[j]-1].ID == cut.Keep {
				b.Entry = path[j]
				break
			}
		}
		return b
	}
	return nil
}
