package archive

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"lookback"
)

// Archive is one directory of records. It holds nothing open, and its methods
// may be called from several goroutines.
type Archive struct {
	base  string   // what is above the archive; may be reached through links
	below []string // folders from base to the archive; none may be a link when we write
	make  bool     // base may be made
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
	return &Archive{base: root, below: strings.Split(lookback.WorkspaceArchive, "/")}
}

// Dir is the path of the archive.
func (a *Archive) Dir() string {
	return filepath.Join(append([]string{a.base}, a.below...)...)
}

func (a *Archive) path(name string) string { return filepath.Join(a.Dir(), name) }

// Exists reports whether the directory is there.
func (a *Archive) Exists() bool {
	return !a.Changed().IsZero()
}

// Changed is the time at which a record was last added, replaced or removed: the
// directory's own. A caller that remembers it can leave out List. Edits made
// inside a file, which no program of ours does, do not move it. It is zero when
// the directory is not there.
func (a *Archive) Changed() time.Time {
	info, err := os.Stat(a.Dir())
	if err != nil || !info.IsDir() {
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

// ext ends the names of records.
const ext = ".json"

// recordID is the id that a file name promises; ok is false for other files.
func recordID(name string) (id string, ok bool) {
	id, ok = strings.CutSuffix(name, ext)
	return id, ok && id != "" && id[0] != '.'
}

// List returns the records by their names, in order of the names, without opening
// them. Files of other kinds are passed over; those that look like records and
// cannot be one are warned of. A missing directory has none.
func (a *Archive) List() ([]Stamp, []lookback.Warning, error) {
	items, err := os.ReadDir(a.Dir())
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	var list []Stamp
	var warnings []lookback.Warning
	for _, item := range items {
		id, ok := recordID(item.Name())
		if !ok {
			continue
		}
		info, err := item.Info()
		switch {
		case err != nil: // gone since
		case !SafeID(id):
			warnings = append(warnings, *a.warn(item.Name(), damaged("the name is unsafe")))
		case !item.Type().IsRegular():
			warnings = append(warnings, *a.warn(item.Name(), errNoFile))
		default:
			list = append(list, Stamp{ID: id, Size: info.Size(), ModTime: info.ModTime()})
		}
	}
	return list, warnings, err
}

// warn turns an error about a file into a warning that names it.
func (a *Archive) warn(name string, err error) *lookback.Warning {
	w := lookback.Warning{Kind: lookback.Unreadable, File: a.path(name), Count: 1, Detail: err.Error()}
	var path *fs.PathError
	switch {
	case errors.Is(err, ErrDamaged):
		w.Kind, w.Detail = lookback.BadArchive, strings.TrimPrefix(w.Detail, ErrDamaged.Error()+": ")
	case errors.As(err, &path):
		w.Detail = path.Err.Error()
	}
	return &w
}
