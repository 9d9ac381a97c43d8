package index

import (
	"context"
	"time"

	"github.com/ncruces/go-sqlite3"

	"lookback"
)

// SetFile notes how far a native file was read that gave no session of its own,
// row 0, or is a copy of the one with the given row. warnings replace those kept
// for it.
func (w *Writer) SetFile(ctx context.Context, f File, row int64, warnings []lookback.Warning) error {
	return w.change(ctx, func() error { return w.setFile(f, row, warnings) })
}

func (w *Writer) setFile(f File, row int64, warnings []lookback.Warning) error {
	cursor := f.Cursor
	if cursor == nil {
		cursor = []byte{}
	}
	err := w.c.run("INSERT OR REPLACE INTO file(path, stamp, session, cursor) VALUES (?, ?, ?, ?)", f.Path, f.Stamp, row, cursor)
	if err == nil {
		err = w.c.run("DELETE FROM warning WHERE file=?", f.Path)
	}
	for i := range warnings {
		if err == nil {
			err = w.warning(&warnings[i], f.Path)
		}
	}
	return err
}

func (w *Writer) warning(v *lookback.Warning, file string) error {
	return w.c.run("INSERT OR REPLACE INTO warning(file, kind, line, count, detail) VALUES (?, ?, ?, ?, ?)",
		file, string(v.Kind), v.Line, v.Count, v.Detail)
}

// AddWarning adds a warning to those kept for its file, in the place of one of the
// same kind.
func (w *Writer) AddWarning(ctx context.Context, v lookback.Warning) error {
	return w.change(ctx, func() error { return w.warning(&v, v.File) })
}

// DropFile forgets a native file and its warnings, not its session.
func (w *Writer) DropFile(ctx context.Context, path string) error {
	return w.change(ctx, func() error {
		return w.c.runAll([]string{"DELETE FROM warning WHERE file=?1", "DELETE FROM file WHERE path=?1"}, path)
	})
}

// MarkGone notes that native files have vanished: their sessions stay, and are
// marked if it was their source. A later Put or SetFile of the path undoes it.
func (w *Writer) MarkGone(ctx context.Context, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	return w.change(ctx, func() error {
		for _, path := range paths {
			err := w.c.runAll([]string{
				"UPDATE session SET gone=1 WHERE id=(SELECT session FROM file WHERE path=?1) AND source=?1",
				"UPDATE file SET stamp='', cursor=x'' WHERE path=?1",
				"DELETE FROM warning WHERE file=?1",
			}, path)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// PutRecord notes an archive record as it was seen. id is the session it holds,
// which need not be in the index yet.
func (w *Writer) PutRecord(ctx context.Context, dir, record, stamp string, id lookback.SessionID) error {
	return w.change(ctx, func() error {
		row, err := w.c.number("SELECT id FROM session WHERE agent=? AND native=?", id.Agent, id.Native)
		if err != nil {
			return err
		}
		return w.c.run("INSERT OR REPLACE INTO record(dir, id, stamp, session) VALUES (?, ?, ?, ?)", dir, record, stamp, row)
	})
}

// DropRecord forgets an archive record, not its session.
func (w *Writer) DropRecord(ctx context.Context, dir, record string) error {
	return w.change(ctx, func() error { return w.c.run("DELETE FROM record WHERE dir=? AND id=?", dir, record) })
}

// SetFolder notes how an archive directory looked as a whole; stamp "" forgets it.
func (w *Writer) SetFolder(ctx context.Context, dir, stamp string) error {
	return w.change(ctx, func() error {
		if stamp == "" {
			return w.c.run("DELETE FROM record WHERE dir=? AND id=''", dir)
		}
		return w.c.run("INSERT OR REPLACE INTO record(dir, id, stamp, session) VALUES (?, '', ?, 0)", dir, stamp)
	})
}

// Synced notes that everything there was at time t is in the index.
func (w *Writer) Synced(ctx context.Context, t time.Time) error {
	return w.change(ctx, func() error {
		w.facts["synced"] = millis(t)
		return nil
	})
}

// SessionByID is DB.SessionByID that also sees what is not committed yet.
func (w *Writer) SessionByID(ctx context.Context, id lookback.SessionID) (found *Session, err error) {
	err = w.change(ctx, func() error {
		found, err = w.c.sessionByID(id)
		return err
	})
	return found, err
}

// Remove forgets a session: its entries, docs and words, and which files and
// records it came from, so that a sync reads those that are still there again.
// Words that forks share stay with them. Without such a session nothing happens.
func (w *Writer) Remove(ctx context.Context, id lookback.SessionID) error {
	return w.change(ctx, func() error {
		s, err := w.c.sessionByID(id)
		if err != nil || s == nil {
			return err
		}
		return w.remove(s)
	})
}

func (w *Writer) remove(s *Session) error {
	if err := w.feed.flush(w.c); err != nil { // which may hold some of its words
		return err
	}
	family, _, err := w.c.text("SELECT family FROM session WHERE id=?", s.Row)
	if err != nil {
		return err
	}
	var entries []int64
	err = w.c.query("SELECT e.id FROM segment g CROSS JOIN entry e ON e.id BETWEEN g.id<<24 AND g.id<<24|16777215 WHERE g.session=?", func(s *sqlite3.Stmt) error {
		entries = append(entries, s.ColumnInt64(0))
		return nil
	}, s.Row)
	for _, id := range entries {
		if err == nil {
			err = w.dropEntry(id)
		}
	}
	if err == nil {
		err = w.c.runAll([]string{
			"DELETE FROM words WHERE rowid IN (SELECT d.id" + docsOfSession + "?1)",
			"DELETE FROM doc WHERE id IN (SELECT d.id" + docsOfSession + "?1)",
			"DELETE FROM segment WHERE session=?1",
			"DELETE FROM log WHERE session=?1",
			"DELETE FROM warning WHERE file IN (SELECT path FROM file WHERE session=?1)",
			"DELETE FROM file WHERE session=?1",
			"DELETE FROM record WHERE session=?1",
			"DELETE FROM session WHERE id=?1",
		}, s.Row)
	}
	if err != nil {
		return err
	}
	return w.rejoin(s.ID.Agent, family)
}
