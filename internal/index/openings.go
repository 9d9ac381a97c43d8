package index

import (
	"context"
	"strings"

	"github.com/ncruces/go-sqlite3"

	"lookback"
)

// Openings gives the beginning of the text of each hit's node, in the form that
// archives have it: at least most bytes, or all there are.
func (db *DB) Openings(ctx context.Context, hits []Hit, most int) ([]string, error) {
	out := make([]string, len(hits))
	err := db.read(ctx, func(c *conn) error {
		for i := range hits {
			var err error
			if out[i], err = c.opening(&hits[i], most); err != nil {
				return err
			}
		}
		return nil
	})
	return out, err
}

func (c *conn) opening(h *Hit, most int) (string, error) {
	var d *docInfo
	var text string
	_, node, _ := strings.Cut(h.Node, ":")
	err := c.query("SELECT "+docColumns+`, doc.text FROM segment g CROSS JOIN doc ON doc.id BETWEEN g.id<<24 AND g.id<<24 | 16777215
		WHERE g.session = ? AND doc.node = ? AND doc.kind = ?`, func(s *sqlite3.Stmt) (err error) {
		d, err = scanDoc(s)
		text = s.ColumnText(11)
		return err
	}, h.Session.Row, node, int(h.Kind))
	if err != nil || d == nil || d.kind != lookback.KindExchange {
		return text, err
	}
	var b strings.Builder
	add := func(label string, ids []int64) error {
		for i, id := range ids {
			if b.Len() > most {
				return nil
			}
			if i == 0 || label == lookback.UserLabel {
				b.WriteString("\n\n" + label)
			}
			words, err := c.wordsOf(id)
			if err != nil {
				return err
			}
			b.WriteString("\n" + lookback.Clip(words, 4*most))
		}
		return nil
	}
	if err := add(lookback.UserLabel, d.users); err != nil {
		return "", err
	}
	err = add(lookback.AssistantLabel, d.answers)
	return strings.TrimLeft(b.String(), "\n"), err
}

// wordsOf gives the words of an entry, wherever they are kept.
func (c *conn) wordsOf(id int64) (string, error) {
	text, _, err := c.text("SELECT coalesce(o.text, e.text) FROM entry e LEFT JOIN entry o ON o.id = e.same AND e.same <> 0 WHERE e.id = ?", id)
	return text, err
}
