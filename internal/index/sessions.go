package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ncruces/go-sqlite3"

	"lookback"
)

// sessionColumns are what scanSession reads, from "session s JOIN dir d ON d.id=s.dir".
const sessionColumns = `s.id, s.agent, s.native, d.path, s.archive, s.record, s.source, s.gone, s.name, s.named,
	s.version, s.aged, s.parent, coalesce((SELECT r.id FROM session r WHERE r.agent=s.agent AND r.native=s.family), 0),
	s.started, s.first, s.last, s.entries, s.exchanges, s.pending`

const fromSession = " FROM session s JOIN dir d ON d.id=s.dir "

func scanSession(s *sqlite3.Stmt) Session {
	return Session{
		Session: lookback.Session{
			ID:   lookback.SessionID{Agent: s.ColumnText(1), Native: s.ColumnText(2)},
			Name: s.ColumnText(8), Named: s.ColumnBool(9), Cwd: s.ColumnText(3),
			Version: s.ColumnInt(10), Started: fromMillis(s.ColumnInt64(14)), Parent: s.ColumnText(12),
		},
		Row: s.ColumnInt64(0), Archive: s.ColumnText(4), Record: s.ColumnText(5), Source: s.ColumnText(6),
		Gone: s.ColumnBool(7), Aged: s.ColumnInt(11), Family: s.ColumnInt64(13),
		First: fromMillis(s.ColumnInt64(15)), Last: fromMillis(s.ColumnInt64(16)),
		Entries: s.ColumnInt(17), Exchanges: s.ColumnInt(18), Pending: s.ColumnInt(19),
	}
}

// millis is a time as the database keeps it: unix ms, 0 when it is not known.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func fromMillis(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// sessionWhere gives the one session that a condition names, nil for none.
func (c *conn) sessionWhere(where string, args ...any) (*Session, error) {
	var found *Session
	err := c.query("SELECT "+sessionColumns+fromSession+where, func(s *sqlite3.Stmt) error {
		row := scanSession(s)
		found = &row
		return nil
	}, args...)
	return found, err
}

func (c *conn) sessionByID(id lookback.SessionID) (*Session, error) {
	return c.sessionWhere("WHERE s.agent=? AND s.native=?", id.Agent, id.Native)
}

// SessionByID gives the session with the id, nil when the index has none.
func (db *DB) SessionByID(ctx context.Context, id lookback.SessionID) (*Session, error) {
	return look(ctx, db, func(c *conn) (*Session, error) { return c.sessionByID(id) })
}

// SessionByRow gives the session with the row number, nil when there is none.
func (db *DB) SessionByRow(ctx context.Context, row int64) (*Session, error) {
	return look(ctx, db, func(c *conn) (*Session, error) { return c.sessionWhere("WHERE s.id=?", row) })
}

// SessionByRecord gives the session whose record has the archive id, nil when the
// index has none.
func (db *DB) SessionByRecord(ctx context.Context, record string) (*Session, error) {
	return look(ctx, db, func(c *conn) (*Session, error) { return c.sessionWhere("WHERE s.record=?", record) })
}

// SessionQuery asks for a page of sessions.
type SessionQuery struct {
	Scope   lookback.Scope
	Filters lookback.Filters // Agent, Session, Name, In and When count; the others do not
	Limit   int              // 1…1000; 0 means 100
	Cursor  string           // Next of the page before; "" for the first
	Offset  int              // rows to skip when there is no cursor
}

// SessionPage is a page of sessions, newest first: by the time of the last
// exchange, or the start where there is none, then by row.
type SessionPage struct {
	Sessions []Session
	Total    int    // in scope, on all pages
	Next     string // Cursor of the next page, "" after the last
}

// ErrCursor means that a cursor is not one that this package gave out.
var ErrCursor = errors.New("not a cursor of this list")

// sessionWhen is what sessions are ordered by; the index session_when is on it.
const sessionWhen = "iif(s.last<>0, s.last, s.started)"

// Sessions lists sessions.
func (db *DB) Sessions(ctx context.Context, q SessionQuery) (SessionPage, error) {
	return look(ctx, db, func(c *conn) (page SessionPage, err error) {
		where, args, err := c.sessionFilter(q)
		if err != nil || where == "" {
			return page, err
		}
		total, err := c.number("SELECT count(*)"+fromSession+where, args...)
		if err != nil {
			return page, err
		}
		page.Total = int(total)
		if q.Cursor != "" {
			var when, row int64
			if _, err := fmt.Sscanf(q.Cursor, "%d.%d", &when, &row); err != nil || pageCursor(when, row) != q.Cursor {
				return page, ErrCursor
			}
			where += " AND (" + sessionWhen + ", s.id) < (?, ?)"
			args = append(args, when, row)
			q.Offset = 0
		}
		if q.Limit <= 0 || q.Limit > 1000 {
			q.Limit = 100
		}
		args = append(args, q.Limit+1, q.Offset)
		err = c.query("SELECT "+sessionColumns+fromSession+where+" ORDER BY "+sessionWhen+" DESC, s.id DESC LIMIT ? OFFSET ?", func(s *sqlite3.Stmt) error {
			page.Sessions = append(page.Sessions, scanSession(s))
			return nil
		}, args...)
		if len(page.Sessions) > q.Limit {
			page.Sessions = page.Sessions[:q.Limit]
			last := &page.Sessions[q.Limit-1]
			page.Next = pageCursor(cmp.Or(millis(last.Last), millis(last.Started)), last.Row)
		}
		return page, err
	})
}

