package index

import (
	"github.com/ncruces/go-sqlite3"
)

// familyTexts finds where in a family an entry's words are kept already: forks
// begin with copies of their parent's entries. It is filled when it is first
// asked and serves the sessions of one family one after the other.
type familyTexts struct {
	family  int64
	session int64 // the one being put
	alone   bool  // no other session is in the family
	ids     map[string][]kept
}

// kept is an entry of the family, under the agent's id for it.
type kept struct{ session, entry int64 }

// maxKept bounds what is remembered under one id. More than one entry has it only
// where copies were edited, or in damaged logs.
const maxKept = 4

// use prepares for the entries of a session. Whoever deletes entries or changes
// a family has to empty the whole first.
func (f *familyTexts) use(family, session int64) {
	if f.family != family {
		*f = familyTexts{family: family}
	}
	if f.session != session {
		f.session, f.alone = session, false
	}
}

// find gives the entry.id that holds the words of an entry of another session of
// the family with the same id, 0 for none.
func (f *familyTexts) find(c *conn, id, text string) (at int64, err error) {
	if err := f.load(c); err != nil || f.alone {
		return 0, err
	}
	for _, k := range f.ids[id] {
		if k.session == f.session {
			continue
		}
		err := c.query(`SELECT coalesce(o.id, e.id), coalesce(o.text, e.text) FROM entry e LEFT JOIN entry o ON o.id=e.same
			WHERE e.id=?`, func(s *sqlite3.Stmt) error {
			if string(s.ColumnRawText(1)) == text {
				at = s.ColumnInt64(0)
			}
			return nil
		}, k.entry)
		if err != nil || at != 0 {
			return at, err
		}
	}
	return 0, nil
}

// add notes an entry of the session being put.
func (f *familyTexts) add(id string, at int64) { f.note(id, kept{f.session, at}) }

func (f *familyTexts) note(id string, k kept) {
	if f.ids != nil && len(f.ids[id]) < maxKept {
		f.ids[id] = append(f.ids[id], k)
	}
}

// load reads the skeletons of the family's other sessions.
func (f *familyTexts) load(c *conn) error {
	if f.ids != nil || f.alone {
		return nil
	}
	others, err := c.relatives(f.family, f.session)
	if err != nil {
		return err
	}
	if f.alone = len(others) == 0; f.alone {
		return nil
	}
	f.ids = map[string][]kept{}
	for _, other := range others {
		entries, segments, err := c.skeleton(other)
		if err != nil {
			return err
		}
		l := layout{ids: segments}
		l.runs, l.on = segmentation(entries)
		if len(l.runs) != len(segments) {
			return errSkeleton
		}
		for i := range entries {
			if e := &entries[i]; e.Spoken() {
				f.note(e.ID, kept{other, l.place(e.Seq)})
			}
		}
	}
	return nil
}

// relatives gives the sessions of a family but the one named, ascending.
func (c *conn) relatives(family, but int64) (rows []int64, err error) {
	add := func(s *sqlite3.Stmt) error {
		rows = append(rows, s.ColumnInt64(0))
		return nil
	}
	err = c.query("SELECT id FROM session WHERE id=? AND id<>?", add, family, but)
	if err == nil {
		err = c.query("SELECT id FROM session WHERE family=? AND family<>id AND id<>? ORDER BY id", add, family, but)
	}
	return rows, err
}
