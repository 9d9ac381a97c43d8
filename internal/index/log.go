package index

import (
	"context"
	"strings"

	"github.com/ncruces/go-sqlite3"

	"lookback"
)

// Skeleton gives the entries of the session with the given row without their
// words: no Parts, Calls without ids, a Cut without its text. A session that
// exists in the archive only, or that there is none of, has none.
func (db *DB) Skeleton(ctx context.Context, row int64) (entries []lookback.Entry, err error) {
	err = db.read(ctx, func(c *conn) error {
		entries, _, err = c.skeleton(row)
		return err
	})
	return entries, err
}

// Log is Skeleton with the words of spoken entries: text parts joined into one,
// split only at images. Words of each entry are those it was put with.
func (db *DB) Log(ctx context.Context, row int64) (entries []lookback.Entry, err error) {
	err = db.read(ctx, func(c *conn) error {
		entries, err = c.log(row)
		return err
	})
	return entries, err
}

func (c *conn) skeleton(row int64) (entries []lookback.Entry, segments []int64, err error) {
	err = c.query("SELECT skeleton FROM log WHERE session=?", func(s *sqlite3.Stmt) (err error) {
		entries, segments, err = decodeSkeleton(s.ColumnRawBlob(0))
		return err
	}, row)
	return entries, segments, err
}

func (c *conn) log(row int64) ([]lookback.Entry, error) {
	entries, segments, err := c.skeleton(row)
	if err != nil {
		return nil, err
	}
	for _, segment := range segments {
		err := c.words(segment, func(id int64, text string) error {
			if seq := seqOf(id); seq >= 1 && seq <= len(entries) {
				entries[seq-1].Parts = Parts(text)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return entries, nil
}

// words calls fn for each entry of a segment that has words, in order. Copies
// give the words of what they are copies of.
func (c *conn) words(segment int64, fn func(id int64, text string) error) error {
	type copied struct{ id, same int64 }
	var copies []copied
	err := c.query("SELECT id, text, same FROM entry WHERE id BETWEEN ? AND ?", func(s *sqlite3.Stmt) error {
		if same := s.ColumnInt64(2); same != 0 {
			copies = append(copies, copied{s.ColumnInt64(0), same})
			return nil
		}
		return fn(s.ColumnInt64(0), s.ColumnText(1))
	}, place(segment, 0), place(segment, maxSeq))
	if err != nil {
		return err
	}
	for _, e := range copies {
		text, _, err := c.text("SELECT text FROM entry WHERE id=?", e.same)
		if err != nil {
			return err
		}
		if err := fn(e.id, text); err != nil {
			return err
		}
	}
	return nil
}

// Parts takes apart what Entry.Words put together: each line that is nothing
// but the mark of an image becomes one, the lines between them one text.
func Parts(text string) []lookback.Part {
	if !strings.Contains(text, lookback.ObjectMark) {
		return []lookback.Part{{Text: text}}
	}
	var parts []lookback.Part
	var run []string
	flush := func() {
		if run != nil {
			parts = append(parts, lookback.Part{Text: strings.Join(run, "\n")})
			run = nil
		}
	}
	for line := range strings.SplitSeq(text, "\n") {
		if line == lookback.ObjectMark {
			flush()
			parts = append(parts, lookback.Part{Kind: lookback.PartImage})
			continue
		}
		run = append(run, line)
	}
	flush()
	return parts
}
