package archive

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"

	"github.com/gofrs/flock"

	"lookback"
)

// Bounds of what a Writer keeps open before it flushes by itself.
const (
	maxPending      = 128
	maxPendingBytes = 16 << 20
	syncers         = 8 // files synced at once: a journal writes them together
)

// Writer writes records while it holds the archive's lock. Saved records become
// visible in groups: at Flush, at Close, and whenever enough has gathered. It
// serves one goroutine.
type Writer struct {
	a       *Archive
	dir     *os.Root
	lock    *flock.Flock
	pending []pending
	size    int64 // bytes in pending
}

// pending is a file that is written but not yet in place.
type pending struct {
	file *os.File
	temp string
	name string
	r    *Record // nil for other files
}

// Save writes r and reports whether the file had to change. Summaries that the
// file gained since r was read are taken over into r, where their children are
// the same, so that nothing paid for is lost. The error wraps ErrDamaged when the
// file in place cannot be read, or r itself breaks the format, and ErrForgotten
// or ErrLink; then nothing is written.
func (w *Writer) Save(r *Record) (bool, error) {
	if err := w.admit(r); err != nil {
		return false, fmt.Errorf("save record %.60q: %w", r.ID, err)
	}
	name := r.ID + ext
	if w.isPending(name) {
		if err := w.Flush(); err != nil {
			return false, err
		}
	}
	info, err := w.dir.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return false, fmt.Errorf("save record %s: %w", r.ID, err)
	case !info.Mode().IsRegular():
		return false, fmt.Errorf("save record %s: %w", r.ID, ErrLink)
	default:
		if err := w.takeOver(r, info); err != nil {
			return false, fmt.Errorf("save record %s: %w", r.ID, err)
		}
		if w.unchanged(r) {
			return false, nil
		}
	}
	if err := w.write(name, r, func(out io.Writer) error { return encode(out, r) }); err != nil {
		return false, fmt.Errorf("save record %s: %w", r.ID, err)
	}
	return true, nil
}

func (w *Writer) admit(r *Record) error {
	if _, err := r.check(); err != nil {
		return err
	}
	if isAbsolute(r.Session.Native) {
		return damaged("the session id is a path")
	}
	gone, err := w.a.isForgotten(r.Session)
	if err == nil && gone {
		err = ErrForgotten
	}
	return err
}

// takeOver looks at the file in place, unless r was read from just that file.
func (w *Writer) takeOver(r *Record, info fs.FileInfo) error {
	if r.info != nil && sameFile(r.info, info) {
		return nil
	}
	now, err := w.a.read(r.ID)
	if err != nil {
		return err
	}
	if now.Session != r.Session {
		return damaged("the file in place holds another session")
	}
	lookback.Reuse(r.Nodes, now.Nodes)
	r.info = now.info
	return nil
}

var errDiffers = errors.New("differs")

// unchanged compares what would be written with what is there, without building
// it in memory.
func (w *Writer) unchanged(r *Record) bool {
	f, _, err := w.a.open(r.ID)
	if err != nil {
		return false
	}
	defer f.Close()
	buf := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	c := comparer{old: f, buf: (*buf)[:flushAt]}
	if encode(&c, r) != nil {
		return false
	}
	n, _ := f.Read(c.buf[:1])
	return n == 0
}

// comparer takes bytes as long as they are those of old.
type comparer struct {
	old io.Reader
	buf []byte
}

func (c *comparer) Write(b []byte) (int, error) {
	for rest := b; len(rest) > 0; {
		old := c.buf[:min(len(rest), len(c.buf))]
		if _, err := io.ReadFull(c.old, old); err != nil || !bytes.Equal(old, rest[:len(old)]) {
			return 0, errDiffers
		}
		rest = rest[len(old):]
	}
	return len(b), nil
}

