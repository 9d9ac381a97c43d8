package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"lookback/bench/measure"
	"lookback/bench/report"
)

// bench is what all measurements share.
type bench struct {
	quick     bool
	runs      int
	corpus    string
	cache     string
	exchanges int

	repo string
	temp string
	bin  string // the program, stripped
}

// prepare finds the folders and builds the program.
func (b *bench) prepare(ctx context.Context) (err error) {
	if b.repo, err = report.Root(); err != nil {
		return err
	}
	if b.cache == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return err
		}
		b.cache = filepath.Join(user, "lookback-bench")
	}
	if b.quick {
		b.runs, b.exchanges = 1, min(b.exchanges, 5000)
		b.cache = filepath.Join(b.cache, "quick")
	}
	if b.corpus == "" {
		b.corpus = filepath.Join(b.cache, "corpus")
	}
	if err := os.MkdirAll(b.cache, 0o700); err != nil {
		return err
	}
	if b.temp, err = os.MkdirTemp("", "lookback-bench-"); err != nil {
		return err
	}
	b.bin = filepath.Join(b.temp, "lookback")
	if filepath.Separator == '\\' {
		b.bin += ".exe"
	}
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", b.bin, "./cmd/lookback")
	build.Dir, build.Env = b.repo, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build the program: %w\n%s", err, out)
	}
	return nil
}

func (b *bench) close() { os.RemoveAll(b.temp) }

// sizes of the corpora, in sessions.
func (b *bench) sessions(name string) int {
	switch {
	case b.quick:
		return 40
	case name == "c1k":
		return 1000
	}
	return 10_000
}

// home makes sure that a corpus exists and gives its folder, a home directory.
func (b *bench) home(ctx context.Context, name string) (string, error) {
	dir := filepath.Join(b.corpus, name)
	if _, err := os.Stat(filepath.Join(dir, "needles.json")); err == nil {
		return dir, nil
	}
	shared, err := report.Shared()
	if err != nil {
		return "", err
	}
	fmt.Fprintf(os.Stderr, "making the corpus %s\n", name)
	needles := map[string]string{"c1k": "120", "c10k": "240"}[name]
	if b.quick {
		needles = "24"
	}
	cmd := exec.CommandContext(ctx, "go", "run", ".", "-out", dir, "-format", "pi", "-seed", "1",
		"-sessions", strconv.Itoa(b.sessions(name)), "-needles", needles)
	cmd.Dir = filepath.Join(shared, "tools", "corpus")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("make the corpus %s: %w\n%s", name, err, out)
	}
	return dir, nil
}

// logs lists the session files of a home.
func logs(home string) (paths []string, size int64, err error) {
	err = filepath.WalkDir(filepath.Join(home, ".pi"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".jsonl") {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		paths = append(paths, path)
		size += info.Size()
		return nil
	})
	return paths, size, err
}

// state is where the program keeps its own files for one home.
type state struct{ dir string }

func (s state) cacheDir() string { return filepath.Join(s.dir, "cache") }
func (s state) index() string    { return filepath.Join(s.cacheDir(), "index.db") }
func (s state) extra() string    { return filepath.Join(s.dir, "extra") }

// program is the real program with a home's logs and our own files in a state
// folder. Sessions in the state's extra folder are read too.
func (b *bench) program(home string, s state) (*measure.Program, error) {
	for _, dir := range []string{s.dir, s.extra(), filepath.Join(s.dir, "config")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, err
		}
	}
	settings := fmt.Sprintf("[pi]\nsessions = [%q]\n", s.extra())
	if err := os.WriteFile(filepath.Join(s.dir, "config", "config.toml"), []byte(settings), 0o600); err != nil {
		return nil, err
	}
	env := []string{"HOME=" + home, "USERPROFILE=" + home, "LOOKBACK_CACHE_DIR=" + s.cacheDir(),
		"LOOKBACK_DATA_DIR=" + filepath.Join(s.dir, "data"), "LOOKBACK_CONFIG_DIR=" + filepath.Join(s.dir, "config")}
	for _, name := range []string{"PATH", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP"} {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	return &measure.Program{Path: b.bin, Dir: s.dir, Env: env}, nil
}

// dirSize adds up the files of a folder.
func dirSize(dir string) (size int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			size += info.Size()
		}
		return err
	})
	return size, err
}
