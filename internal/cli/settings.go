package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/BurntSushi/toml"
)

// settings are what the user's config.toml, a project's .lookback.toml and the
// environment say. Flags go before the environment, that before the project, and
// the project before the user. docs/cli.md documents every key.
type settings struct {
	Language string            `toml:"language"` // of labels: en or zh
	Color    string            `toml:"color"`    // auto, always or never
	Pager    string            `toml:"pager"`    // command line; user only
	Limit    int               `toml:"limit"`    // rows of a page
	Moved    map[string]string `toml:"moved"`    // user only
	Pi       agentSettings     `toml:"pi"`       // user only
}

type agentSettings struct {
	Sessions []string `toml:"sessions"` // further directories with sessions
}

// settingKeys are the keys a person may mean, for suggestions.
var settingKeys = []string{"language", "color", "pager", "limit", "moved", "pi", "pi.sessions"}

// projectFile is looked for in the working directory and above it.
const projectFile = ".lookback.toml"

// maxSettings bounds a settings file, in bytes.
const maxSettings = 1 << 20

// loadSettings reads all settings. Warnings are about things that were left out.
func (a *app) loadSettings() (warnings []string, err error) {
	user, warnings, err := readSettings(a.c.Places.Settings)
	if err != nil {
		return nil, err
	}
	a.settings = user
	if path := a.projectSettings(); path != "" {
		project, more, err := readSettings(path)
		if err != nil {
			// A project is not the user's own work: its mistake must not stop anything.
			return append(warnings, explain(err).Message), a.checkSettings()
		}
		warnings = append(warnings, more...)
		warnings = append(warnings, a.settings.project(path, project)...)
	}
	if p := a.c.Getenv("PAGER"); p != "" {
		a.settings.Pager = p
	}
	if p := a.c.Getenv("LOOKBACK_PAGER"); p != "" {
		a.settings.Pager = p
	}
	return warnings, a.checkSettings()
}

// project takes over what a project may set. A checkout comes from elsewhere, so
// it must not run commands, point to other folders or claim other workspaces.
func (s *settings) project(path string, p settings) (warnings []string) {
	if p.Language != "" {
		s.Language = p.Language
	}
	if p.Color != "" {
		s.Color = p.Color
	}
	if p.Limit != 0 {
		s.Limit = p.Limit
	}
	for _, k := range []struct {
		name string
		set  bool
	}{{"pager", p.Pager != ""}, {"moved", p.Moved != nil}, {"pi.sessions", p.Pi.Sessions != nil}} {
		if k.set {
			warnings = append(warnings, fmt.Sprintf("%s: %s is left out; only the user's own config.toml may set it", path, k.name))
		}
	}
	return warnings
}

func (a *app) projectSettings() string {
	for dir := a.c.Dir; dir != ""; dir = filepath.Dir(dir) {
		path := filepath.Join(dir, projectFile)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path
		}
		if filepath.Dir(dir) == dir || dir == a.c.Places.Home {
			break
		}
	}
	return ""
}

func readSettings(path string) (s settings, warnings []string, err error) {
	if path == "" {
		return s, nil, nil
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil, nil
	}
	if err == nil && (!info.Mode().IsRegular() || info.Size() > maxSettings) {
		err = errors.New("not a settings file")
	}
	var data []byte
	if err == nil {
		data, err = os.ReadFile(path)
	}
	var meta toml.MetaData
	if err == nil {
		meta, err = toml.Decode(string(data), &s)
	}
	if err != nil {
		return s, nil, &fault{codeUsage, "settings", fmt.Sprintf("read settings %s: %s", path, oneLine(err)), "correct the file or remove it"}
	}
	for _, key := range meta.Undecoded() {
		w := fmt.Sprintf("%s: no setting is called %q", path, key.String())
		if near := nearest(key.String(), settingKeys); near != "" {
			w += fmt.Sprintf("; did you mean %s ?", near)
		}
		warnings = append(warnings, w)
	}
	return s, warnings, nil
}

func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }

func (a *app) checkSettings() error {
	s := &a.settings
	switch s.Color {
	case "", "auto", "always", "never":
	default:
		return usage(fmt.Sprintf("setting color cannot be %q", s.Color), "use auto, always or never")
	}
	if s.Limit < 0 || s.Limit > maxLimit {
		return usage(fmt.Sprintf("setting limit cannot be %d", s.Limit), fmt.Sprintf("use a number from 1 to %d", maxLimit))
	}
	return nil
}

// setup is what settings and flags mean for the service.
func (a *app) setup() Setup {
	s := Setup{NoSync: a.g.noSync, Roots: map[string][]string{}, Moved: map[string]string{}}
	base := filepath.Dir(a.c.Places.Settings)
	for _, dir := range a.settings.Pi.Sessions {
		s.Roots["pi"] = append(s.Roots["pi"], a.under(base, dir))
	}
	for from, to := range a.settings.Moved {
		s.Moved[a.under(base, from)] = a.under(base, to)
	}
	return s
}

// absolute makes a path of an argument absolute.
func (a *app) absolute(path string) string { return a.under(a.c.Dir, path) }

// under makes a path absolute: ~ is the home directory, and a relative path
// starts at base.
func (a *app) under(base, path string) string {
	if path == "~" || strings.HasPrefix(path, "~/") || strings.HasPrefix(path, `~\`) {
		return filepath.Join(a.c.Places.Home, path[1:])
	}
	if !filepath.IsAbs(path) {
		return filepath.Join(base, path)
	}
	return filepath.Clean(path)
}

// locale is the language of labels.
func (a *app) locale() string {
	if a.settings.Language != "" {
		return a.settings.Language
	}
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if v := a.c.Getenv(name); v != "" {
			return v
		}
	}
	return ""
}
