package pi

import (
	"context"
	"path/filepath"
	"strings"

	"lookback"
)

// Near lists the places that sessions of the workspace at root may have: those in
// the given folders, in the folders that Pi names after root and what lies below
// it, in the flat folders that the environment and settings name, and of managed
// sub-sessions of the workspace. It looks at a file only if want says so. What it
// leaves out, a session file in a folder named after another directory, Places has.
func (s *Source) Near(ctx context.Context, root string, folders []string, want func(path string) bool) ([]lookback.Place, []lookback.Warning) {
	w := walk{ctx: ctx, dirs: map[identity]bool{}}
	d := s.dirs
	d.Workspaces = append([]string{root}, d.Workspaces...)
	for _, dir := range folders {
		w.wanted(dir, want)
	}
	agent := d.AgentDir()
	if agent != "" {
		for _, dir := range foldersFor(filepath.Join(agent, "sessions"), root) {
			w.wanted(dir, want)
		}
	}
	for _, dir := range append([]string{d.expand(d.Session)}, w.settled(&d)...) {
		if dir != "" {
			w.wanted(dir, want)
		}
	}
	for _, dir := range d.Roots {
		dir = d.expand(dir)
		w.wanted(dir, want)
		for _, dir := range append(foldersFor(dir, root), foldersFor(filepath.Join(dir, "sessions"), root)...) {
			w.wanted(dir, want)
		}
	}
	for _, file := range d.Files {
		if file = d.expand(file); want(file) {
			w.file(file, "", false)
		}
	}
	if agent != "" {
		w.subsessionsOf(filepath.Join(agent, "pbot", "subagents"), root)
	}
	return w.places, w.warnings
}

// wanted lists the session files of one folder that want lets pass.
func (w *walk) wanted(dir string, want func(string) bool) {
	st, typ, err := statPath(dir)
	if err != nil {
		w.fault(dir, err)
		return
	}
	if typ != folder || w.dirs[identify(dir, st)] || w.ctx.Err() != nil {
		return
	}
	w.dirs[identify(dir, st)] = true
	files, links, _, err := names(dir)
	if err != nil {
		w.fault(dir, err)
	}
	for _, name := range files {
		if path := dir + string(filepath.Separator) + name; want(path) {
			w.file(path, "", false)
		}
	}
	for _, name := range links {
		if path := filepath.Join(dir, name); want(path) {
			w.file(path, "", false)
		}
	}
}

// foldersFor lists the folders below sessions that Pi names after root or after a
// directory below it. The names are not unique, so some may be another's.
func foldersFor(sessions, root string) []string {
	_, _, folders, err := names(sessions)
	if err != nil {
		return nil // the full walk reports what cannot be read
	}
	name := "--" + folderName(root)
	var out []string
	for _, f := range folders {
		if f == name+"--" || strings.HasPrefix(f, name+"-") {
			out = append(out, filepath.Join(sessions, f))
		}
	}
	return out
}

// folderName is how Pi writes a working directory in the name of a folder.
func folderName(cwd string) string {
	cwd = strings.TrimLeft(cwd[:min(1, len(cwd))], `/\`) + cwd[min(1, len(cwd)):]
	return strings.NewReplacer("/", "-", `\`, "-", ":", "-").Replace(cwd)
}

// subsessionsOf adds the files of managed sub-sessions of one workspace.
func (w *walk) subsessionsOf(dir, root string) {
	other := walk{ctx: w.ctx, dirs: map[identity]bool{}}
	other.subsessions(dir)
	for _, p := range other.places {
		if p.Workspace == root {
			w.file(p.Path, p.Workspace, false)
		}
	}
}
