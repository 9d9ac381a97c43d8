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
	columns string     // where words are looked for
	groups  [][]string // of each, one token must stand in the scope column
	chain   []stretch  // of a conversation, newest first; nil for other scopes
	dirs    []int64    // of a workspace scope
	after   int64      // documents that ended before this are outside; unix ms, 0 for no bound
	before  int64      // documents that began at this or later are outside; 0 for no bound
	born    int64      // documents made after this state of the index are outside; 0 for no bound
}

// stretch is a range of entry.id or doc.id: the part of a segment that a
// conversation runs over, both ends included.
type stretch struct{ from, to int64 }

// conversation reports whether hits are entries of one conversation.
func (b *bounds) conversation() bool { return b.chain != nil }

// holds reports whether an entry stands inside the conversation.
func (b *bounds) holds(entry int64) bool {
	return b.chain == nil || slices.ContainsFunc(b.chain, func(c stretch) bool { return c.from <= entry && entry <= c.to })
}

// stretches are the ids inside the bounds, newest first.
func (b *bounds) stretches() []stretch {
	if b.chain == nil {
		return []stretch{{0, math.MaxInt64}}
	}
	return b.chain
}

// times gives the condition that a row of doc lies inside the bounds of time, ""
// for none.
func (b *bounds) times() (sql string, args []any) {
	if b.after|b.before != 0 {
		sql += " AND doc.last > 0"
	}
	if b.after != 0 {
		sql, args = sql+" AND doc.last >= ?", append(args, b.after)
	}
	if b.before != 0 {
		sql, args = sql+" AND doc.first < ?", append(args, b.before)
	}
	if b.born != 0 {
		sql, args = sql+" AND doc.born <= ?", append(args, b.born)
	}
	return sql, args
}

// bound turns the scope, the filters and the kinds asked for into bounds.
func (s *search) bound(scope lookback.Scope, f *lookback.Filters) (b bounds, err error) {
	b.columns = s.columns()
	if s.page.Later {
		b.born = s.page.Changes
	}
	if !f.When.From.IsZero() {
		b.after = f.When.From.UnixMilli()
	}
	if !f.When.To.IsZero() {
		b.before = f.When.To.UnixMilli()
	}
	if id, leaf, before, ok := scope.Conversation(); ok {
		if b.chain, err = s.chain(id, leaf, before); err != nil {
			return b, err
		}
		b.nothing = len(b.chain) == 0
	} else {
		s.boundKinds(&b)
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
	if err == nil && f.Agent != "" { // the directories its sessions ran in are fewer than they
		err = s.boundRows(&b, dirToken, "SELECT id FROM dir WHERE agent = ? ORDER BY id", f.Agent)
	}
	if err == nil && f.Session+f.Name != "" {
		q := SessionQuery{Scope: lookback.Everything(), Filters: lookback.Filters{Agent: f.Agent, Session: f.Session, Name: f.Name}}
		where, args, ferr := s.c.sessionFilter(q)
		if ferr != nil {
			return b, ferr
		}
		err = s.boundRows(&b, sessionToken, "SELECT s.id"+fromSession+where+" ORDER BY s.id", args...)
	}
	return b, err
}

// boundKinds bounds to the documents that the kinds asked for need. Summaries are
// also looked at for the sake of what they cover. The default has no bound: what
// it leaves out is too little to be worth one.
func (s *search) boundKinds(b *bounds) {
	if len(s.req.Query.Filters.Kinds) == 0 {
		return
	}
	need := slices.Clone(s.kinds)
	if s.entryHits() {
		need = append(need, lookback.KindExchange)
	}
	if slices.Contains(need, lookback.KindExchange) && !s.wants(lookback.KindSummary) {
		need = append(need, lookback.KindSummary)
	}
	group := make([]string, len(need))
	for i, k := range need {
		group[i] = kindToken(k)
	}
	b.require(group)
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

// boundRows bounds to documents with the token of one of the rows of a query.
func (s *search) boundRows(b *bounds, token func(int64) string, sql string, args ...any) error {
	var group []string
	err := s.c.query(sql, func(st *sqlite3.Stmt) error {
		group = append(group, token(st.ColumnInt64(0)))
		return nil
	}, args...)
	b.require(group)
	return err
}

// require bounds to documents with one of the tokens; none means no document.
func (b *bounds) require(group []string) {
	b.nothing = b.nothing || len(group) == 0
	b.groups = append(b.groups, group)
}

// The tokens of the scope column. See the writer, which puts them there.
func dirToken(dir int64) string         { return scopeToken('d', dir) }
func sessionToken(session int64) string { return scopeToken('s', session) }
func kindToken(k lookback.Kind) string  { return scopeToken('k', int64(k)) }
func scopeToken(of byte, n int64) string {
	return string(scopeMark) + string(of) + strconv.FormatInt(n, 10)
}

// chain follows the segments from an entry up to the root.
func (s *search) chain(id lookback.SessionID, leaf, before int) (out []stretch, err error) {
	session, err := s.c.number("SELECT id FROM session WHERE agent = ? AND native = ?", id.Agent, id.Native)
	if err != nil || session == 0 {
		return nil, err
	}
	at, err := s.segmentAt(session, leaf)
	for n, upTo := 0, leaf; at > 0 && err == nil && n < math.MaxInt16; n++ { // damaged logs go in circles
		if end := min(upTo, before-1); end > 0 {
			out = append(out, stretch{place(at, 0), place(at, end)})
		}
		var seg segmentRow
		seg, err = s.segment(at)
		at, upTo = seg.parent, seg.cap
	}
	return out, err
}

// segmentAt finds the segment that an entry of a session stands on, 0 for none.
func (s *search) segmentAt(session int64, seq int) (segment int64, err error) {
	branches, last := 0, 0
	err = s.c.query("SELECT count(*), max(g.id), s.entries FROM segment g JOIN session s ON s.id = g.session WHERE s.id = ? AND g.parent >= 0", func(st *sqlite3.Stmt) error {
		branches, segment, last = st.ColumnInt(0), st.ColumnInt64(1), st.ColumnInt(2)
		return nil
	}, session)
	if err != nil || seq > last {
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
