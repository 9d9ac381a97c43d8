package index

import (
	"context"
	"strconv"
	"strings"

	"github.com/ncruces/go-sqlite3"

	"lookback"
)

// Put makes u the state of its session. Only what differs from the state before
// is written: entries from u.From on, docs whose words changed, rows whose times,
// flags or parents did. Row and Family of u.Session are ignored. ErrTooLong, which
// changes nothing, means that the session cannot be indexed.
func (w *Writer) Put(ctx context.Context, u Update) error {
	if len(u.Entries) > maxSeq {
		return ErrTooLong
	}
	return w.change(ctx, func() error { return w.put(&u) })
}

func (w *Writer) put(u *Update) error {
	p := putting{w: w, u: u}
	for _, step := range []func() error{p.begin, p.entries, p.docs, p.end} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// putting is one Put under way.
type putting struct {
	w       *Writer
	u       *Update
	row     int64
	old     *Session // as the index had it, nil for a new one
	had     []lookback.Entry
	was, is *layout
	summary int64 // segment of the summaries
	dir     int64
	homes   string // as in session.homes
	family  int64
}

func (p *putting) begin() (err error) {
	w, id := p.w, p.u.Session.ID
	if p.old, err = w.c.sessionWhere("WHERE s.agent=? AND s.native=?", id.Agent, id.Native); err != nil {
		return err
	}
	if err := p.directories(); err != nil {
		return err
	}
	p.was = &layout{}
	if p.old == nil {
		w.session++
		p.row = w.session
	} else {
		p.row = p.old.Row
		if p.had, p.was.ids, err = w.c.skeleton(p.row); err != nil {
			return err
		}
		p.was.runs, p.was.on = segmentation(p.had)
		if len(p.was.runs) != len(p.was.ids) {
			return errSkeleton
		}
	}
	if err := p.upsert(); err != nil {
		return err
	}
	if p.u.File != nil { // before relate, which finds parents by their path
		if err := w.setFile(*p.u.File, p.row, p.u.Warnings); err != nil {
			return err
		}
	}
	if p.family, err = w.relate(p.row, p.old, &p.u.Session); err != nil {
		return err
	}
	if p.summary, err = w.summaries(p.row); err != nil {
		return err
	}
	p.is, err = w.arrange(p.row, p.u.Entries, p.was)
	return err
}

func (p *putting) directories() (err error) {
	agent := p.u.Session.ID.Agent
	if p.dir, err = p.w.dir(agent, p.u.Session.Cwd); err != nil {
		return err
	}
	var b strings.Builder
	for _, home := range p.u.Homes {
		id, err := p.w.dir(agent, home)
		if err != nil {
			return err
		}
		if id == p.dir || strings.Contains(b.String(), " "+strconv.FormatInt(id, 10)+" ") {
			continue
		}
		if b.Len() == 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strconv.FormatInt(id, 10))
		b.WriteByte(' ')
	}
	p.homes = b.String()
	return nil
}

type dirKey struct{ agent, path string }

// dir gives the dir.id of a directory, making it for a new one.
func (w *Writer) dir(agent, path string) (int64, error) {
	key := dirKey{agent, path}
	if id := w.dirs[key]; id != 0 {
		return id, nil
	}
	if err := w.c.run("INSERT OR IGNORE INTO dir(agent, path) VALUES (?, ?)", agent, path); err != nil {
		return 0, err
	}
	id, err := w.c.number("SELECT id FROM dir WHERE agent=? AND path=?", agent, path)
	if w.dirs == nil {
		w.dirs = map[dirKey]int64{}
	}
	w.dirs[key] = id
	return id, err
}

// upsert writes the session's own row. The family is set by relate.
func (p *putting) upsert() error {
	s := &p.u.Session
	family := p.row
	if p.old != nil {
		family = p.old.Family
	}
	return p.w.c.run(`INSERT INTO session(id, agent, native, dir, homes, archive, record, source, gone, name, named, version, aged,
			parent, family, started, first, last, entries, exchanges, pending)
		VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)
		ON CONFLICT(id) DO UPDATE SET dir=excluded.dir, homes=excluded.homes, archive=excluded.archive, record=excluded.record,
			source=excluded.source, gone=excluded.gone, name=excluded.name, named=excluded.named, version=excluded.version,
			aged=excluded.aged, parent=excluded.parent, started=excluded.started, first=excluded.first, last=excluded.last,
			entries=excluded.entries, exchanges=excluded.exchanges, pending=excluded.pending`,
		p.row, s.ID.Agent, s.ID.Native, p.dir, p.homes, s.Archive, s.Record, s.Source, flag(s.Gone), s.Name, flag(s.Named), s.Version, s.Aged,
		s.Parent, family, millis(s.Started), millis(s.First), millis(s.Last), s.Entries, s.Exchanges, s.Pending)
}

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

// end writes what belongs to the session besides its entries and docs.
func (p *putting) end() error {
	w, u := p.w, p.u
	skeleton := encodeSkeleton(u.Entries, p.is.ids)
	var same bool
	err := w.c.query("SELECT skeleton=? FROM log WHERE session=?", func(s *sqlite3.Stmt) error {
		same = s.ColumnBool(0)
		return nil
	}, skeleton, p.row)
	if err == nil && !same {
		err = w.c.run("INSERT OR REPLACE INTO log(session, skeleton) VALUES (?, ?)", p.row, skeleton)
	}
	if err == nil && u.Session.Record != "" {
		err = w.c.run("UPDATE record SET session=? WHERE dir=? AND id=? AND session<>?", p.row, u.Session.Archive, u.Session.Record, p.row)
	}
	return err
}
