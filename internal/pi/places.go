package pi

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"lookback"
)

// Dirs says where to look for session files. All paths are absolute but for a
// leading ~, which stands for Home. Folders that Pi makes by itself may be
// missing; Roots and Files that are missing are reported.
type Dirs struct {
	Home       string   // the user's home folder
	Agent      string   // Pi's own folder, else .pi/agent in Home
	Session    string   // folder that the environment sets for sessions, flat
	Workspaces []string // known workspaces, for the session folder their .pi/settings.json names
	Roots      []string // further folders: flat ones, or laid out like Pi's sessions or agent folder
	Files      []string // further session files
}

// EnvDirs returns the places that Pi would use in this environment.
func EnvDirs(getenv func(string) string, home string) Dirs {
	return Dirs{Home: home, Agent: getenv("PI_CODING_AGENT_DIR"), Session: getenv("PI_CODING_AGENT_SESSION_DIR")}
}

// AgentDir is the folder in which Pi keeps its settings and sessions; "" when nothing
// says where that is.
func (d *Dirs) AgentDir() string {
	if d.Agent == "" && d.Home != "" {
		return filepath.Join(d.Home, ".pi", "agent")
	}
	return d.expand(d.Agent)
}

func (d *Dirs) expand(path string) string {
	if path == "~" || strings.HasPrefix(path, "~/") || strings.HasPrefix(path, `~\`) {
		return filepath.Join(d.Home, path[1:])
	}
	return path
}

// Places lists the files that may hold a session, each once, whatever the number
// of ways that lead to it. It opens folders and small settings files only, those of
// the given workspaces among them. A folder that cannot be read gives a warning that
// names it, the rest is listed.
func (s *Source) Places(ctx context.Context, workspaces ...string) ([]lookback.Place, []lookback.Warning) {
	w := newWalk(ctx)
	d := s.dirs
	d.Workspaces = append(workspaces, d.Workspaces...)
	if agent := d.AgentDir(); agent != "" {
		w.folder(filepath.Join(agent, "sessions"), 1)
		w.folder(agent, 0)
	}
	for _, dir := range w.flat(&d) {
		w.folder(dir, 0)
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
		w.file(file, "")
	}
	w.subsessions(&d, "")
	return w.places, w.warnings
}

// walk collects places.
type walk struct {
	ctx      context.Context
	want     func(path string) bool // which files to look at; nil for all
	places   []lookback.Place
	warnings []lookback.Warning
	dirs     map[identity]bool
	files    map[identity]int // index in places
}

func newWalk(ctx context.Context) *walk {
	return &walk{ctx: ctx, dirs: map[identity]bool{}, files: map[identity]int{}}
}

// fault reports what cannot be read. What is not there is no fault: Pi makes its
// folders when it needs them, and a session file it has reserved may never come.
func (w *walk) fault(path string, err error) {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return
	}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	w.warn(path, err.Error())
}

func (w *walk) warn(path, detail string) {
	w.warnings = append(w.warnings, lookback.Warning{Kind: lookback.Unreadable, File: path, Count: 1, Detail: detail})
}

// must reports a place that a person named and that is not there.
func (w *walk) must(path string) {
	if _, _, err := statPath(path); errors.Is(err, fs.ErrNotExist) {
		w.warn(path, "does not exist")
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
	for _, name := range w.names(dir) {
		path := dir + string(filepath.Separator) + name
		if strings.HasSuffix(name, ".jsonl") {
			w.file(path, "")
		} else if depth > 0 {
			w.folder(path, depth-1)
		}
	}
}

// names returns what is in a folder, sorted. What came before an error counts.
func (w *walk) names(dir string) []string {
	f, err := os.Open(dir)
	if err != nil {
		w.fault(dir, err)
		return nil
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	if err != nil {
		w.fault(dir, err)
	}
	slices.Sort(names)
	return names
}

// file adds a session file, or its workspace to one that is listed already.
func (w *walk) file(path, workspace string) {
	if w.want != nil && !w.want(path) {
		return
	}
	st, typ, err := statPath(path)
	if err != nil {
		w.fault(path, err)
	}
	if typ != regular {
		return
	}
	id := identify(path, st)
	if i, ok := w.files[id]; ok {
		if w.places[i].Workspace == "" {
			w.places[i].Workspace = workspace
		}
		return
	}
	w.files[id] = len(w.places)
	p := st.place(path)
	p.Workspace = workspace
	w.places = append(w.places, p)
}

const refName = "session-ref.json"

// subsessions adds the files of managed sub-sessions, which personal-bot keeps
// beside Pi's sessions: each has a folder with a reference to its file and records
// of its own, one of which names the workspace. Unless only is empty, those of
// other workspaces are left out.
func (w *walk) subsessions(d *Dirs, only string) {
	agent := d.AgentDir()
	if agent == "" {
		return
	}
	dir := filepath.Join(agent, "pbot", "subagents")
	for _, name := range w.names(dir) {
		sub := filepath.Join(dir, name)
		var ref struct{ File *string }
		if w.ctx.Err() != nil || !w.readJSON(filepath.Join(sub, refName), &ref) || ref.File == nil || !filepath.IsAbs(*ref.File) {
			continue
		}
		if ws := w.workspaceIn(sub); only == "" || ws == only {
			w.file(*ref.File, ws)
		}
	}
}

// workspaceIn finds the record beside a reference that names a workspace.
func (w *walk) workspaceIn(dir string) string {
	for _, name := range w.names(dir) {
		var rec map[string]any
		if name == refName || filepath.Ext(name) != ".json" || !w.readJSON(filepath.Join(dir, name), &rec) {
			continue
		}
		if ws, ok := rec["workspace"].(string); ok && ws != "" {
			return ws
		}
	}
	return ""
}

// flat returns the session folders that the environment and settings files name. A
// relative one starts from the working directory, so that of Pi's own settings
// means one folder in each workspace.
func (w *walk) flat(d *Dirs) (out []string) {
	add := func(dir string, bases ...string) {
		dir = d.expand(dir)
		if filepath.IsAbs(dir) {
			out = append(out, dir)
		} else if dir != "" {
			for _, base := range bases {
				out = append(out, filepath.Join(base, dir))
			}
		}
	}
	add(d.Session, "")
	if agent := d.AgentDir(); agent != "" {
		add(w.setting(filepath.Join(agent, "settings.json")), d.Workspaces...)
	}
	for _, ws := range d.Workspaces {
		add(w.setting(filepath.Join(ws, ".pi", "settings.json")), ws)
	}
	return out
}

// setting reads sessionDir from a settings file, which need not exist.
func (w *walk) setting(path string) string {
	var v struct {
		SessionDir json.RawMessage `json:"sessionDir"`
	}
	if !w.readJSON(path, &v) {
		return ""
	}
	var dir string
	_ = json.Unmarshal(v.SessionDir, &dir) // a value that is no string sets nothing
	return dir
}

// maxSmall bounds the settings and records that are read whole.
const maxSmall = 1 << 20

// readJSON reads a small JSON file; false when there is none or it is no use.
func (w *walk) readJSON(path string, v any) bool {
	st, typ, err := statPath(path)
	if err != nil {
		w.fault(path, err)
		return false
	}
	if typ != regular || st.Size > maxSmall {
		return false
	}
	b, err := os.ReadFile(path)
	if err != nil {
		w.fault(path, err)
		return false
	}
	if err := json.Unmarshal(b, v); err != nil {
		w.warn(path, "not JSON of the expected form")
		return false
	}
	return true
}
