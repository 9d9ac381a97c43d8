package pi

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lookback"
)

// Places lists the files that may hold a session, each once, whatever the number
// of ways that lead to it. It opens folders and small settings files only. A folder
// that cannot be read gives a warning that names it, the rest is listed.
func (s *Source) Places(ctx context.Context) ([]lookback.Place, []lookback.Warning) {
	w := walk{ctx: ctx, dirs: map[identity]bool{}}
	d := &s.dirs
	if agent := d.AgentDir(); agent != "" {
		w.folder(filepath.Join(agent, "sessions"), 1)
		w.folder(agent, 0)
	}
	for _, dir := range append([]string{d.expand(d.Session)}, w.settled(d)...) {
		if dir != "" {
			w.folder(dir, 0)
		}
	}
	for _, dir := range d.Roots {
		dir = d.expand(dir)
		w.must(dir)
		w.folder(filepath.Join(dir, "sessions"), 1)
		w.folder(dir, 1)
	}
	for _, file := range d.Files {
		file = d.expand(file)
		w.must(file)
		w.file(file, "", false)
	}
	if agent := d.AgentDir(); agent != "" {
		w.subsessions(filepath.Join(agent, "pbot", "subagents"))
	}
	return w.places, w.warnings
}

// walk collects places.
type walk struct {
	ctx      context.Context
	places   []lookback.Place
	warnings []lookback.Warning
	dirs     map[identity]bool
	ids      []identity       // of places
	files    map[identity]int // index in places; made when a file may come twice
}

// fault reports what cannot be read. What is not there is no fault: Pi makes its
// folders when it needs them, and a session file it has reserved may never come.
func (w *walk) fault(path string, err error) {
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	w.warnings = append(w.warnings, lookback.Warning{Kind: lookback.Unreadable, File: path, Count: 1, Detail: err.Error()})
}

// must reports a place that a person named and that is not there.
func (w *walk) must(path string) {
	if _, _, err := statPath(path); errors.Is(err, fs.ErrNotExist) {
		w.warnings = append(w.warnings, lookback.Warning{Kind: lookback.Unreadable, File: path, Count: 1, Detail: "does not exist"})
	}
}

// folder lists the session files of dir and, depth levels down, those of the
// folders in it. Every folder is read once, so loops of links end.
func (w *walk) folder(dir string, depth int) {
	st, typ, err := statPath(dir)
	if err != nil {
		w.fault(dir, err)
		return
	}
	if typ != folder || w.dirs[identify(dir, st)] || w.ctx.Err() != nil {
		return
	}
	w.dirs[identify(dir, st)] = true
	files, links, folders, err := names(dir)
	if err != nil {
		w.fault(dir, err)
	}
	for _, name := range files {
		w.file(dir+string(filepath.Separator)+name, "", true)
	}
	for _, name := range links {
		w.file(filepath.Join(dir, name), "", false)
	}
	if depth == 0 {
		return
	}
	for _, name := range folders {
		w.folder(filepath.Join(dir, name), depth-1)
	}
}

// names returns the session files of a folder, those that are links, and what may
// be folders in it, all sorted. What came before an error is returned with it.
func names(dir string) (files, links, folders []string, err error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, nil, nil, err
	}
	defer f.Close()
	list, err := f.ReadDir(-1)
	for _, e := range list {
		name, link := e.Name(), e.Type()&fs.ModeSymlink != 0
		switch session := strings.HasSuffix(name, ".jsonl"); {
		case e.IsDir():
			folders = append(folders, name)
		case session && link:
			links = append(links, name)
		case session:
			files = append(files, name)
		case link:
			folders = append(folders, name)
		}
	}
	slices.Sort(files)
	slices.Sort(links)
	slices.Sort(folders)
	return files, links, folders, err
}

// file adds a session file, or its workspace to one that is listed already. alone
// means that no other way than its one name in a folder read once leads to it.
func (w *walk) file(path, workspace string, alone bool) {
	st, typ, err := statPath(path)
	if err != nil {
		w.fault(path, err)
		return
	}
	if typ < regular {
		return
	}
	id := identify(path, st)
	if !alone || typ == linked || w.files != nil {
		if i, ok := w.listed(id); ok {
			if w.places[i].Workspace == "" {
				w.places[i].Workspace = workspace
			}
			return
		}
	}
	if w.files != nil {
		w.files[id] = len(w.places)
	}
	p := st.place(path)
	p.Workspace = workspace
	w.places = append(w.places, p)
	w.ids = append(w.ids, id)
}

// listed finds the place of a file. The map for it is made on first use: most
// walks see every file by one way only.
func (w *walk) listed(id identity) (int, bool) {
	if w.files == nil {
		w.files = make(map[identity]int, len(w.ids))
		for i, id := range w.ids {
			w.files[id] = i
		}
	}
	i, ok := w.files[id]
	return i, ok
}

// subsessions adds the files of managed sub-sessions, which personal-bot keeps
// beside Pi's sessions: each has a folder with a reference to its file and records
// of its own, one of which names the workspace.
func (w *walk) subsessions(dir string) {
	_, _, folders, err := names(dir)
	if err != nil {
		w.fault(dir, err)
	}
	for _, name := range folders {
		sub := filepath.Join(dir, name)
		var ref struct {
			File *string `json:"file"`
		}
		if w.ctx.Err() != nil || !w.readJSON(filepath.Join(sub, refName), &ref) {
			continue
		}
		if ref.File != nil && filepath.IsAbs(*ref.File) {
			w.file(*ref.File, w.workspaceIn(sub), false)
		}
	}
}

const refName = "session-ref.json"

// workspaceIn finds the record beside a reference that names a workspace.
func (w *walk) workspaceIn(dir string) string {
	list, err := os.ReadDir(dir)
	if err != nil {
		w.fault(dir, err)
	}
	for _, e := range list {
		if e.Name() == refName || filepath.Ext(e.Name()) != ".json" {
			continue
		}
		var rec map[string]any
		if !w.readJSON(filepath.Join(dir, e.Name()), &rec) {
			continue
		}
		if ws, ok := rec["workspace"].(string); ok && ws != "" {
			return ws
		}
	}
	return ""
}
