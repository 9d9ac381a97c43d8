package pi

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lookback"
	"lookback/internal/testkit"
)

// home is a made home folder.
type home struct {
	t   testing.TB
	dir string
}

func newHome(t testing.TB) home { return home{t, t.TempDir()} }

func (h home) path(name string) string { return filepath.Join(h.dir, filepath.FromSlash(name)) }

func (h home) write(name, text string) { testkit.WriteFile(h.t, h.path(name), text) }

func (h home) link(to, name string) {
	h.t.Helper()
	if err := os.MkdirAll(filepath.Dir(h.path(name)), 0o700); err != nil {
		h.t.Fatal(err)
	}
	if err := os.Symlink(to, h.path(name)); err != nil {
		h.t.Skipf("no links here: %v", err)
	}
}

// places lists them relative to the home folder, sorted.
func (h home) places(d Dirs) ([]string, []lookback.Warning) {
	h.t.Helper()
	list, warnings := New(d).Places(context.Background())
	var out []string
	for _, p := range list {
		name, err := filepath.Rel(h.dir, p.Path)
		if err != nil || p.Stamp == "" {
			h.t.Fatalf("place %+v: %v", p, err)
		}
		name = filepath.ToSlash(name)
		if p.Workspace != "" {
			name += " of " + p.Workspace
		}
		out = append(out, name)
	}
	slices.Sort(out)
	return out, warnings
}