func pageCursor(when, row int64) string { return fmt.Sprintf("%d.%d", when, row) }

// sessionFilter gives the condition for a scope and its filters, "" when nothing
// can match.
func (c *conn) sessionFilter(q SessionQuery) (string, []any, error) {
	conds, args, err := c.scopeCondition(q.Scope)
	if err != nil || conds == nil {
		return "", nil, err
	}
	f := &q.Filters
	if f.In != "" {
		ids, err := c.dirsWithin(f.In)
		if err != nil {
			return "", nil, err
		}
		conds = append(conds, dirCondition(ids))
	}
	if f.Agent != "" {
		conds, args = append(conds, "s.agent=?"), append(args, f.Agent)
	}
	if f.Session != "" {
		conds, args = append(conds, "substr(s.native, 1, length(?))=?"), append(args, f.Session, f.Session)
	}
	for word := range strings.FieldsSeq(f.Name) {
		conds, args = append(conds, "instr(lower(s.name), lower(?))>0"), append(args, word)
	}
	if !f.When.From.IsZero() {
		conds, args = append(conds, sessionWhen+">=?"), append(args, f.When.From.UnixMilli())
	}
	if !f.When.To.IsZero() {
		conds, args = append(conds, "iif(s.first<>0, s.first, s.started)<?"), append(args, f.When.To.UnixMilli())
	}
	return "WHERE " + strings.Join(conds, " AND "), args, nil
}

// scopeCondition gives the condition of a scope; nil when it sees nothing.
func (c *conn) scopeCondition(scope lookback.Scope) (conds []string, args []any, err error) {
	if scope.Everything() {
		return []string{"1"}, nil, nil
	}
	if root, ok := scope.Workspace(); ok {
		ids, err := c.workspaceDirs(root)
		return []string{dirCondition(ids)}, nil, err
	}
	if id, _, _, ok := scope.Conversation(); ok {
		return []string{"s.agent=? AND s.native=?"}, []any{id.Agent, id.Native}, nil
	}
	return nil, nil, nil
}

// dirCondition holds for the sessions that ran in one of the directories, or
// whose record lies in the archive of a workspace there.
func dirCondition(ids []int64) string {
	var homes strings.Builder
	for _, id := range ids {
		fmt.Fprintf(&homes, " OR s.homes<>'' AND instr(s.homes, ' %d ')>0", id)
	}
	return "(s.dir IN (" + joinNumbers(ids, ",") + ")" + homes.String() + ")"
}

func joinNumbers(ids []int64, between string) string {
	list := make([]string, len(ids))
	for i, id := range ids {
		list[i] = strconv.FormatInt(id, 10)
	}
	return strings.Join(list, between)
}

// Visible reports whether the scope sees the session with the given row, or some
// of it.
func (db *DB) Visible(ctx context.Context, scope lookback.Scope, row int64) (bool, error) {
	return look(ctx, db, func(c *conn) (bool, error) {
		conds, args, err := c.scopeCondition(scope)
		if err != nil || conds == nil {
			return false, err
		}
		n, err := c.number("SELECT count(*)"+fromSession+"WHERE "+strings.Join(conds, " AND ")+" AND s.id=?", append(args, row)...)
		return n > 0, err
	})
}

// Unfinished tells which of the sessions with the given rows have an exchange that
// is not completed.
func (db *DB) Unfinished(ctx context.Context, rows []int64) (map[int64]bool, error) {
	out := map[int64]bool{}
	err := db.read(ctx, func(c *conn) error {
		for _, row := range rows {
			n, err := c.number("SELECT EXISTS(SELECT 1"+docsOfSession+"? AND d.kind=? AND d.state&?=0)", row, int(lookback.KindExchange), stateCompleted)
			if err != nil {
				return err
			}
			out[row] = n != 0
		}
		return nil
	})
	return out, err
}

// dirsWithin gives the dir.id of root and of every directory below it, over all
// agents, ascending; none at or below one of the directories in without.
func (c *conn) dirsWithin(root string, without ...string) ([]int64, error) {
	var ids []int64
	err := c.query("SELECT id, path FROM dir ORDER BY id", func(s *sqlite3.Stmt) error {
		path := s.ColumnText(1)
		if within(root, path) && !slices.ContainsFunc(without, func(dir string) bool { return within(dir, path) }) {
			ids = append(ids, s.ColumnInt64(0))
		}
		return nil
	})
	return ids, err
}

// workspaceDirs is dirsWithin but for what belongs to a workspace of its own below
// root: one whose archive has been seen.
func (c *conn) workspaceDirs(root string) ([]int64, error) {
	var deeper []string
	err := c.query("SELECT dir FROM record WHERE id=''", func(s *sqlite3.Stmt) error {
		own, ok := strings.CutSuffix(filepath.ToSlash(s.ColumnText(0)), "/"+lookback.WorkspaceArchive)
		if own = filepath.FromSlash(own); ok && own != root && within(root, own) {
			deeper = append(deeper, own)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return c.dirsWithin(root, deeper...)
}

// within reports whether path is root or lies below it, by whole segments. Both
// are clean. Paths of logs from another system are told apart by slashes.
func within(root, path string) bool {
	if root == "" || !strings.HasPrefix(path, root) {
		return false
	}
	return len(path) == len(root) || isSeparator(root[len(root)-1]) || isSeparator(path[len(root)])
}

func isSeparator(c byte) bool { return c == '/' || os.IsPathSeparator(c) }
