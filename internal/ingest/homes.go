package ingest

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"lookback"
	"lookback/internal/archive"
)

// below is where a workspace keeps its archive, under its root.
var below = strings.Split(lookback.WorkspaceArchive, "/")

// HasArchive reports whether the workspace at root keeps its own archive. One
// that is reached through a link below root does not count, since nothing is
// ever written through a link.
func HasArchive(root string) bool {
	at := root
	for _, name := range below {
		at = filepath.Join(at, name)
		if info, err := os.Lstat(at); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}

// WorkspaceOf is the root of the workspace whose archive is dir.
func WorkspaceOf(dir string) string { return filepath.Dir(filepath.Dir(filepath.Dir(dir))) }

// homes finds the archive that a session's record belongs to: that of the
// deepest directory at or above its working directory that has one, else the
// user's.
type homes struct {
	user  string
	roots map[string]string   // working directory → workspace root, "" for none
	names map[string][]string // workspace root → its names in logs, which may lead through links
	open  map[string]*home
}

func newHomes(user string) *homes {
	return &homes{user: user, roots: map[string]string{}, names: map[string][]string{}, open: map[string]*home{}}
}

// root is the workspace whose archive holds what ran in cwd, "" for none. A
// directory known by several names has one archive, so it has one root.
func (h *homes) root(cwd string) string {
	if !filepath.IsAbs(cwd) {
		return ""
	}
	r, ok := h.roots[cwd]
	if ok {
		return r
	}
	if HasArchive(cwd) {
		r = cwd
		if real, err := filepath.EvalSymlinks(cwd); err == nil {
			r = real
		}
		h.names[r] = append(h.names[r], cwd)
	} else if up := filepath.Dir(cwd); up != cwd {
		r = h.root(up)
	}
	h.roots[cwd] = r
	return r
}

// RootOf is the root of the workspace whose archive holds what ran in dir, "" for
// none.
func RootOf(dir string) string { return newHomes("").root(dir) }

// dir is the archive directory for what ran in cwd; "" when none is kept.
func (h *homes) dir(cwd string) string {
	if r := h.root(cwd); r != "" {
		return archive.InWorkspace(r).Dir()
	}
	return h.user
}

// at opens the archive in dir, once.
func (h *homes) at(dir string) *home {
	o := h.open[dir]
	if o == nil {
		o = &home{}
		if dir == h.user {
			o.Archive = archive.Open(dir)
		} else {
			o.root = WorkspaceOf(dir)
			o.Archive = archive.InWorkspace(o.root)
		}
		h.open[dir] = o
	}
	return o
}

// forgotten reports whether a person had the session removed. The user's archive
// remembers that of every session.
func (h *homes) forgotten(id lookback.SessionID) bool {
	return h.user != "" && h.at(h.user).Forgotten(id)
}

// home is one archive in use. It holds the archive's lock from the first write to
// the next flush.
type home struct {
	*archive.Archive
	root  string // of the workspace, "" for the user's archive
	w     *archive.Writer
	heads map[lookback.SessionID][]string // record ids, when they had to be looked up
	looks map[string]string               // record id → its stamp before it was loaded
	saved []savedRecord                   // to be noted in the index once they are in place
	fault error                           // keeps records from being written; said once

	unsure  []lookback.SessionID // sessions with two records here
	welcome bool                 // see syncer.welcome

	held  map[string]bool // names of its files when the lock was taken
	noted string          // stamp of the directory that the index has
	seen  string          // the latest stamp as of which the index knows all that is in it
}

type savedRecord struct {
	id      string
	session lookback.SessionID
	stamp   string // "" when it was written just now
}

// find loads the record of a session, nil when there is none. hint is the record
// id it had last time.
func (o *home) find(id lookback.SessionID, hint string) (*archive.Record, error) {
	if hint != "" && !slices.Contains(o.unsure, id) {
		if r, err := o.load(hint); err == nil && r.Session == id {
			return r, nil
		}
	}
	var best *archive.Record
	var fault error
	for _, name := range o.sessions()[id] {
		r, err := o.load(name)
		if err != nil {
			fault = err
			continue
		}
		best = archive.Prefer(best, r)
	}
	return best, fault
}

// sessions gives the ids of the records that an archive holds, by session.
func (o *home) sessions() map[lookback.SessionID][]string {
	if o.heads == nil {
		o.heads = map[lookback.SessionID][]string{}
		for head := range o.Heads() {
			if head != nil {
				o.heads[head.Session] = append(o.heads[head.Session], head.ID)
			}
		}
	}
	return o.heads
}

// load loads a record and remembers how its file looked before, so that what
// another program writes from then on is noticed.
func (o *home) load(id string) (*archive.Record, error) {
	if o.looks == nil {
		o.looks = map[string]string{}
	}
	o.looks[id] = o.look(id)
	return o.Load(id)
}

// path is where a record lies.
func (o *home) path(id string) string { return filepath.Join(o.Dir(), id+".json") }

// look is the stamp of a record's file, "" for none.
func (o *home) look(id string) string {
	info, err := os.Lstat(o.path(id))
	if err != nil {
		return ""
	}
	return recordStamp(info.Size(), info.ModTime().UnixNano())
}

func recordStamp(size, mtime int64) string {
	return strconv.FormatInt(size, 36) + "." + strconv.FormatInt(mtime, 36)
}

// stamp tells whether records were added, replaced or removed: "" when there is
// no directory.
func (o *home) stamp() string {
	t := o.Changed()
	if t.IsZero() {
		return ""
	}
	return strconv.FormatInt(t.UnixNano(), 36)
}

// names lists the files of the archive.
func (o *home) names() map[string]bool {
	items, _ := os.ReadDir(o.Dir()) // what cannot be read now is found by the next sync
	names := make(map[string]bool, len(items))
	for _, item := range items {
		names[item.Name()] = true
	}
	return names
}

// joined reports whether records came in since the lock was taken that are not
// among those saved: a person who copies some in takes no lock.
func (o *home) joined(saved []savedRecord) bool {
	names := o.names()
	for _, r := range saved {
		delete(names, r.id+".json")
	}
	for name := range names {
		if !o.held[name] && filepath.Ext(name) == ".json" {
			return true
		}
	}
	return false
}

// wrote notes that a record was written.
func (o *home) wrote(r *archive.Record) {
	o.saved = append(o.saved, savedRecord{id: r.ID, session: r.Session})
	if o.heads != nil && !slices.Contains(o.heads[r.Session], r.ID) {
		o.heads[r.Session] = append(o.heads[r.Session], r.ID)
	}
}

// kept notes that a record needed no writing.
func (o *home) kept(r *archive.Record) {
	o.saved = append(o.saved, savedRecord{r.ID, r.Session, o.looks[r.ID]})
}
