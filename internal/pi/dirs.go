package pi

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

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
	if d.Agent != "" {
		return d.expand(d.Agent)
	}
	if d.Home == "" {
		return ""
	}
	return filepath.Join(d.Home, ".pi", "agent")
}

func (d *Dirs) expand(path string) string {
	if path == "~" || strings.HasPrefix(path, "~/") || strings.HasPrefix(path, `~\`) {
		return filepath.Join(d.Home, path[1:])
	}
	return path
}

// settled returns the session folders that settings files name. A relative one
// starts from the working directory, so it means one folder in each workspace.
func (w *walk) settled(d *Dirs) []string {
	var out []string
	if agent := d.AgentDir(); agent != "" {
		dir := w.setting(filepath.Join(agent, "settings.json"))
		dir = d.expand(dir)
		if filepath.IsAbs(dir) {
			out = append(out, dir)
		} else if dir != "" {
			for _, ws := range d.Workspaces {
				out = append(out, filepath.Join(ws, dir))
			}
		}
	}
	for _, ws := range d.Workspaces {
		dir := d.expand(w.setting(filepath.Join(ws, ".pi", "settings.json")))
		if dir != "" && !filepath.IsAbs(dir) {
			dir = filepath.Join(ws, dir)
		}
		if dir != "" {
			out = append(out, dir)
		}
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
	if typ < regular || st.Size > maxSmall {
		return false
	}
	b, err := os.ReadFile(path)
	if err != nil {
		w.fault(path, err)
		return false
	}
	if err := json.Unmarshal(b, v); err != nil {
		w.warnings = append(w.warnings, lookback.Warning{
			Kind: lookback.Unreadable, File: path, Count: 1, Detail: "not JSON of the expected form",
		})
		return false
	}
	return true
}
