package archive

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"

	"lookback"
)

// ErrForgotten is returned for sessions that a person had removed for good.
var ErrForgotten = errors.New("session was forgotten")

// Load reads one record. The error wraps fs.ErrNotExist when there is none,
// ErrDamaged when it is no valid record of that name, and ErrForgotten when its
// session is one to be forgotten.
func (a *Archive) Load(id string) (*Record, error) {
	r, err := a.read(id)
	if err != nil {
		return nil, err
	}
	if a.Forgotten(r.Session) {
		return nil, fmt.Errorf("record %s: %w", id, ErrForgotten)
	}
	return r, nil
}

func (a *Archive) read(id string) (*Record, error) {
	f, info, err := a.open(id)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info.Size() > MaxRecord {
		return nil, damaged("it is larger than %d bytes", MaxRecord)
	}
	b := make([]byte, info.Size())
	if _, err := io.ReadFull(f, b); err != nil {
		return nil, fmt.Errorf("read record %s: %w", id, err)
	}
	r, err := decode(id, b)
	if err != nil {
		return nil, err
	}
	r.info = info
	return r, nil
}

// open opens the file of a record for reading, but no link, pipe or device.
func (a *Archive) open(id string) (*os.File, fs.FileInfo, error) {
	if !SafeID(id) {
		return nil, nil, damaged("id %.60q is no safe file name", id)
	}
	f, err := openPlain(filepath.Join(a.Dir(), id+ext))
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = damaged("not a file")
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// headBytes is enough for the head of every usual record.
const headBytes = 4096

// Head reads what a record says before its nodes, a few kilobytes at most. Only
// records whose fields stand in another order are read whole. The nodes are not
// checked, so Load may still fail. Forgotten sessions are told by Forgotten.
func (a *Archive) Head(id string) (Head, error) {
	f, _, err := a.open(id)
	if err != nil {
		return Head{}, err
	}
	defer f.Close()
	b := make([]byte, headBytes)
	n, err := io.ReadFull(f, b)
	if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
		return Head{}, fmt.Errorf("read record %s: %w", id, err)
	}
	if h, ok := decodeHead(b[:n]); ok && h.ID == id && safeAgent(h.Session.Agent) {
		return h, nil
	}
	r, err := a.read(id)
	if err != nil {
		return Head{}, err
	}
	return Head{ID: r.ID, Session: r.Session, Name: r.Name}, nil
}

// Heads goes through the heads of all records in order of their names. A record
// that cannot be read gives a zero Head and a warning that names it; of two
// records with one session both come, the second with a warning. Forgotten
// sessions are left out.
func (a *Archive) Heads() iter.Seq2[Head, *lookback.Warning] {
	return walk(a, a.Head, func(h Head) (string, lookback.SessionID) { return h.ID, h.Session })
}

// All is Heads with the whole records, one in memory at a time. A record that
// cannot be read is nil beside its warning.
func (a *Archive) All() iter.Seq2[*Record, *lookback.Warning] {
	return walk(a, a.read, func(r *Record) (string, lookback.SessionID) { return r.ID, r.Session })
}

func walk[T any](a *Archive, load func(string) (T, error), name func(T) (string, lookback.SessionID)) iter.Seq2[T, *lookback.Warning] {
	return func(yield func(T, *lookback.Warning) bool) {
		var none T
		list, warnings, err := a.List()
		if err != nil {
			warnings = append(warnings, a.warning("", lookback.Unreadable, reason(err)))
		}
		for i := range warnings {
			if !yield(none, &warnings[i]) {
				return
			}
		}
		first := make(map[lookback.SessionID]string, len(list))
		for _, item := range list {
			one, err := load(item.ID)
			if errors.Is(err, fs.ErrNotExist) {
				continue // gone since the listing
			}
			if err != nil {
				w := a.warn(item.ID, err)
				if !yield(none, &w) {
					return
				}
				continue
			}
			id, session := name(one)
			if a.Forgotten(session) {
				continue
			}
			var w *lookback.Warning
			if other, double := first[session]; double {
				double := a.warning(id+ext, lookback.DuplicateSession, "the same session as "+other+ext)
				w = &double
			} else {
				first[session] = id
			}
			if !yield(one, w) {
				return
			}
		}
	}
}
