package archive

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"

	"lookback"
)

// ErrForgotten is returned for sessions that a person had removed for good.
var ErrForgotten = errors.New("session was forgotten")

var errNoFile = damaged("it is a link or no file")

// Load reads one record. The error wraps fs.ErrNotExist when there is none,
// ErrDamaged when it is no valid record of that name, and ErrForgotten when its
// session is one to be forgotten.
func (a *Archive) Load(id string) (*Record, error) {
	r, err := a.read(id, false)
	if err == nil && a.Forgotten(r.Session) {
		return nil, fmt.Errorf("record %s: %w", id, ErrForgotten)
	}
	return r, err
}

func (a *Archive) read(id string, head bool) (*Record, error) {
	if !SafeID(id) {
		return nil, damaged("id %.60q is no safe file name", id)
	}
	f, err := a.open(id+ext, maxRecord)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return decode(id, f, head)
}

// open opens a file for reading, but no link, pipe or device.
func (a *Archive) open(name string, limit int64) (*os.File, error) {
	info, err := os.Lstat(a.path(name))
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errNoFile
	case info.Size() > limit:
		return nil, damaged("it is larger than %d bytes", limit)
	}
	return os.Open(a.path(name))
}

// Heads goes through all records in order of their names and gives what each says
// before its nodes, reading little more. The nodes are not there and not checked,
// so Load may still fail. A record that cannot be read is nil beside a warning
// that names it; of two records with one session both come, the second with a
// warning. Forgotten sessions are left out.
func (a *Archive) Heads() iter.Seq2[*Record, *lookback.Warning] { return a.walk(true) }

// All is Heads with the whole records, one in memory at a time.
func (a *Archive) All() iter.Seq2[*Record, *lookback.Warning] { return a.walk(false) }

func (a *Archive) walk(head bool) iter.Seq2[*Record, *lookback.Warning] {
	return func(yield func(*Record, *lookback.Warning) bool) {
		list, warnings, err := a.List()
		if err != nil {
			warnings = append(warnings, *a.warn("", err))
		}
		for i := range warnings {
			if !yield(nil, &warnings[i]) {
				return
			}
		}
		first := make(map[lookback.SessionID]string, len(list))
		for _, item := range list {
			r, err := a.read(item.ID, head)
			var w *lookback.Warning
			switch {
			case errors.Is(err, fs.ErrNotExist):
				continue // gone since the listing
			case err != nil:
				w = a.warn(item.ID+ext, err)
			case a.Forgotten(r.Session):
				continue
			case first[r.Session] != "":
				w = a.warn(item.ID+ext, fmt.Errorf("the same session as %s", first[r.Session]))
				w.Kind = lookback.DuplicateSession
			default:
				first[r.Session] = item.ID + ext
			}
			if !yield(r, w) {
				return
			}
		}
	}
}
