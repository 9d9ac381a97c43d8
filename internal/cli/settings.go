package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// settings are what the user's config.toml, a project's .lookback.toml and the
// environment say. Flags go before the environment, that before the project, and
// the project before the user. docs/cli.md documents every key.
type settings struct {
	projectSettings
	Pager string            `toml:"pager"` // command line
	Moved map[string]string `toml:"moved"` // directory as logged → where it is now
	Pi    struct {
		Sessions []string `toml:"sessions"` // further directories with sessions
	} `toml:"pi"`
}

// projectSettings are those that a project may have too. A checkout comes from
// elsewhere, so it must not run commands, point to other folders or claim other
// workspaces.
type projectSettings struct {
	Language string `toml:"language"` // of labels: en or zh
	Color    string `toml:"color"`    // auto, always or never
	Limit    int    `toml:"limit"`    // rows of a page, 0 for the default
}

// userKeys and projectKeys are the keys of the two, for warnings.
var (
	userKeys    = []string{"pager", "moved", "pi", "pi.sessions"}
	projectKeys = []string{"language", "color", "limit"}
)

// projectFile is looked for in the working directory and above it.
const projectFile = ".lookback.toml"

// maxSettings bounds the file of a project, in bytes.
const maxSettings = 1 << 20

// loadSettings reads all settings.
func (a *app) loadSettings() error {
	if err := a.readSettings(a.c.Places.Settings, &a.settings); err != nil {
		return err
	}
	project := a.settings.projectSettings
	if err := a.readSettings(a.projectFile(), &project); err != nil {
		a.note(explain(err).Message) // a project is not the user's own work: its mistake stops nothing
	} else {
		a.settings.projectSettings = project
	}
	for _, name := range []string{"PAGER", "LOOKBACK_PAGER"} {
		if p := a.c.Getenv(name); p != "" {
			a.settings.Pager = p
		}
	}
	return nil
}

func (a *app) projectFile() string {
	for dir := a.c.Dir; dir != ""; dir = filepath.Dir(dir) {
		path := filepath.Join(dir, projectFile)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Size() <= maxSettings {
			return path
		}
		if filepath.Dir(dir) == dir || dir == a.c.Places.Home {
			break
		}
	}
	return ""
}

// readSettings reads a file, if there is one, over what into holds, and warns of
// keys that do not belong there.
func (a *app) readSettings(path string, into interface{ check() error }) error {
	if path == "" || missing(path) {
		return nil
	}
	meta, err := toml.DecodeFile(path, into)
	if err == nil {
		err = into.check()
	}
	if err != nil {
		what := strings.Join(strings.Fields(err.Error()), " ")
		return &fault{codeUsage, "settings", fmt.Sprintf("read settings %s: %s", path, what), "correct the file or remove it"}
	}
	table := "."
	for _, key := range meta.Undecoded() {
		name := key.String()
		if strings.HasPrefix(name, table) {
			continue // the table was told
		}
		table = name + "."
		w := fmt.Sprintf("%s: no setting is called %q", path, name)
		if slices.Contains(userKeys, name) {
			w = fmt.Sprintf("%s: %s is left out; only the user's own config.toml may set it", path, name)
		} else if near := nearest(name, slices.Concat(projectKeys, userKeys)); near != "" {
			w += fmt.Sprintf("; did you mean %s ?", near)
		}
		a.note(w)
	}
	return nil
}

func (s *projectSettings) check() error {
	return errors.Join(checkColor("color", s.Color), between("limit", s.Limit, 0, maxLimit))
}

var colors = []string{"auto", "always", "never"}

func checkColor(what, choice string) error {
	if choice == "" || slices.Contains(colors, choice) {
		return nil
	}
	return usage(fmt.Sprintf("%s cannot be %q", what, choice), "use auto, always or never")
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
		return filepath.Join(base, path) // "" for "" in a working directory that is gone
	}
	return filepath.Clean(path)
}

// locale is the language of labels.
func (a *app) locale() string {
	locale := a.settings.Language
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if locale == "" {
			locale = a.c.Getenv(name)
		}
	}
	return locale
}
