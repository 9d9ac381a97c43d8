package index

import (
	"context"
	"slices"
	"strings"

	"github.com/ncruces/go-sqlite3"

	"lookback"
)

// A family is a session with its forks and continuations, and theirs. It is named
// by the native id of the session at its root, whether the index has that one or
// only heard of it: who appears after its forks finds them under its own name. The
// sessions of a circle are named by one of them.

// parentID gives the native id in a parent as logged: Pi logs the path of the
// parent's file, whose name ends in the id.
func parentID(parent string) string {
	i := strings.LastIndexAny(parent, `/\`)
	if i < 0 {
		return parent
	}
	name := parent[i+1:]
	if dot := strings.LastIndexByte(name, '.'); dot > 0 {
		name = name[:dot]
	}
	return name[strings.LastIndexByte(name, '_')+1:]
}

// parentOf gives the native id that a parent as logged means: of the session that
// was read from such a file, or has such an id, else the one in its name.
func (c *conn) parentOf(agent, parent string) (string, error) {
	native, known, err := c.text(`SELECT s.native FROM file f JOIN session s ON s.id=f.session WHERE s.agent=?1 AND f.path=?2 AND s.source=f.path
		UNION ALL SELECT native FROM session WHERE agent=?1 AND native=?2 LIMIT 1`, agent, parent)
	if err != nil || known {
		return native, err
	}
	return parentID(parent), nil
}

// relate finds the family of the session that was just written, and those of
// others that waited for it or stood with it before.
func (p *putting) relate() (err error) {
	s, c := &p.u.Session, p.w.c
	if p.old != nil {
		p.family, _, err = c.text("SELECT family FROM session WHERE id=?", p.row)
		if err != nil || p.old.Parent == s.Parent && p.old.Source == s.Source {
			return err
		}
	}
	if err := p.w.settle(p.row, s.ID, p.family); err != nil {
		return err
	}
	for _, family := range []string{p.family, s.ID.Native, parentID(s.Source)} {
		if err := p.w.rejoin(s.ID.Agent, family); err != nil {
			return err
		}
	}
	p.family, _, err = c.text("SELECT family FROM session WHERE id=?", p.row)
	return err
}

// rejoin finds the families again of all sessions in one, but for its root.
func (w *Writer) rejoin(agent, family string) error {
	type member struct {
		row int64
		id  lookback.SessionID
	}
	var members []member
	// The latest first: where parents came after their children, each finds its
	// parent settled.
	err := w.c.query("SELECT id, native FROM session WHERE parent<>'' AND family=? AND agent=? ORDER BY id DESC", func(s *sqlite3.Stmt) error {
		members = append(members, member{s.ColumnInt64(0), lookback.SessionID{Agent: agent, Native: s.ColumnText(1)}})
		return nil
	}, family, agent)
	for _, m := range members {
		if err == nil {
			err = w.settle(m.row, m.id, family)
		}
	}
	return err
}

// settle puts a session into the family that it belongs to, with the twin hashes
// of its docs. was is the one it is in.
func (w *Writer) settle(row int64, id lookback.SessionID, was string) error {
	family, err := w.root(id, was)
	if err != nil || family == was {
		return err
	}
	if was != "" {
		w.kin = kin{}
	}
	if err := w.c.run("UPDATE session SET family=? WHERE id=?", family, row); err != nil {
		return err
	}
	// The engine has no exclusive or.
	return w.c.run("UPDATE doc SET twin=(twin|?1)&~(twin&?1) WHERE id IN (SELECT d.id"+docsOfSession+"?2)", mixFamily(id.Agent, was)^mixFamily(id.Agent, family), row)
}

// root walks up from a session to the first that is not in the doubtful family,
// and so in the right one, or to the root.
func (w *Writer) root(id lookback.SessionID, doubtful string) (string, error) {
	seen := []string{}
	for at := id.Native; ; {
		if i := slices.Index(seen, at); i >= 0 {
			return slices.Min(seen[i:]), nil
		}
		seen = append(seen, at)
		var parent, family string
		err := w.c.query("SELECT parent, family FROM session WHERE agent=? AND native=?", func(s *sqlite3.Stmt) error {
			parent, family = s.ColumnText(0), s.ColumnText(1)
			return nil
		}, id.Agent, at)
		switch {
		case err != nil || parent == "":
			return at, err
		case family != doubtful:
			return family, nil
		}
		if at, err = w.c.parentOf(id.Agent, parent); err != nil {
			return "", err
		}
	}
}

// ParentOf gives the session that s continues or forks, nil when it names none or
// the index does not have it.
func (db *DB) ParentOf(ctx context.Context, s lookback.Session) (*Session, error) {
	if s.Parent == "" {
		return nil, nil
	}
	return look(ctx, db, func(c *conn) (*Session, error) {
		native, err := c.parentOf(s.ID.Agent, s.Parent)
		if err != nil {
			return nil, err
		}
		return c.sessionByID(lookback.SessionID{Agent: s.ID.Agent, Native: native})
	})
}

// kin tells where the words of a family's entries are kept already: forks begin
// with copies of their parent's entries. It serves the sessions of one family that
// are put one after the other, until a family changes. Entries that are no more do
// no harm: they are looked at before one is used.
type kin struct {
	agent, family string
	ids           map[string][]int64 // entry.id by the agent's id; nil for a session alone
}

// maxKin bounds what is remembered under one id. More than one entry has it only
// where copies were edited, or in damaged logs.
const maxKin = 4

func (k *kin) add(id string, at int64) {
	if k.ids != nil && len(k.ids[id]) < maxKin {
		k.ids[id] = append(k.ids[id], at)
	}
}

// load reads the skeletons of the family.
func (k *kin) load(c *conn, agent, family string) error {
	if k.ids != nil && k.agent == agent && k.family == family {
		return nil
	}
	*k = kin{agent: agent, family: family}
	var rows []int64
	err := c.query(`SELECT id FROM session WHERE agent=?1 AND native=?2
		UNION SELECT id FROM session WHERE agent=?1 AND family=?2 AND parent<>''`, func(s *sqlite3.Stmt) error {
		rows = append(rows, s.ColumnInt64(0))
		return nil
	}, agent, family)
	if err != nil || len(rows) < 2 {
		return err
	}
	k.ids = map[string][]int64{}
	for _, row := range rows {
		l, entries, err := c.layout(row)
		if err != nil {
			return err
		}
		for i := range entries {
			if e := &entries[i]; e.Spoken() {
				k.add(e.ID, l.place(e.Seq))
			}
		}
	}
	return nil
}

// find gives the entry.id that holds the words of another session's entry with
// the same id, 0 for none.
func (k *kin) find(c *conn, session int64, id, text string) (at int64, err error) {
	for _, entry := range k.ids[id] {
		err := c.query(`SELECT coalesce(o.id, e.id), coalesce(o.text, e.text) FROM entry e JOIN segment g ON g.id=e.id>>24
			LEFT JOIN entry o ON o.id=e.same WHERE e.id=? AND g.session<>?`, func(s *sqlite3.Stmt) error {
			if string(s.ColumnRawText(1)) == text {
				at = s.ColumnInt64(0)
			}
			return nil
		}, entry, session)
		if err != nil || at != 0 {
			return at, err
		}
	}
	return 0, nil
}
