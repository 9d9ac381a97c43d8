package archive

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"lookback"
)

// grave begins the names of the empty files that stand for forgotten sessions.
// What follows is NewID of the session, which tells nothing about it to whoever
// sees the name, yet stops every way back: reading, saving, importing and copying.
const grave = ".forgotten-"

// Forgotten reports whether the session must not be shown, kept or made again.
// When that cannot be found out it is false, and Save fails.
func (a *Archive) Forgotten(id lookback.SessionID) bool {
	gone, _ := a.isForgotten(id)
	return gone
}

func (a *Archive) isForgotten(id lookback.SessionID) (bool, error) {
	_, err := os.Lstat(a.path(grave + NewID(id)))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// Forget removes every record of the session and leaves a tombstone, so that
// nothing brings it back. The tombstone is written first: a crash in between
// leaves a record that nobody sees any more. It returns how many were removed.
func (a *Archive) Forget(ctx context.Context, id lookback.SessionID) (n int, err error) {
	err = a.locked(ctx, func(w *Writer) error {
		if err := makeEmpty(w.dir, grave+NewID(id)); err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("write tombstone: %w", err)
		}
		if err := syncDir(w.dir); err != nil {
			return err
		}
		list, _, err := a.List()
		for _, item := range list {
			r, err := a.read(item.ID, true)
			if err != nil || r.Session != id {
				continue // what cannot be read shows nothing, and is not ours to remove
			}
			if err := w.dir.Remove(item.ID + ext); err != nil {
				return fmt.Errorf("remove record %s: %w", item.ID, err)
			}
			n++
		}
		return errors.Join(err, syncDir(w.dir))
	})
	return n, err
}