func TestPlaces(t *testing.T) {
	h := newHome(t)
	for _, name := range []string{
		".pi/agent/sessions/--srv-a--/one.jsonl", ".pi/agent/sessions/--srv-a--/notes.txt", ".pi/agent/sessions/--srv-a--/deep/no.jsonl",
		".pi/agent/sessions/--srv-b--/two.jsonl", ".pi/agent/old.jsonl", ".pi/agent/extensions/no.jsonl",
		"flat/three.jsonl", "flat/deep/no.jsonl", "other/sessions/--srv-c--/four.jsonl", "other/five.jsonl",
		"set/six.jsonl", "ws/relative/seven.jsonl", "ws/global/eight.jsonl", "lone/nine.jsonl", "moved/--srv-d--/ten.jsonl",
	} {
		h.write(name, head+"\n")
	}
	base := []string{".pi/agent/old.jsonl", ".pi/agent/sessions/--srv-a--/one.jsonl", ".pi/agent/sessions/--srv-b--/two.jsonl"}
	tests := map[string]struct {
		dirs     Dirs
		settings map[string]string
		more     []string
	}{
		"default":                 {Dirs{}, nil, nil},
		"session folder":          {Dirs{Session: "~/flat"}, nil, []string{"flat/three.jsonl"}},
		"session folder, missing": {Dirs{Session: h.path("none")}, nil, nil},
		"root like an agent's":    {Dirs{Roots: []string{h.path("other")}}, nil, []string{"other/five.jsonl", "other/sessions/--srv-c--/four.jsonl"}},
		"root like sessions":      {Dirs{Roots: []string{h.path("moved")}}, nil, []string{"moved/--srv-d--/ten.jsonl"}},
		"file":                    {Dirs{Files: []string{h.path("lone/nine.jsonl")}}, nil, []string{"lone/nine.jsonl"}},
		"file that is listed":     {Dirs{Files: []string{h.path(".pi/agent/old.jsonl")}}, nil, nil},
		"global setting":          {Dirs{}, map[string]string{".pi/agent/settings.json": h.path("set")}, []string{"set/six.jsonl"}},
		"global setting, home":    {Dirs{}, map[string]string{".pi/agent/settings.json": "~/set"}, []string{"set/six.jsonl"}},
		"global setting, relative": {Dirs{Workspaces: []string{h.path("ws")}}, map[string]string{".pi/agent/settings.json": "global"},
			[]string{"ws/global/eight.jsonl"}},
		"project setting": {Dirs{Workspaces: []string{h.path("ws"), h.path("none")}}, map[string]string{"ws/.pi/settings.json": "relative"},
			[]string{"ws/relative/seven.jsonl"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			for file, dir := range tt.settings {
				h.write(file, `{"theme":"dark","sessionDir":"`+strings.ReplaceAll(dir, `\`, `\\`)+`"}`)
				defer os.Remove(h.path(file))
			}
			d := tt.dirs
			d.Home = h.dir
			got, warnings := h.places(d)
			want := append(slices.Clone(base), tt.more...)
			slices.Sort(want)
			if !slices.Equal(got, want) || warnings != nil {
				t.Errorf("places %v, want %v; warnings %v", got, want, warnings)
			}
		})
	}
	env := map[string]string{"PI_CODING_AGENT_DIR": "~/other", "PI_CODING_AGENT_SESSION_DIR": h.path("flat")}
	got, _ := h.places(EnvDirs(func(k string) string { return env[k] }, h.dir))
	if want := []string{"flat/three.jsonl", "other/five.jsonl", "other/sessions/--srv-c--/four.jsonl"}; !slices.Equal(got, want) {
		t.Errorf("from the environment: %v", got)
	}
}

func TestPlacesAreListedOnce(t *testing.T) {
	h := newHome(t)
	h.write(".pi/agent/sessions/--a--/one.jsonl", head+"\n")
	h.write("elsewhere/two.jsonl", head+"\n")
	h.link(h.path("elsewhere"), ".pi/agent/sessions/--linked--")
	h.link(h.path("elsewhere"), ".pi/agent/sessions/--again--")
	h.link("..", ".pi/agent/sessions/loop")
	h.link("nothing", ".pi/agent/sessions/dangling")
	h.link("nothing.jsonl", ".pi/agent/sessions/--a--/dangling.jsonl")
	h.link(h.path(".pi/agent/sessions/--a--/one.jsonl"), ".pi/agent/sessions/--0--/link.jsonl")
	if err := os.Link(h.path("elsewhere/two.jsonl"), h.path(".pi/agent/sessions/--a--/hard.jsonl")); err != nil {
		t.Skip(err)
	}
	list, warnings := New(Dirs{Home: h.dir, Roots: []string{h.dir, h.path("elsewhere")}}).Places(context.Background())
	if len(list) != 2 || warnings != nil {
		t.Errorf("%d places %v, warnings %v", len(list), list, warnings)
	}
}

func TestPlacesThatCannotBeRead(t *testing.T) {
	h := newHome(t)
	h.write(".pi/agent/sessions/--a--/one.jsonl", head+"\n")
	h.write(".pi/agent/sessions/--b--/two.jsonl", head+"\n")
	h.write(".pi/agent/settings.json", "{")
	bad := h.path(".pi/agent/sessions/--b--")
	var got []string
	var warnings []lookback.Warning
	testkit.Unprivileged(t, h.dir, func() {
		if err := os.Chmod(bad, 0); err != nil {
			t.Fatal(err)
		}
		defer os.Chmod(bad, 0o700)
		got, warnings = h.places(Dirs{Home: h.dir, Roots: []string{h.path("none")}})
	})
	if !slices.Equal(got, []string{".pi/agent/sessions/--a--/one.jsonl"}) {
		t.Errorf("places %v", got)
	}
	var files []string
	for _, w := range warnings {
		if w.Kind != lookback.Unreadable || w.Detail == "" || strings.Contains(w.Detail, h.dir) {
			t.Errorf("warning %+v", w)
		}
		files = append(files, w.File)
	}
	slices.Sort(files)
	want := []string{bad, h.path(".pi/agent/settings.json"), h.path("none")}
	slices.Sort(want)
	if !slices.Equal(files, want) {
		t.Errorf("warnings for %v, want %v", files, want)
	}
}

func TestSubsessions(t *testing.T) {
	h := newHome(t)
	h.write(".pi/agent/sessions/--a--/listed.jsonl", head+"\n")
	h.write("kept/far.jsonl", head+"\n")
	h.write("kept/free.jsonl", head+"\n")
	ref := func(id, file string, records ...string) {
		h.write(".pi/agent/pbot/subagents/"+id+"/session-ref.json", file)
		for i, r := range records {
			h.write(".pi/agent/pbot/subagents/"+id+"/"+string(rune('a'+i))+".json", r)
		}
	}
	quoted := func(name string) string { return `{"file":"` + strings.ReplaceAll(h.path(name), `\`, `\\`) + `"}` }
	ref("1", quoted("kept/far.jsonl"), `{"status":"done"}`, `{"workspace":"/srv/demo"}`)
	ref("2", quoted(".pi/agent/sessions/--a--/listed.jsonl"), `{"workspace":"/srv/other"}`)
	ref("3", `{"file":null}`, `{"workspace":"/srv/demo"}`)
	ref("4", quoted("kept/gone.jsonl"), `{"workspace":"/srv/demo"}`)
	ref("5", quoted("kept/free.jsonl"), `{"workspace":7}`)
	ref("6", `{"file":"relative.jsonl"}`)
	got, warnings := h.places(Dirs{Home: h.dir})
	want := []string{".pi/agent/sessions/--a--/listed.jsonl of /srv/other", "kept/far.jsonl of /srv/demo", "kept/free.jsonl"}
	if !slices.Equal(got, want) || warnings != nil {
		t.Errorf("places %v, want %v; warnings %v", got, want, warnings)
	}
}
