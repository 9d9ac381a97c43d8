package archive

import (
	"errors"
	"fmt"
	"io/fs"

	"lookback"
)

// Bounds of what is read and written. A record beyond them is damaged.
const (
	MaxRecord = 1 << 30 // bytes of one file
	maxKey    = 4096    // bytes of a session, node or entry id
	maxLevel  = 32      // 4^32 exchanges; no tree is higher
)

// ErrDamaged marks a record that does not parse, breaks the format's rules or
// was written by a newer program. It is never replaced.
var ErrDamaged = errors.New("archive record is damaged")

// Record is one session in an archive.
type Record struct {
	ID      string             // archive id: the file's name without .json
	Session lookback.SessionID // files of Pi sessions do not name the agent
	Name    string
	Nodes   []lookback.Node // as BuildTree orders them; older files may differ

	info      fs.FileInfo // the file it was read from, to see later whether it changed
	untidy    bool        // the file holds fields that must go
	workspace string      // field of the older user-level directory
	dangling  []string    // links to nodes that are not there, dropped on load
}

// Head is what a record says about itself before its nodes.
type Head struct {
	ID      string
	Session lookback.SessionID
	Name    string
}

// Untidy reports whether the file held fields that must not be kept, such as the
// path in "file" that older programs wrote. Saving the record drops them.
func (r *Record) Untidy() bool { return r.untidy }

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
// one with more written summaries, then with more nodes, then the smaller id.
func Prefer(a, b *Record) *Record {
	_, x := a.Summaries()
	_, y := b.Summaries()
	switch {
	case x != y:
		if x > y {
			return a
		}
		return b
	case len(a.Nodes) != len(b.Nodes):
		if len(a.Nodes) > len(b.Nodes) {
			return a
		}
		return b
	case a.ID <= b.ID:
		return a
	}
	return b
}

// check tells why r must not be read or written, and returns its nodes by id.
func (r *Record) check() (map[string]int, error) {
	if !SafeID(r.ID) {
		return nil, damaged("id %.60q is no safe file name", r.ID)
	}
	if r.Session.Native == "" || len(r.Session.Native) > maxKey {
		return nil, damaged("no usable session id")
	}
	if !safeAgent(r.Session.Agent) {
		return nil, damaged("agent %.60q is no agent name", r.Session.Agent)
	}
	at := make(map[string]int, len(r.Nodes))
	for i := range r.Nodes {
		n := &r.Nodes[i]
		if err := r.checkNode(n); err != nil {
			return nil, err
		}
		if _, double := at[n.ID]; double {
			return nil, damaged("two nodes are called %.100q", n.ID)
		}
		at[n.ID] = i
	}
	return at, nil
}

func (r *Record) checkNode(n *lookback.Node) error {
	id, level, _, ok := lookback.SplitNodeID(n.ID)
	if !ok || id != r.ID || level != n.Level || len(n.ID) > maxKey+maxID {
		return damaged("node id %.100q does not fit its record", n.ID)
	}
	switch n.Kind {
	case lookback.KindSession:
		ok = level == -1
	case lookback.KindExchange:
		ok = level == 0
	case lookback.KindSummary:
		ok = level > 0 && level <= maxLevel
	default:
		ok = false
	}
	if !ok {
		return damaged("node %.100q is of the wrong kind for its level", n.ID)
	}
	for _, e := range n.EntryIDs {
		if e == "" || len(e) > maxKey {
			return damaged("node %.100q has an unusable entry id", n.ID)
		}
	}
	return nil
}

func safeAgent(s string) bool {
	return s != "" && len(s) <= 64 && SafeID(s)
}

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrDamaged, fmt.Sprintf(format, args...))
}

// resolve drops links to nodes that are not there, so that readers can follow
// every link they find.
func (r *Record) resolve(at map[string]int) {
	keep := func(links []string) []string {
		for i, id := range links {
			if _, ok := at[id]; ok {
				continue
			}
			kept := append([]string(nil), links[:i]...)
			for _, id := range links[i:] {
				if _, ok := at[id]; ok {
					kept = append(kept, id)
				} else {
					r.dangling = append(r.dangling, id)
				}
			}
			return kept
		}
		return links
	}
	for i := range r.Nodes {
		r.Nodes[i].Children = keep(r.Nodes[i].Children)
		r.Nodes[i].Parents = keep(r.Nodes[i].Parents)
	}
}
