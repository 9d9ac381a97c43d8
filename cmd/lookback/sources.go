package main

import (
	"context"
	"path/filepath"
	"time"

	"lookback/internal/cli"
	"lookback/internal/pi"
	"lookback/internal/service"
)

// wiring makes services for the command line.
type wiring struct {
	getenv func(string) string
	home   string
	places cli.Places
	now    func() time.Time
}

// config is the list of sources and where things are. To read another agent's
// logs, add its source here.
func (w wiring) config(s cli.Setup) service.Config {
	return service.Config{
		Index: w.places.Index, Archive: w.places.Archive, NoSync: s.NoSync, Now: w.now,
		Sources: []service.Source{moved(pi.New(w.piDirs(s)), s.Moved)},
		Legacy:  w.legacy(),
	}
}

func (w wiring) piDirs(s cli.Setup) pi.Dirs {
	d := pi.EnvDirs(w.getenv, w.home)
	d.Roots = s.Roots[pi.Agent]
	return d
}

// legacy is where older programs kept archives for the whole user.
func (w wiring) legacy() []string {
	d := pi.EnvDirs(w.getenv, w.home)
	if agent := d.AgentDir(); agent != "" {
		return []string{filepath.Join(agent, "pbot", "history")}
	}
	return nil
}

func (w wiring) open(ctx context.Context, s cli.Setup) (*service.Service, error) {
	return service.Open(ctx, w.config(s))
}

func (w wiring) inspect(ctx context.Context, s cli.Setup, path, agent string) (service.Inspection, error) {
	return service.Inspect(ctx, w.config(s).Sources, path, agent)
}

// watch lists the folders in which logs appear.
func (w wiring) watch(s cli.Setup) []string {
	d := w.piDirs(s)
	dirs := append([]string{}, d.Roots...)
	if agent := d.AgentDir(); agent != "" {
		dirs = append(dirs, filepath.Join(agent, "sessions"))
	}
	if filepath.IsAbs(d.Session) {
		dirs = append(dirs, d.Session)
	}
	return dirs
}
