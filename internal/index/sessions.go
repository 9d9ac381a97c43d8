package index

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/ncruces/go-sqlite3"

	"lookback"
)

// sessionColumns are what scanSession reads, from "session s JOIN dir d ON d.id=s.dir".
const sessionColumns = `s.id, s.agent, s.native, d.path, s.archive, s.record, s.source, s.gone, s.name, s.named,
	s.version, s.aged, s.parent, s.family, s.started, s.first, s.last, s.entries, s.exchanges, s.pending`

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

// SessionByID gives the session with the id, nil when the index has none.
func (db *DB) SessionByID(ctx context.Context, id lookback.SessionID) (found *Session, err error) {
	err = db.read(ctx, func(c *conn) error {
		found, err = c.sessionWhere("WHERE s.agent=? AND s.native=?", id.Agent, id.Native)
		return err
	})
	return found, err
}

// SessionByRow gives the session with the row number, nil when there is none.
func (db *DB) SessionByRow(ctx context.Context, row int64) (found *Session, err error) {
	err = db.read(ctx, func(c *conn) error {
		found, err = c.sessionWhere("WHERE s.id=?", row)
		return err
	})
	return found, err
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

// Sessions lists sessions.
func (db *DB) Sessions(ctx context.Context, q SessionQuery) (SessionPage, error) {
	if q.Limit <= 0 || q.Limit > 1000 {
		q.Limit = 100
	}
	var page SessionPage
	err := db.read(ctx, func(c *conn) error {
		where, args, err := c.sessionFilter(q)
		if err != nil || where == "" {
			return err
		}
		total, err := c.number("SELECT count(*)"+fromSession+where, args...)
		if err != nil {
			return err
		}
		page.Total = int(total)
		if q.Cursor != "" {
			when, row, err := parseCursor(q.Cursor)
			if err != nil {
				return err
			}
			where += " AND (" + sessionWhen + ", s.id) < (?, ?)"
			args = append(args, when, row)
			q.Offset = 0
		}
		args = append(args, q.Limit+1, q.Offset)
		return c.query("SELECT "+sessionColumns+fromSession+where+" ORDER BY "+sessionWhen+" DESC, s.id DESC LIMIT ? OFFSET ?", func(s *sqlite3.Stmt) error {
			if len(page.Sessions) < q.Limit {
				page.Sessions = append(page.Sessions, scanSession(s))
			} else {
				last := &page.Sessions[q.Limit-1]
				page.Next = fmt.Sprintf("%d.%d", orElse(millis(last.Last), millis(last.Started)), last.Row)
			}
			return nil
		}, args...)
	})
	return page, err
}

// sessionWhen is what sessions are ordered by; the index session_when is on it.
const sessionWhen = "iif(s.last<>0, s.last, s.started)"

func orElse(a, b int64) int64 {
	if a != 0 {
		return a
	}
	return b
}

func parseCursor(s string) (when, row int64, err error) {
	a, b, ok := strings.Cut(s, ".")
	when, err1 := strconv.ParseInt(a, 10, 64)
	row, err2 := strconv.ParseInt(b, 10, 64)
	if !ok || err1 != nil || err2 != nil {
		return 0, 0, ErrCursor
	}
	return when, row, nil
}

// sessionFilter gives the condition for a scope and its filters, "" when nothing
// can match.
func (c *conn) sessionFilter(q SessionQuery) (string, []any, error) {
	conds, args, err := c.scopeCondition(q.Scope)
	if err != nil || conds == nil {
		return "", nil, err
	}
	f := &q.Filters
	if f.In != "" {
		in, err := c.dirCondition(f.In)
		if err != nil {
			return "", nil, err
		}
		conds = append(conds, in)
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
		in, err := c.dirCondition(root)
		return []string{in}, nil, err
	}
	if id, _, _, ok := scope.Conversation(); ok {
		return []string{"s.agent=? AND s.native=?"}, []any{id.Agent, id.Native}, nil
	}
	return nil, nil, nil
}

// dirCondition holds for the sessions that ran at or below root, or whose record
// lies in the archive of a workspace there.
func (c *conn) dirCondition(root string) (string, error) {
	ids, err := c.dirsWithin(root)
	if err != nil {
		return "", err
	}
	list := make([]string, len(ids))
	var homes strings.Builder
	for i, id := range ids {
		list[i] = strconv.FormatInt(id, 10)
		fmt.Fprintf(&homes, " OR s.homes<>'' AND instr(s.homes, ' %d ')>0", id)
	}
	return "(s.dir IN (" + strings.Join(list, ",") + ")" + homes.String() + ")", nil
}

// Visible reports whether the scope sees the session with the given row, or some
// of it.
func (db *DB) Visible(ctx context.Context, scope lookback.Scope, row int64) (visible bool, err error) {
	err = db.read(ctx, func(c *conn) error {
		conds, args, err := c.scopeCondition(scope)
		if err != nil || conds == nil {
			return err
		}
		n, err := c.number("SELECT count(*)"+fromSession+"WHERE "+strings.Join(conds, " AND ")+" AND s.id=?", append(args, row)...)
		visible = n > 0
		return err
	})
	return visible, err
}
