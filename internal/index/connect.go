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
}

// connect opens a connection to name, a path or, with sqlite3.OPEN_URI, a URI.
func connect(ctx context.Context, name string, flags sqlite3.OpenFlag) (*conn, error) {
	raw, err := sqlite3.OpenFlags(name, flags)
	if err != nil {
		return nil, err
	}
	raw.SetInterrupt(ctx)
	defer raw.SetInterrupt(context.Background())
	err = fts5.RegisterCustom(raw, func(api *fts5.API) error {
		if err := api.CreateTokenizer("lookback", newTokenizer); err != nil {
			return err
		}
		for _, register := range onConnect {
			if err := register(api, raw); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		err = raw.BusyTimeout(busyTimeout)
	}
	if err != nil {
		raw.Close()
		return nil, err
	}
	return &conn{Conn: raw, stmts: map[string]*sqlite3.Stmt{}}, nil
}

// stmt gives the prepared statement for sql, ready to be bound: reset, with no
// bindings left. It belongs to the connection; do not close it. A statement that
// is still being stepped through must not be asked for again.
func (c *conn) stmt(sql string) (*sqlite3.Stmt, error) {
	if s := c.stmts[sql]; s != nil {
		if err := s.Reset(); err != nil && !interrupted(err) {
			return nil, err
		}
		return s, s.ClearBindings()
	}
	s, _, err := c.PrepareFlags(sql, sqlite3.PREPARE_PERSISTENT)
	if err != nil {
		return nil, err
	}
	c.stmts[sql] = s
	return s, nil
}

// query runs a statement with the arguments bound in order and calls row for each
// row; what row returns ends the query. Arguments are int, int64, string, []byte
// or nil.
func (c *conn) query(sql string, row func(*sqlite3.Stmt) error, args ...any) error {
	s, err := c.stmt(sql)
	if err != nil {
		return err
	}
	if err := bind(s, args); err != nil {
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
	s, err := c.stmt(sql)
	if err != nil {
		return err
	}
	if err := bind(s, args); err != nil {
		return err
	}
	return s.Exec()
}

func bind(s *sqlite3.Stmt, args []any) error {
	for i, a := range args {
		var err error
		switch v := a.(type) {
		case int:
			err = s.BindInt64(i+1, int64(v))
		case int64:
			err = s.BindInt64(i+1, v)
		case string:
			err = s.BindText(i+1, v)
		case []byte:
			err = s.BindBlob(i+1, v)
		case nil:
			err = s.BindNull(i + 1)
		default:
			panic("index: cannot bind this type") // a fault in this package
		}
		if err != nil {
			return err
		}
	}
	return nil
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
	return errors.Is(err, sqlite3.CORRUPT) || errors.Is(err, sqlite3.NOTADB)
}
