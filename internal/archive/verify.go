package archive

import (
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"lookback"
)

// Problem is one thing that is wrong in an archive.
type Problem struct {
	File   string // name in the directory; "" for the directory itself
	Detail string // a short English phrase; may quote hostile text, so escape it
}

// Verify reads everything and returns what is wrong, nothing when all is well:
// records that do not parse, links that do not run both ways, levels, written
// flags, coverage, times, paths where ids belong, file modes, leftovers. It
// changes nothing. The error is that of reading the directory.
func (a *Archive) Verify() ([]Problem, error) {
	v := verifier{first: map[lookback.SessionID]string{}}
	info, err := os.Lstat(a.Dir())
	if err != nil {
		return nil, err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		v.add("", "the directory is a symbolic link; nothing is written there")
	} else if hasModes && info.Mode().Perm() != 0o700 {
		v.add("", "mode is %04o, not 0700", info.Mode().Perm())
	}
	items, err := os.ReadDir(a.Dir())
	if err != nil {
		return nil, err
	}
	for _, item := range items {
		v.item(a, item)
	}
	return v.problems, nil
}

type verifier struct {
	problems []Problem
	file     string
	first    map[lookback.SessionID]string
}

func (v *verifier) add(file, format string, args ...any) {
	v.problems = append(v.problems, Problem{file, fmt.Sprintf(format, args...)})
}

func (v *verifier) say(format string, args ...any) { v.add(v.file, format, args...) }

func (v *verifier) item(a *Archive, item fs.DirEntry) {
	v.file = item.Name()
	id, isJSON := strings.CutSuffix(v.file, ext)
	record := isJSON && id != "" && id[0] != '.'
	ours := record || v.file == lockName || v.file == tombstones
	if isTemp(v.file) {
		v.say("left behind by a writer that was stopped")
	}
	if item.Type()&fs.ModeSymlink != 0 {
		v.say("is a symbolic link")
		return
	}
	info, err := item.Info()
	if err == nil && ours && hasModes && info.Mode().IsRegular() && info.Mode().Perm() != 0o600 {
		v.say("mode is %04o, not 0600", info.Mode().Perm())
	}
	if !record {
		return
	}
	r, err := a.read(id)
	if err != nil {
		v.say("%s", a.warn(id, err).Detail)
		return
	}
	if a.Forgotten(r.Session) {
		v.say("its session was forgotten")
	}
	if other, double := v.first[r.Session]; double {
		v.say("holds the same session as %s", other)
	}
	v.first[r.Session] = v.file
	v.record(r)
}

func (v *verifier) record(r *Record) {
	if r.untidy {
		v.say("holds a file or workspace field")
	}
	for _, id := range r.dangling {
		v.say("links to %.100q, which is not there", id)
	}
	if isAbsolute(r.Session.Native) {
		v.say("the session id is a path")
	}
	at := make(map[string]*lookback.Node, len(r.Nodes))
	for i := range r.Nodes {
		at[r.Nodes[i].ID] = &r.Nodes[i]
	}
	if len(r.Nodes) > 0 && at[r.ID] == nil {
		v.say("has no session node")
	}
	for i := range r.Nodes {
		v.node(&r.Nodes[i], at)
	}
}

func (v *verifier) node(n *lookback.Node, at map[string]*lookback.Node) {
	bad := func(format string, args ...any) {
		v.say("node %.100q: %s", n.ID, fmt.Sprintf(format, args...))
	}
	for _, id := range n.EntryIDs {
		if isAbsolute(id) {
			bad("an entry id is a path")
		}
	}
	if n.To.Before(n.From) {
		bad("ends before it begins")
	}
	if n.Kind == lookback.KindSession {
		if len(n.Parents) > 0 || len(n.EntryIDs) > 0 {
			bad("a session node has parents or entry ids")
		}
	} else if len(n.Parents) == 0 {
		bad("hangs under nothing")
	}
	for _, id := range n.Parents {
		if !slices.Contains(at[id].Children, n.ID) {
			bad("its parent %.100q does not name it as a child", id)
		}
	}
	completed := true
	for _, id := range n.Children {
		c := at[id]
		completed = completed && c.Completed
		if !slices.Contains(c.Parents, n.ID) {
			bad("its child %.100q does not name it as a parent", id)
		}
		if n.Kind == lookback.KindSummary && c.Level != n.Level-1 || c.Kind == lookback.KindSession {
			bad("its child %.100q is of the wrong level", id)
		}
		if n.Kind == lookback.KindSummary && n.Ready && !c.Ready {
			bad("is written although its child %.100q is not", id)
		}
	}
	if n.Kind != lookback.KindExchange && n.Completed != completed {
		bad("completed does not follow from its children")
	}
	v.shape(n, at, bad)
}

// shape checks what differs between the kinds.
func (v *verifier) shape(n *lookback.Node, at map[string]*lookback.Node, bad func(string, ...any)) {
	if n.Kind != lookback.KindSession && n.Ready != (n.Text != "") {
		bad("ready is %v, but it has %d bytes of text", n.Ready, len(n.Text))
	}
	_, _, key, _ := lookback.SplitNodeID(n.ID)
	switch n.Kind {
	case lookback.KindExchange:
		if len(n.Children) > 0 {
			bad("an exchange has children")
		}
		if len(n.EntryIDs) == 0 {
			bad("covers no entry")
		} else if last := n.EntryIDs[len(n.EntryIDs)-1]; key != last && !strings.HasPrefix(key, last+"~") {
			bad("its id does not name its last entry")
		}
	case lookback.KindSummary:
		if len(n.Children) != lookback.Fanout {
			bad("covers %d nodes, not %d", len(n.Children), lookback.Fanout)
			return
		}
		a, b := at[n.Children[0]], at[n.Children[lookback.Fanout-1]]
		if len(a.EntryIDs) == 0 || len(b.EntryIDs) == 0 ||
			!slices.Equal(n.EntryIDs, []string{a.EntryIDs[0], b.EntryIDs[len(b.EntryIDs)-1]}) {
			bad("its entry ids are not those of the first and last entry covered")
		}
	}
}
