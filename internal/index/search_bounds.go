package index

import (
	"math"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/ncruces/go-sqlite3"

	"lookback"
)

// bounds are a scope and filters in the form in which a query carries them:
// nothing outside of them is matched, counted or ranked.
type bounds struct {
	nothing bool       // no document can lie inside
	groups  [][]string // of each, one token must stand in the scope column
	chain   []stretch  // a conversation's segments, newest first; nil for other scopes
	dirs    []int64    // of a workspace scope
	after   int64      // documents that ended before this are outside; unix ms, 0 for no bound
	before  int64      // documents that began at this or later are outside; 0 for no bound
	born    int64      // documents made after this state of the index are outside; 0 for no bound
}

// stretch is the part of a segment that a conversation runs over: entries from 1
// up to and including the given Seq.
type stretch struct {
	segment int64
	upTo    int
}

// conversation reports whether hits are entries of one conversation.
func (b *bounds) conversation() bool { return b.chain != nil }

// holds reports whether an entry stands inside the conversation.
func (b *bounds) holds(entry int64) bool {
	if b.chain == nil {
		return true
	}
	for _, c := range b.chain {
		if segmentOf(entry) == c.segment {
			return seqOf(entry) <= c.upTo
		}
	}
	return false
}

// timed reports whether table doc is needed to know what lies inside.
func (b *bounds) timed() bool { return b.after != 0 || b.before != 0 || b.born != 0 }

// bound turns the scope and the filters into bounds.
func (s *search) bound(scope lookback.Scope, f *lookback.Filters) (b bounds, err error) {
	b.nothing = scope.Nothing()
	if b.nothing {
		return b, nil
	}
	if id, leaf, before, ok := scope.Conversation(); ok {
		if b.chain, err = s.chain(id, leaf, before); err != nil {
			return b, err
		}
		b.nothing = len(b.chain) == 0
	}
	if root, ok := scope.Workspace(); ok {
		b.dirs, err = s.c.workspaceDirs(filepath.Clean(root))
		b.requireDirs(b.dirs)
	}
	if err == nil && f.In != "" {
		var ids []int64
		ids, err = s.c.dirsWithin(filepath.Clean(f.In))
		b.requireDirs(ids)
	}
	if err == nil && f.Agent != "" {
		err = s.boundAgent(&b, f.Agent)
	}
	if err == nil && (f.Session != "" || f.Name != "") {
		err = s.boundSessions(&b, f)
	}
	if !f.When.From.IsZero() {
		b.after = f.When.From.UnixMilli()
	}
	if !f.When.To.IsZero() {
		b.before = f.When.To.UnixMilli()
	}
	return b, err
}

// requireDirs bounds to sessions that ran in the directories, or whose records a
// workspace there holds.
func (b *bounds) requireDirs(ids []int64) {
	group := make([]string, len(ids))
	for i, id := range ids {
		group[i] = dirToken(id)
	}
	b.require(group)
}

// boundSessions bounds to the sessions that the filters leave.
func (s *search) boundSessions(b *bounds, f *lookback.Filters) error {
	q := SessionQuery{Scope: lookback.Everything(), Filters: lookback.Filters{Agent: f.Agent, Session: f.Session, Name: f.Name}}
	where, args, err := s.c.sessionFilter(q)
	if err != nil {
		return err
	}
	var group []string
	err = s.c.query("SELECT s.id"+fromSession+where+" ORDER BY s.id", func(st *sqlite3.Stmt) error {
		group = append(group, sessionToken(st.ColumnInt64(0)))
		return nil
	}, args...)
	b.require(group)
	return err
}

// boundAgent bounds to the sessions of an agent: to the directories they ran in,
// of which there are fewer.
func (s *search) boundAgent(b *bounds, agent string) error {
	var group []string
	err := s.c.query("SELECT id FROM dir WHERE agent = ? ORDER BY id", func(st *sqlite3.Stmt) error {
		group = append(group, dirToken(st.ColumnInt64(0)))
		return nil
	}, agent)
	b.require(group)
	return err
}

// require bounds to documents with one of the tokens; none means no document.
func (b *bounds) require(group []string) {
	if len(group) == 0 {
		b.nothing = true
	}
	b.groups = append(b.groups, group)
}

// kinds bounds to documents of the given kinds.
func (b *bounds) kinds(kinds ...lookback.Kind) {
	var group []string
	for _, k := range kinds {
		group = append(group, kindToken(k))
	}
	b.require(group)
}

// The tokens of the scope column. See the writer, which puts them there.
func dirToken(dir int64) string         { return scopeToken('d', dir) }
func sessionToken(session int64) string { return scopeToken('s', session) }
func kindToken(k lookback.Kind) string  { return scopeToken('k', int64(k)) }
func scopeToken(of byte, n int64) string {
	return string(scopeMark) + string(of) + strconv.FormatInt(n, 10)
}

// chain follows the segments from an entry up to the root.
func (s *search) chain(id lookback.SessionID, leaf, before int) ([]stretch, error) {
	session, err := s.sessionRow(id)
	if err != nil || session == 0 {
		return nil, err
	}
	at, err := s.segmentAt(session, leaf)
	if err != nil || at == 0 {
		return nil, err
	}
	var out []stretch
	upTo := leaf
	for at > 0 && len(out) <= math.MaxInt16 {
		seg, err := s.segment(at)
		if err != nil {
			return nil, err
		}
		c := stretch{at, upTo}
		if seg.session == session {
			c.upTo = min(upTo, before-1)
		}
		if c.upTo > 0 && !slices.Contains(out, c) {
			out = append(out, c)
		}
		at, upTo = seg.parent, seg.cap
	}
	return out, nil
}

func (s *search) sessionRow(id lookback.SessionID) (row int64, err error) {
	err = s.c.query("SELECT id FROM session WHERE agent = ? AND native = ?", func(st *sqlite3.Stmt) error {
		row = st.ColumnInt64(0)
		return nil
	}, id.Agent, id.Native)
	return row, err
}

// segmentAt finds the segment that an entry of a session stands on, 0 for none.
func (s *search) segmentAt(session int64, seq int) (segment int64, err error) {
	branches := 0
	err = s.c.query("SELECT id FROM segment WHERE session = ? AND parent >= 0", func(st *sqlite3.Stmt) error {
		segment = st.ColumnInt64(0)
		branches++
		return nil
	}, session)
	if err != nil || branches == 0 {
		return 0, err
	}
	x, err := s.session(session)
	if err != nil || seq > x.Entries {
		return 0, err
	}
	if branches == 1 {
		return segment, nil
	}
	entries, segments, err := s.c.skeleton(session)
	if err != nil {
		return 0, err
	}
	_, on := segmentation(entries)
	if seq > len(on) || int(on[seq-1]) >= len(segments) {
		return 0, nil
	}
	return segments[on[seq-1]], nil
}
