package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"

	"lookback/internal/service"
)

// Times of --watch: an agent writes a line in several steps, and a system that
// cannot watch is looked at now and then.
const (
	watchSettle = 200 * time.Millisecond
	watchPoll   = 30 * time.Second
	watchRetry  = 2 * time.Second
)

// watchDepth is how deep below a root logs lie.
const watchDepth = 3

// watch syncs whenever a log changes, until the context ends, which is its normal
// end. It does nothing while nothing changes.
func (a *app) watch(ctx context.Context, svc *service.Service, o service.SyncOptions) error {
	w, err := newWatcher(a.c.Watch(a.setup()))
	if err != nil {
		a.note(fmt.Sprintf("changes cannot be watched (%v); looking every %s instead", err, watchPoll))
	}
	if w != nil {
		defer w.Close()
	}
	seen := told{}
	for first := true; ; first = false {
		report, err := a.syncOnce(ctx, svc, o)
		o.Rescan = false
		wait := time.Duration(0)
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, service.ErrBusy):
			wait = watchRetry
		case err != nil:
			return err
		default:
			a.warnings(seen.fresh(report.Warnings))
			if first || report.Read+report.Gone+report.Records > 0 {
				if !a.g.json {
					fmt.Fprintf(a.out, "%s  ", a.style(a.c.Terminal.Out).Dim(a.now().Format(time.TimeOnly)))
				}
				if err := a.reportSync(&report); err != nil {
					return err
				}
			}
		}
		if !changed(ctx, w, wait) {
			return nil
		}
	}
}

// newWatcher watches what is below the roots. It is nil with an error.
func newWatcher(roots []string) (*fsnotify.Watcher, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	for _, r := range roots {
		if err := watchBelow(w, r, watchDepth); err != nil {
			w.Close()
			return nil, err
		}
	}
	return w, nil
}

// watchBelow watches a directory and those below it. Of a root that does not exist
// the nearest directory above is watched, so that its making is noticed.
func watchBelow(w *fsnotify.Watcher, root string, depth int) error {
	for missing(root) && filepath.Dir(root) != root {
		root, depth = filepath.Dir(root), 0
	}
	if info, err := os.Stat(root); err != nil || !info.IsDir() {
		return nil // what cannot be read is the sync's to tell
	}
	if err := w.Add(root); err != nil && !errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("watch %s: %w", root, err)
	}
	if depth == 0 {
		return nil
	}
	below, _ := os.ReadDir(root)
	for _, d := range below {
		if d.IsDir() || d.Type()&fs.ModeSymlink != 0 {
			if err := watchBelow(w, filepath.Join(root, d.Name()), depth-1); err != nil {
				return err
			}
		}
	}
	return nil
}

// changed waits for a change and until it has settled; wait > 0 bounds the wait.
// It returns false when the context ends.
func changed(ctx context.Context, w *fsnotify.Watcher, wait time.Duration) bool {
	if w == nil {
		w = &fsnotify.Watcher{} // of which nothing is heard
		wait = cmp.Or(wait, watchPoll)
	}
	var limit <-chan time.Time
	if wait > 0 {
		limit = time.After(wait)
	}
	for {
		select {
		case <-ctx.Done():
			return false
		case <-limit:
			return true
		case <-w.Errors: // the queue overflowed: something changed
			limit = time.After(watchSettle)
		case e := <-w.Events:
			if e.Has(fsnotify.Create) {
				_ = watchBelow(w, e.Name, 1)
			}
			if e.Op != fsnotify.Chmod { // metadata alone is no news
				limit = time.After(watchSettle)
			}
		}
	}
}
