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
// records that do not parse, fields that must go, links that do not run both
// ways, levels, written flags, paths where ids belong, file modes, leftovers. It
// changes nothing. The error is that of reading the directory.
func (a *Archive) Verify() ([]Problem, error) {
	v := verifier{a: a, first: map[lookback.SessionID]string{}}
	info, err := os.Lstat(a.Dir())
	if err != nil {
		return nil, err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		v.say("the directory is a symbolic link; nothing is written there")
	} else {
		v.mode(info, 0o700)
	}
	items, err := os.ReadDir(a.Dir())
	for _, item := range items {
		v.file = item.Name()
		v.item(item)
	}
	return v.problems, err
}

type verifier struct {
	a        *Archive
	problems []Problem
	file     string                        // being looked at
	first    map[lookback.SessionID]string // file that holds the session
}

func (v *verifier) say(format string, args ...any) {
	v.problems = append(v.problems, Problem{v.file, fmt.Sprintf(format, args...)})
}

func (v *verifier) mode(info fs.FileInfo, want fs.FileMode) {
	if is := info.Mode().Perm(); hasModes && is != want {
		v.say("mode is %04o, not %04o", is, want)
	}
}

func (v *verifier) item(item fs.DirEntry) {
	id, record := recordID(v.file)
	switch {
	case strings.HasPrefix(v.file, temp):
		v.say("left behind by a writer that was stopped")
		return
	case !record && v.file != lockName && !strings.HasPrefix(v.file, grave):
		return // none of ours
	case !item.Type().IsRegular():
		v.say("is a link or no file")
		return
	}
	if info, err := item.Info(); err == nil {
		v.mode(info, 0o600)
	}
	if !record {
		return
	}
	r, err := v.a.read(id, false)
	if err != nil {
		v.say("%s", v.a.warn(v.file, err).Detail)
		return
	}
	if v.a.Forgotten(r.Session) {
		v.say("its session was forgotten")
	}
	if other := v.first[r.Session]; other != "" {
		v.say("holds the same session as %s", other)
	}
	v.first[r.Session] = v.file
	v.record(r)
}

func (v *verifier) record(r *Record) {
	for _, what := range r.untidy {
		v.say("%s", what)
	}
	if isAbsolute(r.Session.Native) {
		v.say("the session id is a path")
	}
	at, _ := r.check() // which reading it did
	if len(r.Nodes) > 0 && at[r.ID] == nil {
		v.say("has no session node")
	}
	for i := range r.Nodes {
		n := &r.Nodes[i]
		for _, what := range nodeFaults(n, at) {
			v.say("node %.100q %s", n.ID, what)
		}
	}
}

// nodeFaults tells what is wrong with a node; at holds the nodes by their ids.
func nodeFaults(n *lookback.Node, at map[string]*lookback.Node) (faults []string) {
	check := func(ok bool, format string, args ...any) {
		if !ok {
			faults = append(faults, fmt.Sprintf(format, args...))
		}
	}
	summary := n.Kind == lookback.KindSummary
	check(!slices.ContainsFunc(n.EntryIDs, isAbsolute), "has a path for an entry id")
	check((len(n.EntryIDs) > 0) != (n.Kind == lookback.KindSession), "covers the wrong number of entries, %d", len(n.EntryIDs))
	check((len(n.Parents) > 0) != (n.Kind == lookback.KindSession), "hangs under nothing, or as a session under something")
	check(n.Kind == lookback.KindSession || n.Ready == (n.Text != ""), "has ready = %v, but %d bytes of text", n.Ready, len(n.Text))
	check(n.Kind != lookback.KindExchange || len(n.Children) == 0, "is an exchange and has children")
	check(!summary || len(n.Children) == lookback.Fanout, "covers %d nodes, not %d", len(n.Children), lookback.Fanout)
	for _, id := range n.Parents {
		check(slices.Contains(at[id].Children, n.ID), "is no child of its parent %.100q", id)
	}
	completed := true
	for _, id := range n.Children {
		c := at[id]
		completed = completed && c.Completed
		check(slices.Contains(c.Parents, n.ID), "is no parent of its child %.100q", id)
		check(c.Level >= 0 && (!summary || c.Level == n.Level-1), "has a child of the wrong level, %.100q", id)
		check(!summary || !n.Ready || c.Ready, "is written although its child %.100q is not", id)
	}
	check(n.Kind == lookback.KindExchange || n.Completed == completed, "has completed = %v, unlike its children", n.Completed)
	return faults
}
