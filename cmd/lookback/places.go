package main

import (
	"path/filepath"
	"runtime"
	"runtime/debug"

	"lookback/internal/cli"
)

// placesFor finds where our own files are: our own variables first, then those of
// the XDG specification, then the system's custom.
func placesFor(getenv func(string) string, home string) (cli.Places, error) {
	cache, data, conf := systemDirs(getenv, home)
	pick := func(own, system string) string {
		if dir := getenv(own); filepath.IsAbs(dir) {
			return filepath.Clean(dir)
		}
		if system == "" {
			return ""
		}
		return filepath.Join(system, "lookback")
	}
	p := cli.Places{Home: home}
	if dir := pick("LOOKBACK_CACHE_DIR", cache); dir != "" {
		p.Index = filepath.Join(dir, "index.db")
	}
	if dir := pick("LOOKBACK_DATA_DIR", data); dir != "" {
		p.Archive = filepath.Join(dir, "archive")
	}
	if dir := pick("LOOKBACK_CONFIG_DIR", conf); dir != "" {
		p.Settings = filepath.Join(dir, "config.toml")
	}
	if p.Index == "" {
		return p, errNoHome
	}
	return p, nil
}

// systemDirs are the user's cache, data and config directories; "" for none.
func systemDirs(getenv func(string) string, home string) (cache, data, conf string) {
	under := func(rel ...string) string {
		if home == "" {
			return ""
		}
		return filepath.Join(append([]string{home}, rel...)...)
	}
	switch runtime.GOOS {
	case "windows":
		cache, data, conf = getenv("LocalAppData"), getenv("LocalAppData"), getenv("AppData")
	case "darwin":
		cache = under("Library", "Caches")
		data = under("Library", "Application Support")
		conf = data
	default:
		cache, data, conf = under(".cache"), under(".local", "share"), under(".config")
	}
	for _, x := range []struct {
		name string
		dir  *string
	}{{"XDG_CACHE_HOME", &cache}, {"XDG_DATA_HOME", &data}, {"XDG_CONFIG_HOME", &conf}} {
		if dir := getenv(x.name); filepath.IsAbs(dir) {
			*x.dir = dir
		}
	}
	return cache, data, conf
}

// release is set by the build of a release.
var release string

// version names the build: the release, else the module's version or revision.
func version() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return "devel-" + s.Value[:12]
		}
	}
	return "devel"
}
