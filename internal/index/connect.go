package index

import (
	"context"
	"errors"
	"time"

	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/ext/fts5"
)

// onConnect is called for every new connection, reading and writing, after the
// tokenizer is registered and before the first statement. A file that needs a
// function inside the engine adds its registration from an init function or a
// package variable; it must not run statements.
var onConnect []func(*fts5.API, *sqlite3.Conn) error

// busyTimeout is how long a statement waits for another connection's lock. With a
// write-ahead log readers never wait for the writer; what is waited for are
// recoveries, checkpoints that truncate, and everything without such a log.
const busyTimeout = 30 * time.Second

// conn is one connection with its prepared statements. One goroutine uses it at
// a time, between DB.read's or Writer's hands. Nothing read from it as raw bytes
// outlives the next step.
type conn struct {
	*sqlite3.Conn
	stmts map[string]*sqlite3.Stmt
	made  int // generation of the database file it was opened on
	terms termCache
}

// connect opens a connection to name, a path or, with sqlite3.OPEN_URI, a URI.
func connect(ctx context.Context, name string, flags sqlite3.OpenFlag) (*conn, error) {
	raw, err := sqlite3.OpenFlags(name, flags)
	if err != nil {
		return nil, err
	}
	raw.SetInterrupt(ctx)
	defer raw.SetInterrupt(context.Background())
	err = raw.BusyTimeout(busyTimeout) // before registering, which reads the schema
	if err == nil {
		err = fts5.RegisterCustom(raw, func(api *fts5.API) error { return register(api, raw) })
	}
	if err != nil {
		raw.Close()
		return nil, err
	}
	return &conn{Conn: raw, stmts: map[string]*sqlite3.Stmt{}}, nil
}

func register(api *fts5.API, c *sqlite3.Conn) error {
	err := api.CreateTokenizer("lookback", newTokenizer)
	for _, fn := range onConnect {
		if err == nil {
			err = fn(api, c)
		}
	}
	return err
}

// stmt gives the prepared statement for sql, reset, with the arguments bound in
// order: int, int64, string, []byte, rawText or nil. It belongs to the connection;
// do not close it. A statement that is still being stepped through must not be
// asked for again.
func (c *conn) stmt(sql string, args ...any) (*sqlite3.Stmt, error) {
	s := c.stmts[sql]
	if s == nil {
		var err error
		if s, _, err = c.PrepareFlags(sql, sqlite3.PREPARE_PERSISTENT); err != nil {
			return nil, err
		}
		c.stmts[sql] = s
	} else {
		if err := s.Reset(); err != nil && !interrupted(err) {
			return nil, err
		}
		if err := s.ClearBindings(); err != nil {
			return nil, err
		}
	}
	for i, a := range args {
		if err := bind(s, i+1, a); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// rawText is text to be bound; an empty one is NULL.
type rawText []byte

func bind(s *sqlite3.Stmt, param int, arg any) error {
	switch v := arg.(type) {
	case int:
		return s.BindInt64(param, int64(v))
	case int64:
		return s.BindInt64(param, v)
	case string:
		return s.BindText(param, v)
	case []byte:
		return s.BindBlob(param, v)
	case rawText:
		if len(v) > 0 {
			return s.BindRawText(param, v)
		}
		return s.BindNull(param)
	case nil:
		return s.BindNull(param)
	}
	panic("index: cannot bind this type") // a fault in this package
}

// query runs a statement and calls row for each row; what row returns ends the
// query.
func (c *conn) query(sql string, row func(*sqlite3.Stmt) error, args ...any) error {
	s, err := c.stmt(sql, args...)
	if err != nil {
		return err
	}
	for s.Step() {
		if err := row(s); err != nil {
			s.Reset()
			return err
		}
	}
	return errors.Join(s.Err(), s.Reset())
}

// run is query for a statement without rows.
func (c *conn) run(sql string, args ...any) error {
	s, err := c.stmt(sql, args...)
	if err != nil {
		return err
	}
	return s.Exec()
}

// runAll runs statements that share their numbered arguments.
func (c *conn) runAll(list []string, args ...any) error {
	for _, sql := range list {
		if err := c.run(sql, args...); err != nil {
			return err
		}
	}
	return nil
}

// number gives the first column of the one row, 0 for none.
func (c *conn) number(sql string, args ...any) (n int64, err error) {
	err = c.query(sql, func(s *sqlite3.Stmt) error {
		n = s.ColumnInt64(0)
		return nil
	}, args...)
	return n, err
}

// text gives the first column of the one row; ok is false for none.
func (c *conn) text(sql string, args ...any) (text string, ok bool, err error) {
	err = c.query(sql, func(s *sqlite3.Stmt) error {
		text, ok = s.ColumnText(0), true
		return nil
	}, args...)
	return text, ok, err
}

// fact reads a number of the fact table, 0 when it is not there.
func (c *conn) fact(name string) (int64, error) {
	return c.number("SELECT value FROM fact WHERE name=?", name)
}

// resetAll ends statements that were left in the middle: they would hold the
// read transaction, and the word index's idea of its segments, for the next reader.
func (c *conn) resetAll() {
	for _, s := range c.stmts {
		if s.Busy() {
			s.Reset() //nolint:errcheck // it repeats the error of the last step
		}
	}
}

// close ends the connection and its statements.
func (c *conn) close() error {
	for _, s := range c.stmts {
		s.Close()
	}
	c.stmts = nil
	return c.Conn.Close()
}

func interrupted(err error) bool { return errors.Is(err, sqlite3.INTERRUPT) }

// damaged reports whether an error means that the file is no sound database.
func damaged(err error) bool {
	return errors.Is(err, errBroken) || errors.Is(err, sqlite3.CORRUPT) || errors.Is(err, sqlite3.NOTADB)
}
