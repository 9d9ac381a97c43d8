package ingest

import (
	"context"
	"os"
	"path/filepath"

	"lookback"
	"lookback/internal/archive"
)

// workspaceArchive is where a workspace keeps its archive, below its root.
const workspaceArchive = ".pi/pbot/history"

// HasArchive reports whether the workspace at root keeps its own archive.
func HasArchive(root string) bool { return archive.InWorkspace(root).Exists() }

// WorkspaceOf is the root of the workspace whose archive is dir.
func WorkspaceOf(dir string) string { return filepath.Dir(filepath.Dir(filepath.Dir(dir))) }

// homes finds the archive that a session's record belongs to: that of the
// deepest directory at or above its working directory that has one, else the
// user's. It holds the lock of every archive it writes to until it is closed.
type homes struct {
	user  string
	roots map[string]string // working directory → workspace root, "" for none
	open  map[string]*home
}

// home is one archive in use.
type home struct {
	*archive.Archive
	root  string // of the workspace, "" for the user's archive
	w     *archive.Writer
	heads map[lookback.SessionID][]string // record ids, when they had to be looked up
	saved []savedRecord
}

type savedRecord struct {
	id      string
	session lookback.SessionID
}

func newHomes(user string) *homes {
	return &homes{user: user, roots: map[string]string{}, open: map[string]*home{}}
}

// root is the workspace whose archive holds what ran in cwd, "" for none.
func (h *homes) root(cwd string) string {
	if !filepath.IsAbs(cwd) {
		return ""
	}
	r, ok := h.roots[cwd]
	if ok {
		return r
	}
	if info, err := os.Lstat(filepath.Join(cwd, workspaceArchive)); err == nil && info.IsDir() {
		r = cwd
	} else if up := filepath.Dir(cwd); up != cwd {
		r = h.root(up)
	}
	h.roots[cwd] = r
	return r
}

// dir is the archive directory for what ran in cwd; "" when none is kept.
func (h *homes) dir(cwd string) string {
	if r := h.root(cwd); r != "" {
		return filepath.Join(r, workspaceArchive)
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

// find loads the record of a session, nil when there is none. hint is the record
// id it had last time.
func (o *home) find(id lookback.SessionID, hint string) (*archive.Record, error) {
	if hint != "" {
		if r, err := o.Load(hint); err == nil && r.Session == id {
			return r, nil
		}
	}
	if o.heads == nil {
		o.heads = map[lookback.SessionID][]string{}
		for head := range o.Heads() {
			if head != nil {
				o.heads[head.Session] = append(o.heads[head.Session], head.ID)
			}
		}
	}
	var best *archive.Record
	var fault error
	for _, name := range o.heads[id] {
		r, err := o.Load(name)
		if err != nil {
			fault = err
			continue
		}
		best = archive.Prefer(best, r)
	}
	return best, fault
}

// save writes a record, taking the archive's lock first.
func (o *home) save(ctx context.Context, r *archive.Record) (bool, error) {
	if o.w == nil {
		w, err := o.Lock(ctx)
		if err != nil {
			return false, err
		}
		o.w = w
	}
	changed, err := o.w.Save(r)
	if err == nil {
		o.note(r)
		if o.heads != nil && len(o.heads[r.Session]) == 0 {
			o.heads[r.Session] = []string{r.ID}
		}
	}
	return changed, err
}

// note remembers that the index has seen the record as it stands.
func (o *home) note(r *archive.Record) {
	o.saved = append(o.saved, savedRecord{r.ID, r.Session})
}

// flush makes everything saved so far visible and gives the locks back.
func (h *homes) flush() error {
	var first error
	for _, o := range h.open {
		if o.w == nil {
			continue
		}
		if err := o.w.Close(); err != nil && first == nil {
			first = err
		}
		o.w = nil
	}
	return first
}
