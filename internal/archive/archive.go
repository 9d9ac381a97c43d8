package archive

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"lookback"
)

// Archive is one directory of records. It holds nothing open, and its methods
// may be called from several goroutines.
type Archive struct {
	base  string   // what is above the archive; may be reached through links
	below []string // folders from base to the archive; none may be a link when we write
	make  bool     // base may be made

	mu        sync.Mutex // guards the two below
	forgotten map[string]bool
	listed    fs.FileInfo // the file that forgotten was read from
}

// Open returns the archive in dir, such as the user's. Nothing is read or made:
// a directory that is missing is an empty archive and is made by the first write.
func Open(dir string) *Archive {
	dir = filepath.Clean(dir)
	return &Archive{base: filepath.Dir(dir), below: []string{filepath.Base(dir)}, make: true}
}

// InWorkspace returns the archive of the workspace at root. A root that is gone
// is not made again.
func InWorkspace(root string) *Archive {
	return &Archive{base: root, below: []string{".pi", "pbot", "history"}}
}

// Dir is the path of the archive.
func (a *Archive) Dir() string {
	return filepath.Join(append([]string{a.base}, a.below...)...)
}

// Exists reports whether the directory is there.
func (a *Archive) Exists() bool {
	info, err := os.Stat(a.Dir())
	return err == nil && info.IsDir()
}

// Changed is the time at which a record was last added, replaced or removed: the
// directory's own. A caller that remembers it can leave out List. Edits made
// inside a file, which no program of ours does, do not move it. It is zero when
// the directory is not there.
func (a *Archive) Changed() time.Time {
	info, err := os.Stat(a.Dir())
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// Stamp tells whether a record has changed since it was last looked at.
type Stamp struct {
	ID      string
	Size    int64 // bytes
	ModTime time.Time
}

// List returns the records by their names, in order of the names, without opening
// them. Files of other kinds are passed over; those that look like records and
// cannot be one are warned of. A missing directory has none.
func (a *Archive) List() ([]Stamp, []lookback.Warning, error) {
	items, err := os.ReadDir(a.Dir())
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return nil, nil, err
	}
	var list []Stamp
	var warnings []lookback.Warning
	for _, item := range items {
		id, isJSON := strings.CutSuffix(item.Name(), ext)
		if !isJSON || id == "" || id[0] == '.' {
			continue
		}
		if reason := a.unfit(id, item); reason != "" {
			warnings = append(warnings, a.warning(item.Name(), lookback.BadArchive, reason))
			continue
		}
		info, err := item.Info()
		if err != nil {
			continue // gone since
		}
		list = append(list, Stamp{ID: id, Size: info.Size(), ModTime: info.ModTime()})
	}
	return list, warnings, nil
}

// ext ends the names of records.
const ext = ".json"

func (a *Archive) unfit(id string, item fs.DirEntry) string {
	switch {
	case !SafeID(id):
		return "the name is unsafe"
	case item.Type()&fs.ModeSymlink != 0:
		return "a symbolic link is no record"
	case !item.Type().IsRegular():
		return "not a file"
	}
	return ""
}

func (a *Archive) warning(name string, kind lookback.WarningKind, detail string) lookback.Warning {
	return lookback.Warning{Kind: kind, File: filepath.Join(a.Dir(), name), Count: 1, Detail: detail}
}

// warn turns the error of reading a record into a warning.
func (a *Archive) warn(id string, err error) lookback.Warning {
	if detail, ok := strings.CutPrefix(err.Error(), ErrDamaged.Error()+": "); ok && errors.Is(err, ErrDamaged) {
		return a.warning(id+ext, lookback.BadArchive, detail)
	}
	return a.warning(id+ext, lookback.Unreadable, reason(err))
}

// reason is err without the path, which the warning names anyway.
func reason(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return err.Error()
}
