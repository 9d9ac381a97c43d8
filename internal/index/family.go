package index

import (
	"context"
	"slices"
	"strings"

	"github.com/ncruces/go-sqlite3"

	"lookback"
)

// A family is a session with its forks and continuations, and theirs. It is
// named by the row of its root; where the root's own parent is not in the index,
// all sessions that name that parent are one family, named by the lowest row.

// kin knows the sessions that name a parent: who they are is asked for whenever
// a session appears, and a parent may appear after its forks.
type kin struct {
	parent map[int64]string   // by row
	byText map[string][]int64 // rows by the parent as logged
	byID   map[string][]int64 // rows by the native id in it
}

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

func (k *kin) add(row int64, parent string) {
	k.remove(row)
	if parent == "" {
		return
	}
	k.parent[row] = parent
	k.byText[parent] = append(k.byText[parent], row)
	k.byID[parentID(parent)] = append(k.byID[parentID(parent)], row)
}

func (k *kin) remove(row int64) {
	parent, ok := k.parent[row]
	if !ok {
		return
	}
	delete(k.parent, row)
	without := func(rows []int64) []int64 { return slices.DeleteFunc(rows, func(r int64) bool { return r == row }) }
	k.byText[parent] = without(k.byText[parent])
	k.byID[parentID(parent)] = without(k.byID[parentID(parent)])
}

// kinship loads kin once per writer.
func (w *Writer) kinship() (*kin, error) {
	if w.kin != nil {
		return w.kin, nil
	}
	k := &kin{parent: map[int64]string{}, byText: map[string][]int64{}, byID: map[string][]int64{}}
	err := w.c.query("SELECT id, parent FROM session WHERE parent<>''", func(s *sqlite3.Stmt) error {
		k.add(s.ColumnInt64(0), s.ColumnText(1))
		return nil
	})
	w.kin = k
	return k, err
}

// relate finds the family of a session that was just written and puts those
// right whose family changed with it.
func (w *Writer) relate(row int64, old, now *Session) (int64, error) {
	if old != nil && old.Parent == now.Parent && old.Source == now.Source {
		return old.Family, nil
	}
	k, err := w.kinship()
	if err != nil {
		return 0, err
	}
	k.add(row, now.Parent)
	if len(k.parent) == 0 {
		return row, nil // nobody forks anything
	}
	affected := append([]int64{row}, k.childrenOf(now)...)
	if old != nil {
		affected = append(affected, k.childrenOf(old)...)
		affected = append(affected, k.byText[old.Parent]...)
	}
	if group := k.byText[now.Parent]; len(group) > 1 && row == slices.Min(group) {
		affected = append(affected, group...)
	}
	if err := w.rejoin(k, affected); err != nil {
		return 0, err
	}
	return w.c.number("SELECT family FROM session WHERE id=?", row)
}

// childrenOf gives the sessions that name s as their parent.
func (k *kin) childrenOf(s *Session) []int64 {
	rows := slices.Clone(k.byID[s.ID.Native])
	rows = append(rows, k.byText[s.ID.Native]...)
	if s.Source != "" {
		rows = append(rows, k.byText[s.Source]...)
	}
	return rows
}

// rejoin finds the families of the sessions and of all below them again.
func (w *Writer) rejoin(k *kin, rows []int64) error {
	done := map[int64]bool{}
	for len(rows) > 0 {
		row := rows[len(rows)-1]
		rows = rows[:len(rows)-1]
		if done[row] {
			continue
		}
		done[row] = true
		s, err := w.c.sessionWhere("WHERE s.id=?", row)
		if err != nil {
			return err
		}
		if s == nil {
			continue
		}
		family, err := w.rootOf(k, s)
		if err != nil {
			return err
		}
		if family != s.Family {
			if err := w.moveFamily(row, s.Family, family); err != nil {
				return err
			}
		}
		rows = append(rows, k.childrenOf(s)...)
	}
	return nil
}

// rootOf walks up to the root. In a circle the lowest row is the root.
func (w *Writer) rootOf(k *kin, s *Session) (int64, error) {
	seen := []int64{}
	for at := s.Row; ; {
		if i := slices.Index(seen, at); i >= 0 {
			return slices.Min(seen[i:]), nil
		}
		seen = append(seen, at)
		parent := k.parent[at]
		if parent == "" {
			return at, nil
		}
		up, err := w.c.resolveParent(s.ID.Agent, parent)
		if err != nil {
			return 0, err
		}
		if up == 0 || up == at {
			return slices.Min(k.byText[parent]), nil
		}
		at = up
	}
}

// resolveParent gives the row of the session that a parent as logged means, 0
// for none.
func (c *conn) resolveParent(agent, parent string) (int64, error) {
	row, err := c.number("SELECT f.session FROM file f JOIN session s ON s.id=f.session WHERE f.path=? AND s.source=f.path", parent)
	if row != 0 || err != nil {
		return row, err
	}
	row, err = c.number("SELECT id FROM session WHERE agent=? AND native=?", agent, parent)
	if row != 0 || err != nil {
		return row, err
	}
	return c.number("SELECT id FROM session WHERE agent=? AND native=?", agent, parentID(parent))
}

// moveFamily puts a session into another family, with the twin hashes of its docs.
func (w *Writer) moveFamily(row, from, to int64) error {
	w.texts = familyTexts{}
	if err := w.c.run("UPDATE session SET family=? WHERE id=?", to, row); err != nil {
		return err
	}
	x := mixFamily(from) ^ mixFamily(to)
	// The engine has no exclusive or.
	return w.c.run(`UPDATE doc SET twin=(twin|?1)&~(twin&?1) WHERE id IN
		(SELECT d.id FROM segment g JOIN doc d ON d.id BETWEEN g.id<<24 AND g.id<<24|16777215 WHERE g.session=?2)`, x, row)
}

// ParentOf gives the session that s continues or forks, nil when it names none or
// the index does not have it.
func (db *DB) ParentOf(ctx context.Context, s lookback.Session) (found *Session, err error) {
	if s.Parent == "" {
		return nil, nil
	}
	err = db.read(ctx, func(c *conn) error {
		row, err := c.resolveParent(s.ID.Agent, s.Parent)
		if err == nil && row != 0 {
			found, err = c.sessionWhere("WHERE s.id=?", row)
		}
		return err
	})
	return found, err
}
