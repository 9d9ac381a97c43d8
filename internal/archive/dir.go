package archive

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// ErrLink is returned when a write would go through a symbolic link or replace
// something that is no file.
var ErrLink = errors.New("refusing to write through a link or special file")

// enter opens the archive's directory for writing, making what is missing with
// mode 0700. The handle pins it: names put in its place later are not followed.
func (a *Archive) enter() (*os.Root, error) {
	if a.make {
		if err := os.MkdirAll(a.base, 0o700); err != nil {
			return nil, err
		}
	}
	dir, err := os.OpenRoot(a.base)
	if err != nil {
		return nil, err
	}
	for _, name := range a.below {
		next, err := step(dir, name)
		dir.Close()
		if err != nil {
			return nil, err
		}
		dir = next
	}
	return dir, nil
}

// step opens one folder below dir, but no link to one.
func step(dir *os.Root, name string) (*os.Root, error) {
	before, err := dir.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		err = makeDir(dir, name)
		if err == nil {
			before, err = dir.Lstat(name)
		}
	}
	if err != nil {
		return nil, err
	}
	if !before.IsDir() {
		return nil, fmt.Errorf("%s in %s: %w", name, dir.Name(), ErrLink)
	}
	next, err := dir.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	after, err := next.Stat(".")
	if err == nil && !os.SameFile(before, after) {
		err = fmt.Errorf("%s in %s: %w", name, dir.Name(), ErrLink) // swapped just now
	}
	if err != nil {
		next.Close()
		return nil, err
	}
	return next, nil
}

func makeDir(dir *os.Root, name string) error {
	err := dir.Mkdir(name, 0o700)
	if errors.Is(err, fs.ErrExist) {
		return nil // another process was faster
	}
	if err != nil {
		return err
	}
	if err := dir.Chmod(name, 0o700); err != nil { // a umask may have taken bits away
		return err
	}
	return syncDir(dir)
}

// tighten takes the rights of others from the archive's own directory. It fails
// when the directory is another user's, which then decides for itself.
func tighten(dir *os.Root) {
	if info, err := dir.Stat("."); err == nil && info.Mode().Perm()&0o077 != 0 {
		_ = dir.Chmod(".", 0o700)
	}
}
