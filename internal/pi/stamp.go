package pi

import (
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

// text is the form in which callers keep it.
func (s stamp) text() string {
	b := strconv.AppendInt(make([]byte, 0, 64), s.Size, 36)
	b = strconv.AppendInt(append(b, '.'), s.Mtime, 36)
	b = strconv.AppendInt(append(b, '.'), s.Ctime, 36)
	b = strconv.AppendUint(append(b, '.'), s.Inode, 36)
	b = strconv.AppendUint(append(b, '.'), s.Dev, 36)
	return string(b)
}

// place makes the place of a file with this stamp.
func (s stamp) place(path string) lookback.Place {
	return lookback.Place{Path: path, Stamp: s.text(), Changed: s.changed(), Size: s.Size}
}

// fileType is what a path leads to, links followed.
type fileType uint8

const (
	special fileType = iota
	folder
	regular
	linked // a regular file with several names
)

// identity tells whether two paths lead to the same thing.
type identity struct {
	dev, inode uint64
	path       string // where the system has no inodes
}

func identify(path string, s stamp) identity {
	if s.Inode == 0 {
		return identity{path: path}
	}
	return identity{dev: s.Dev, inode: s.Inode}
}
