package archive

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"lookback"
)

// Bounds of what is read and written. A record beyond them is damaged.
const (
	maxRecord = 1 << 30 // bytes of one file
	maxKey    = 4096    // bytes of a session, node or entry id
	maxLevel  = 32      // 4^32 exchanges; no tree is higher
)

// ErrDamaged marks a record that does not parse, breaks the format's rules or
// was written by a newer program. It is never replaced.
var ErrDamaged = errors.New("archive record is damaged")

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrDamaged, fmt.Sprintf(format, args...))
}

// Record is one session in an archive.
type Record struct {
	ID      string             // archive id: the file's name without .json
	Session lookback.SessionID // files of Pi sessions do not name the agent
	Name    string
	Nodes   []lookback.Node // as BuildTree orders them; older files may differ

	untidy    []string // what the file held that must go and was left out
	workspace string   // field of the older user-level directory
}

// Untidy reports whether the file held what must not be kept, such as the path in
// "file" that older programs wrote, or links to nodes that are not there. Saving
// the record drops it.
func (r *Record) Untidy() bool { return len(r.untidy) > 0 }

// Summaries counts the summaries of the record and those of them that are written.
func (r *Record) Summaries() (all, ready int) {
	for i := range r.Nodes {
		if r.Nodes[i].Kind == lookback.KindSummary {
			all++
			if r.Nodes[i].Ready {
				ready++
			}
		}
	}
	return all, ready
}

// Prefer returns the record to continue of two that hold the same session: the
// one with more written summaries, then with more nodes, then the smaller id. Any
// record is preferred to nil.
func Prefer(a, b *Record) *Record {
	if a == nil || b == nil {
		return cmp.Or(a, b)
	}
	_, x := a.Summaries()
	_, y := b.Summaries()
	if cmp.Or(cmp.Compare(y, x), cmp.Compare(len(b.Nodes), len(a.Nodes)), strings.Compare(a.ID, b.ID)) <= 0 {
		return a
	}
	return b
}

// check tells why r must not be read or written, and returns its nodes by id.
func (r *Record) check() (map[string]*lookback.Node, error) {
	switch {
	case !SafeID(r.ID):
		return nil, damaged("id %.60q is no safe file name", r.ID)
	case r.Session.Native == "" || len(r.Session.Native) > maxKey:
		return nil, damaged("no usable session id")
	case !SafeID(r.Session.Agent):
		return nil, damaged("agent %.60q is no agent name", r.Session.Agent)
	}
	at := make(map[string]*lookback.Node, len(r.Nodes))
	for i := range r.Nodes {
		n := &r.Nodes[i]
		id, level, _, ok := lookback.SplitNodeID(n.ID)
		switch {
		case !ok || id != r.ID || level != n.Level || len(n.ID) > maxKey+maxID:
			return nil, damaged("node id %.100q does not fit its record", n.ID)
		case level > maxLevel || n.Kind != kindAt(level):
			return nil, damaged("node %.100q is of the wrong kind for its level", n.ID)
		case slices.ContainsFunc(n.EntryIDs, func(e string) bool { return e == "" || len(e) > maxKey }):
			return nil, damaged("node %.100q has an unusable entry id", n.ID)
		case at[n.ID] != nil:
			return nil, damaged("two nodes are called %.100q", n.ID)
		}
		at[n.ID] = n
	}
	return at, nil
}

func kindAt(level int) lookback.Kind {
	switch {
	case level < 0:
		return lookback.KindSession
	case level == 0:
		return lookback.KindExchange
	}
	return lookback.KindSummary
}

// same compares all that a file holds.
func same(a, b *Record) bool {
	return a.ID == b.ID && a.Session == b.Session && a.Name == b.Name &&
		slices.EqualFunc(a.Nodes, b.Nodes, func(a, b lookback.Node) bool {
			return a.ID == b.ID && a.Kind == b.Kind && a.Level == b.Level && a.Ready == b.Ready &&
				a.Completed == b.Completed && a.Text == b.Text &&
				stamp(a.From) == stamp(b.From) && stamp(a.To) == stamp(b.To) &&
				slices.Equal(a.Children, b.Children) && slices.Equal(a.Parents, b.Parents) &&
				slices.Equal(a.EntryIDs, b.EntryIDs)
		})
}

// rename returns a copy of r under another archive id. Node ids follow.
func (r *Record) rename(id string) *Record {
	move := func(s string) string { return id + strings.TrimPrefix(s, r.ID) }
	all := func(list []string) (out []string) {
		for _, s := range list {
			out = append(out, move(s))
		}
		return out
	}
	out := &Record{ID: id, Session: r.Session, Name: r.Name, Nodes: slices.Clone(r.Nodes)}
	for i := range out.Nodes {
		n := &out.Nodes[i]
		n.ID, n.Children, n.Parents = move(n.ID), all(n.Children), all(n.Parents)
	}
	return out
}
