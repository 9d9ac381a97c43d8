package archive

import (
	"bufio"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/gofrs/flock"

	"lookback"
)

// Bounds of a Writer.
const (
	maxPending = 128 // files it keeps open before it flushes by itself
	syncers    = 8   // files synced at once: a journal writes them together
)

// temp begins the names of temporary files.
const temp = ".lookback-tmp-"

// Writer writes records while it holds the archive's lock. Saved records become
// visible in groups: at Flush, at Close, and whenever enough has gathered. It
// serves one goroutine.
type Writer struct {
	a       *Archive
	dir     *os.Root
	lock    *flock.Flock
	out     *bufio.Writer
	pending []pending
}

// pending is a file that is written but not yet in place.
type pending struct {
	file *os.File
	temp string
	name string
}

// sweep removes temporary files. Only a writer makes them and we hold the lock,
// so whoever made them is gone.
func (w *Writer) sweep() {
	items, _ := os.ReadDir(w.a.Dir()) // what cannot be read now is left to the next writer
	for _, item := range items {
		if strings.HasPrefix(item.Name(), temp) {
			_ = w.dir.Remove(item.Name())
		}
	}
}

// Save writes r and reports whether the file had to change. Summaries that the
// file has and r lacks are taken over into r, where their children are the same,
// so that nothing paid for is lost. The error wraps ErrDamaged when the file in
// place cannot be read, or r itself breaks the format, and ErrForgotten or
// ErrLink; then nothing is written.
func (w *Writer) Save(r *Record) (bool, error) {
	changed, err := w.save(r)
	if err != nil {
		err = fmt.Errorf("save record %.60q: %w", r.ID, err)
	}
	return changed, err
}

func (w *Writer) save(r *Record) (bool, error) {
	if _, err := r.check(); err != nil {
		return false, err
	}
	if isAbsolute(r.Session.Native) {
		return false, damaged("the session id is a path")
	}
	if gone, err := w.a.isForgotten(r.Session); gone || err != nil {
		return false, cmp.Or(err, ErrForgotten)
	}
	now, err := w.held(r.ID)
	if err != nil {
		return false, err
	}
	if now != nil {
		if now.Session != r.Session {
			return false, damaged("the file in place holds another session")
		}
		lookback.Reuse(r.Nodes, now.Nodes)
		if !now.Untidy() && same(now, r) {
			return false, nil
		}
	}
	err = w.write(r)
	return err == nil, err
}

// held reads the record that is in place, nil when there is none.
func (w *Writer) held(id string) (*Record, error) {
	name := id + ext
	if slices.ContainsFunc(w.pending, func(p pending) bool { return p.name == name }) {
		if err := w.Flush(); err != nil {
			return nil, err
		}
	}
	if info, err := regular(w.dir, name); info == nil {
		return nil, err
	}
	return w.a.read(id, false)
}

// write puts a new temporary file with r among the pending ones.
func (w *Writer) write(r *Record) error {
	name := temp + rand.Text()
	f, err := w.dir.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	w.out.Reset(f)
	if err := errors.Join(f.Chmod(0o600), encode(w.out, r)); err != nil {
		return errors.Join(err, f.Close(), w.dir.Remove(name))
	}
	w.pending = append(w.pending, pending{f, name, r.ID + ext})
	if len(w.pending) >= maxPending {
		return w.Flush()
	}
	return nil
}

// Flush puts what was saved in place: every file is synced, then renamed, then
// the directory is synced, once for all. A file that fails is left out, with its
// temporary file removed, and does not keep the others back.
func (w *Writer) Flush() error {
	list := w.pending
	if len(list) == 0 {
		return nil
	}
	w.pending = nil
	errs := make([]error, len(list))
	var group sync.WaitGroup
	for first := range syncers {
		group.Go(func() {
			for i := first; i < len(list); i += syncers {
				errs[i] = errors.Join(list[i].file.Sync(), list[i].file.Close())
			}
		})
	}
	group.Wait()
	for i, p := range list {
		if errs[i] == nil {
			errs[i] = rename(w.dir, p.temp, p.name)
		}
		if errs[i] != nil {
			errs[i] = errors.Join(fmt.Errorf("save %s: %w", p.name, errs[i]), w.dir.Remove(p.temp))
		}
	}
	return errors.Join(append(errs, syncDir(w.dir))...)
}

// Close finishes what is pending and lets go of the lock.
func (w *Writer) Close() error {
	return errors.Join(w.Flush(), w.lock.Unlock(), w.dir.Close())
}

// Edit reads a record, lets change alter it, and saves it, all under one lock, so
// that two processes lose nothing to each other. An error of change ends it
// without a write and is returned.
func (a *Archive) Edit(ctx context.Context, id string, change func(*Record) error) error {
	return a.locked(ctx, func(w *Writer) error {
		r, err := a.Load(id)
		if err == nil {
			err = change(r)
		}
		if err == nil {
			_, err = w.Save(r)
		}
		return err
	})
}
