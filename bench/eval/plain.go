package main

import (
	"strings"
	"unicode"

	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/ext/fts5"
)

// plain is full-text search without any of ours: SQLite's FTS5 with its own
// unicode61 tokenizer, one row a unit, speakers before their words.
type plain struct {
	c   *sqlite3.Conn
	ids []string
}

func newPlain(s *set, level string) (*plain, error) {
	c, err := sqlite3.Open(":memory:")
	if err != nil {
		return nil, err
	}
	p := &plain{c: c}
	if err := fts5.Register(c); err != nil {
		return nil, err
	}
	if err := c.Exec("CREATE VIRTUAL TABLE d USING fts5(x, conv UNINDEXED, tokenize='unicode61')"); err != nil {
		return nil, err
	}
	put, _, err := c.Prepare("INSERT INTO d(rowid, x, conv) VALUES (?, ?, ?)")
	if err != nil {
		return nil, err
	}
	defer put.Close()
	for i := range s.Conversations {
		for j := range s.Conversations[i].Sessions {
			x := &s.Conversations[i].Sessions[j]
			for _, u := range x.split(level) {
				p.ids = append(p.ids, u.id)
				put.BindInt(1, len(p.ids)-1)
				put.BindText(2, u.text)
				put.BindText(3, s.Conversations[i].ID)
				if err := put.Exec(); err != nil {
					return nil, err
				}
			}
		}
	}
	return p, nil
}

// unit is a text of a level.
type unit struct{ id, text string }

// split cuts a session into the units of a level.
func (s *session) split(level string) (out []unit) {
	said := func(t *turn) string { return t.Speaker + ": " + t.words() }
	switch level {
	case "turn":
		for i := range s.Turns {
			out = append(out, unit{s.Turns[i].ID, said(&s.Turns[i])})
		}
		return out
	case "exchange":
		for _, group := range s.exchanges() {
			u := unit{id: "X:" + group[0].ID}
			for i := range group {
				u.text += said(&group[i]) + "\n"
			}
			out = append(out, u)
		}
		return out
	}
	u := unit{id: s.ID}
	for i := range s.Turns {
		u.text += said(&s.Turns[i]) + "\n"
	}
	return []unit{u}
}

// run asks all queries with their words joined by AND or OR, ranked by bm25.
func (p *plain) run(s *set, join string) (run, error) {
	out := run{}
	get, _, err := p.c.Prepare("SELECT rowid FROM d WHERE d MATCH ? AND conv=? ORDER BY rank LIMIT ?")
	if err != nil {
		return nil, err
	}
	defer get.Close()
	for i := range s.Queries {
		q := &s.Queries[i]
		expr := quoteWords(q.Text, join)
		if expr == "" {
			continue
		}
		get.BindText(1, expr)
		get.BindText(2, q.Conversation)
		get.BindInt(3, depth)
		for get.Step() {
			out[q.ID] = append(out[q.ID], p.ids[get.ColumnInt(0)])
		}
		if err := get.Reset(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// quoteWords makes the engine's query of a text: its words, each once.
func quoteWords(text, join string) string {
	var out []string
	seen := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }) {
		if !seen[w] {
			seen[w] = true
			out = append(out, `"`+w+`"`)
		}
	}
	return strings.Join(out, join)
}

func (p *plain) close() { p.c.Close() }