// write puts a new temporary file among the pending ones.
func (w *Writer) write(name string, r *Record, fill func(io.Writer) error) error {
	temp := fmt.Sprintf("%s%d-%s%s", tempPrefix, os.Getpid(), rand.Text(), tempSuffix)
	f, err := w.dir.OpenFile(temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	err = fill(f)
	if err == nil && hasModes {
		err = f.Chmod(0o600) // a umask may have taken bits away
	}
	var size int64
	if err == nil {
		size, err = f.Seek(0, io.SeekCurrent)
	}
	if err != nil {
		f.Close()
		return errors.Join(err, w.dir.Remove(temp))
	}
	w.pending = append(w.pending, pending{f, temp, name, r})
	w.size += size
	if len(w.pending) >= maxPending || w.size >= maxPendingBytes {
		return w.Flush()
	}
	return nil
}

// replace writes a small file that is no record, at once.
func (w *Writer) replace(name string, b []byte) error {
	if info, err := w.dir.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return ErrLink
	}
	fill := func(out io.Writer) error {
		_, err := out.Write(b)
		return err
	}
	if err := w.write(name, nil, fill); err != nil {
		return err
	}
	return w.Flush()
}

func (w *Writer) isPending(name string) bool {
	for i := range w.pending {
		if w.pending[i].name == name {
			return true
		}
	}
	return false
}

// Flush puts what was saved in place: every file is synced, then renamed, then
// the directory is synced, once for all. A file that fails is left out, with its
// temporary file removed, and does not keep the others back.
func (w *Writer) Flush() error {
	if len(w.pending) == 0 {
		return nil
	}
	list := w.pending
	w.pending, w.size = nil, 0
	errs := w.syncAll(list)
	for i := range list {
		p := &list[i]
		if errs[i] == nil {
			errs[i] = rename(w.dir, p.temp, p.name)
		}
		if errs[i] != nil {
			errs[i] = errors.Join(fmt.Errorf("save %s: %w", p.name, errs[i]), w.dir.Remove(p.temp))
		}
	}
	return errors.Join(append(errs, syncDir(w.dir))...)
}

// syncAll syncs and closes the files and notes in their records what they are.
func (w *Writer) syncAll(list []pending) []error {
	errs := make([]error, len(list))
	var group sync.WaitGroup
	for first := range min(syncers, len(list)) {
		group.Go(func() {
			for i := first; i < len(list); i += syncers {
				errs[i] = list[i].finish()
			}
		})
	}
	group.Wait()
	return errs
}

func (p *pending) finish() error {
	err := p.file.Sync()
	if err == nil && p.r != nil {
		var info fs.FileInfo
		if info, err = p.file.Stat(); err == nil {
			p.r.info, p.r.untidy = info, false
		}
	}
	return errors.Join(err, p.file.Close())
}

// Delete removes a record, whatever it holds. One that is not there is no error.
func (w *Writer) Delete(id string) error {
	if !SafeID(id) {
		return damaged("id %.60q is no safe file name", id)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := w.dir.Remove(id + ext); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("delete record %s: %w", id, err)
	}
	return syncDir(w.dir)
}

// Save writes one record; see Writer.Save. ctx ends the wait for the lock, not
// the write.
func (a *Archive) Save(ctx context.Context, r *Record) (bool, error) {
	w, err := a.Lock(ctx)
	if err != nil {
		return false, err
	}
	changed, err := w.Save(r)
	return changed, w.closeWith(err)
}

// Delete removes one record; see Writer.Delete. It leaves no tombstone.
func (a *Archive) Delete(ctx context.Context, id string) error {
	w, err := a.Lock(ctx)
	if err != nil {
		return err
	}
	return w.closeWith(w.Delete(id))
}

// Edit reads a record, lets change alter it, and saves it, all under one lock, so
// that two processes lose nothing to each other. An error of change ends it
// without a write and is returned.
func (a *Archive) Edit(ctx context.Context, id string, change func(*Record) error) error {
	w, err := a.Lock(ctx)
	if err != nil {
		return err
	}
	r, err := a.Load(id)
	if err == nil {
		err = change(r)
	}
	if err == nil {
		_, err = w.Save(r)
	}
	return w.closeWith(err)
}
