//go:build !linux && !darwin

package pi

import "os"

func statPath(path string) (stamp, fileType, error) {
	info, err := os.Stat(path)
	if err != nil {
		return stamp{}, special, err
	}
	typ := special
	if info.Mode().IsRegular() {
		typ = regular
	} else if info.IsDir() {
		typ = folder
	}
	return stamp{Size: info.Size(), Mtime: info.ModTime().UnixNano()}, typ, nil
}
