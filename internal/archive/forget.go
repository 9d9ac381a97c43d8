package archive

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"lookback"
)

// tombstones names the file that lists forgotten sessions, one JSON object per
// line. A session stands there as NewID of it, which tells nothing about it to
// whoever reads the file, yet stops every way back: reading, saving, importing
// and copying. The older program passes the file over.
const tombstones = ".forgotten"

type tombstone struct {
	Session string `json:"session"` // NewID of the session
	At      string `json:"at"`      // for people; not used
}

// Forgotten reports whether the session must not be shown, kept or made again.
// When the list cannot be read it is false, and Save fails.
func (a *Archive) Forgotten(id lookback.SessionID) bool {
	gone, _ := a.isForgotten(id)
	return gone
}

func (a *Archive) isForgotten(id lookback.SessionID) (bool, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	path := filepath.Join(a.Dir(), tombstones)
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		a.forgotten, a.listed = nil, nil
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if a.listed == nil || !sameFile(a.listed, info) {
		b, err := readTombstones(path)
		if err != nil {
			return false, err
		}
		a.forgotten, a.listed = parseTombstones(b), info
	}
	return a.forgotten[NewID(id)], nil
}

// maxTombstones bounds the list, in bytes: some 300,000 sessions.
const maxTombstones = 32 << 20

func readTombstones(path string) ([]byte, error) {
	f, err := openPlain(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read list of forgotten sessions: %w", err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxTombstones+1))
	if err == nil && len(b) > maxTombstones {
		err = errors.New("it is too large")
	}
	if err != nil {
		return nil, fmt.Errorf("read list of forgotten sessions: %w", err)
	}
	return b, nil
}

func parseTombstones(b []byte) map[string]bool {
	ids := map[string]bool{}
	for line := range bytes.Lines(b) {
		var t tombstone
		if json.Unmarshal(line, &t) == nil && t.Session != "" {
			ids[t.Session] = true
		}
	}
	return ids
}

// sameFile reports whether two looks at a name saw the same, unchanged file.
func sameFile(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// Forget removes every record of the session and leaves a tombstone, so that
// nothing brings it back. The tombstone is written first: a crash in between
// leaves a record that nobody sees any more. It returns how many were removed.
func (a *Archive) Forget(ctx context.Context, id lookback.SessionID) (int, error) {
	w, err := a.Lock(ctx)
	if err != nil {
		return 0, err
	}
	n, err := w.forget(id)
	return n, w.closeWith(err)
}

func (w *Writer) forget(id lookback.SessionID) (int, error) {
	if err := w.bury(id); err != nil {
		return 0, err
	}
	list, _, err := w.a.List()
	if err != nil {
		return 0, err
	}
	n := 0
	for _, item := range list {
		h, err := w.a.Head(item.ID)
		if err != nil || h.Session != id {
			continue // what cannot be read shows nothing, and is not ours to remove
		}
		if err := w.Delete(item.ID); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// bury adds the session to the list, unless it stands there.
func (w *Writer) bury(id lookback.SessionID) error {
	gone, err := w.a.isForgotten(id)
	if gone || err != nil {
		return err
	}
	b, err := readTombstones(filepath.Join(w.a.Dir(), tombstones))
	if err != nil {
		return err
	}
	if len(b) > 0 && b[len(b)-1] != '\n' {
		b = append(b, '\n')
	}
	line, err := json.Marshal(tombstone{NewID(id), time.Now().UTC().Format(time.RFC3339)})
	if err != nil {
		return err
	}
	if err := w.replace(tombstones, append(append(b, line...), '\n')); err != nil {
		return fmt.Errorf("write list of forgotten sessions: %w", err)
	}
	return nil
}
