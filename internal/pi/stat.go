package pi

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"time"

	"lookback"
)

// stamp is what the system says about a file without opening it. Two equal stamps
// mean the same, unchanged file.
type stamp struct {
	Size  int64
	Mtime int64  // ns since 1970
	Ctime int64  `json:",omitempty"` // ns since 1970; 0 where the system has none
	Inode uint64 `json:",omitempty"` // 0 where the system has none
	Dev   uint64 `json:",omitempty"`
}

func (s stamp) changed() time.Time { return time.Unix(0, s.Mtime).UTC() }

// place makes the place of a file with this stamp.
func (s stamp) place(path string) lookback.Place {
	text := strconv.AppendInt(make([]byte, 0, 64), s.Size, 36)
	for _, n := range [...]uint64{uint64(s.Mtime), uint64(s.Ctime), s.Inode, s.Dev} {
		text = strconv.AppendUint(append(text, '.'), n, 36)
	}
	return lookback.Place{Path: path, Stamp: string(text), Changed: s.changed(), Size: s.Size}
}

// fileType is what a path leads to, links followed.
type fileType uint8

const (
	special fileType = iota
	folder
	regular
)

// identity tells whether two paths lead to the same thing.
type identity struct {
	dev, inode uint64
	path       string // where the system has no inodes
}

func identify(path string, s stamp) identity {
	if s.Inode != 0 {
		path = ""
	}
	return identity{s.Dev, s.Inode, path}
}

// openFile opens a regular file for reading, and nothing else: a pipe could wait
// for its writer for ever. The stamp is older than what is read, never younger.
func openFile(path string) (*os.File, stamp, error) {
	now, typ, err := statPath(path)
	if err == nil && typ != regular {
		err = &fs.PathError{Op: "read", Path: path, Err: errors.New("not a regular file")}
	}
	var f *os.File
	if err == nil {
		f, err = os.Open(path)
	}
	if err != nil {
		return nil, now, fmt.Errorf("pi: %w", err)
	}
	return f, now, nil
}
