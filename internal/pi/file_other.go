//go:build !linux && !darwin

package pi

import "os"

// file is a session file open for reading.
type file struct{ *os.File }

func openFile(path string) (*file, error) {
	f, err := os.Open(path)
	return &file{f}, err
}

func (f *file) close() { _ = f.Close() }

func (f *file) stat() (stamp, fileType, error) {
	info, err := f.Stat()
	if err != nil {
		return stamp{}, special, err
	}
	return stampFrom(info), typeFrom(info), nil
}

func statPath(path string) (stamp, fileType, error) {
	info, err := os.Stat(path)
	if err != nil {
		return stamp{}, special, err
	}
	return stampFrom(info), typeFrom(info), nil
}

func typeFrom(info os.FileInfo) fileType {
	switch {
	case info.Mode().IsRegular():
		return regular
	case info.IsDir():
		return folder
	}
	return special
}

func stampFrom(info os.FileInfo) stamp {
	return stamp{Size: info.Size(), Mtime: info.ModTime().UnixNano()}
}
