//go:build linux || darwin

package pi

import (
	"io/fs"
	"syscall"
)

// statPath follows links. The system call is made directly: it is done once per
// session file on every sync.
func statPath(path string) (stamp, fileType, error) {
	var st syscall.Stat_t
	if err := syscall.Stat(path, &st); err != nil {
		return stamp{}, special, &fs.PathError{Op: "stat", Path: path, Err: err}
	}
	typ := special
	switch st.Mode & syscall.S_IFMT {
	case syscall.S_IFREG:
		typ = regular
	case syscall.S_IFDIR:
		typ = folder
	}
	return stampFrom(&st), typ, nil
}
