package cli

import (
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
	defer w.close()
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
					fmt.Fprintf(a.c.Out, "%s  ", a.clock())
				}
				if err := a.reportSync(&report); err != nil {
					return err
				}
			}
		}
		if !w.changed(ctx, wait) {
			return nil
		}
	}
}

// watcher tells when something below the roots changed.
type watcher struct {
	fs *fsnotify.Watcher // nil when watching is not possible
}

func newWatcher(roots []string) (*watcher, error) {
	f, err := fsnotify.NewWatcher()
	if err != nil {
		return &watcher{}, err
	}
	w := &watcher{fs: f}
	for _, r := range roots {
		if err := w.add(r, watchDepth); err != nil {
			f.Close()
			return &watcher{}, err
		}
	}
	return w, nil
}

func (w *watcher) close() {
	if w.fs != nil {
		w.fs.Close()
	}
}

// add watches a directory and those below it. Of a root that does not exist the
// nearest directory above is watched, so that its making is noticed.
func (w *watcher) add(root string, depth int) error {
	for missing(root) && filepath.Dir(root) != root {
		root, depth = filepath.Dir(root), 0
	}
	if info, err := os.Stat(root); err != nil || !info.IsDir() {
		return nil // what cannot be read is the sync's to tell
	}
	if err := w.fs.Add(root); err != nil && !errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("watch %s: %w", root, err)
	}
	if depth == 0 {
		return nil
	}
	list, _ := os.ReadDir(root)
	for _, d := range list {
		if d.IsDir() || d.Type()&fs.ModeSymlink != 0 {
			if err := w.add(filepath.Join(root, d.Name()), depth-1); err != nil {
				return err
			}
		}
	}
	return nil
}

// changed waits for a change and until it has settled; wait > 0 bounds the wait.
// It returns false when the context ends.
func (w *watcher) changed(ctx context.Context, wait time.Duration) bool {
	if w.fs == nil && wait == 0 {
		wait = watchPoll
	}
	var limit <-chan time.Time
	if wait > 0 {
		limit = time.After(wait)
	}
	var events chan fsnotify.Event
	var faults chan error
	if w.fs != nil {
		events, faults = w.fs.Events, w.fs.Errors
	}
	for {
		select {
		case <-ctx.Done():
			return false
		case <-limit:
			return true
		case <-faults: // the queue overflowed: something changed
			limit, wait = time.After(watchSettle), 0
		case e := <-events:
			if e.Has(fsnotify.Create) {
				_ = w.add(e.Name, 1)
			}
			if e.Op != fsnotify.Chmod { // metadata alone is no news
				limit = time.After(watchSettle)
			}
		}
	}
}
