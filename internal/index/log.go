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
		entries, _, err = c.skeleton(row)
		if err != nil {
			return err
		}
		return c.query("SELECT e.id, coalesce(e.text, o.text) FROM segment g CROSS JOIN"+heldText+`
			WHERE g.session=? AND e.id BETWEEN g.id<<24 AND g.id<<24|16777215`, func(s *sqlite3.Stmt) error {
			if seq := seqOf(s.ColumnInt64(0)); seq >= 1 && seq <= len(entries) {
				entries[seq-1].Parts = Parts(s.ColumnText(1))
			}
			return nil
		}, row)
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

// Parts takes apart what Entry.Words put together: each line that is nothing
// but the mark of an image becomes one, the lines between them one text.
func Parts(text string) (parts []lookback.Part) {
	start := 0 // of the text that goes on
	for at := 0; at <= len(text); {
		end := len(text)
		if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
			end = at + n
		}
		if text[at:end] == lookback.ObjectMark {
			if at > start {
				parts = append(parts, lookback.Part{Text: text[start : at-1]})
			}
			parts = append(parts, lookback.Part{Kind: lookback.PartImage})
			start = end + 1
		}
		at = end + 1
	}
	if start <= len(text) {
		parts = append(parts, lookback.Part{Text: text[start:]})
	}
	return parts
}

// Openings gives the beginning of the text of each hit's node, in the form that
// archives have it: at least most bytes, or all there are.
func (db *DB) Openings(ctx context.Context, hits []Hit, most int) ([]string, error) {
	out := make([]string, len(hits))
	err := db.read(ctx, func(c *conn) (err error) {
		for i := range hits {
			if out[i], err = c.opening(&hits[i], most); err != nil {
				return err
			}
		}
		return nil
	})
	return out, err
}

func (c *conn) opening(h *Hit, most int) (text string, err error) {
	var m members
	_, node, _ := strings.Cut(h.Node, ":")
	err = c.query("SELECT d.id, d.members, d.text"+docsOfSession+"? AND d.node=? AND d.kind=?", func(s *sqlite3.Stmt) (err error) {
		m, err = unpackMembers(s.ColumnRawBlob(1), s.ColumnInt64(0))
		text = s.ColumnText(2)
		return err
	}, h.Session.Row, node, int(h.Kind))
	if err != nil || h.Kind != lookback.KindExchange {
		return text, err
	}
	var b strings.Builder
	for i, id := range append(m.users, m.answers...) {
		if b.Len() > most {
			break
		}
		switch {
		case i < len(m.users):
			b.WriteString("\n\n" + lookback.UserLabel)
		case i == len(m.users):
			b.WriteString("\n\n" + lookback.AssistantLabel)
		}
		words, _, err := c.text("SELECT coalesce(e.text, o.text) FROM"+heldText+"WHERE e.id=?", id)
		if err != nil {
			return "", err
		}
		b.WriteString("\n" + lookback.Clip(words, 4*most))
	}
	return strings.TrimLeft(b.String(), "\n"), nil
}
