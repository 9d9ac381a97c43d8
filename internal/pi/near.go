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
	w := newWalk(ctx)
	w.want = want
	d := s.dirs
	d.Workspaces = append([]string{root}, d.Workspaces...)
	for _, dir := range folders {
		w.folder(dir, 0)
	}
	if agent := d.AgentDir(); agent != "" {
		w.foldersFor(filepath.Join(agent, "sessions"), root)
	}
	for _, dir := range w.flat(&d) {
		w.folder(dir, 0)
	}
	for _, dir := range d.Roots {
		dir = d.expand(dir)
		w.folder(dir, 0)
		w.foldersFor(dir, root)
		w.foldersFor(filepath.Join(dir, "sessions"), root)
	}
	for _, file := range d.Files {
		w.file(d.expand(file), "")
	}
	w.want = nil
	w.subsessions(&d, root)
	return w.places, w.warnings
}

// foldersFor lists the session files in the folders below sessions that Pi names
// after root or after a directory below it. The names are not unique, so some may
// be another's.
func (w *walk) foldersFor(sessions, root string) {
	name := "--" + folderName(root)
	for _, f := range w.names(sessions) {
		if f == name+"--" || strings.HasPrefix(f, name+"-") {
			w.folder(filepath.Join(sessions, f), 0)
		}
	}
}

// folderName is how Pi writes a working directory in the name of a folder.
func folderName(cwd string) string {
	cwd = strings.TrimLeft(cwd[:min(1, len(cwd))], `/\`) + cwd[min(1, len(cwd)):]
	return strings.NewReplacer("/", "-", `\`, "-", ":", "-").Replace(cwd)
}
