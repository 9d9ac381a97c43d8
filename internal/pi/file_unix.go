//go:build linux || darwin

package pi

import (
	"io"
	"os"
	"syscall"
)

// file is a session file open for reading. It is not an os.File because that
// registers every file with the poller, which costs more system calls than reading
// a small session does.
type file struct {
	fd   int
	path string
}

func openFile(path string) (*file, error) {
	for {
		fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC|syscall.O_NONBLOCK, 0)
		switch err {
		case nil:
			return &file{fd, path}, nil
		case syscall.EINTR:
		default:
			return nil, &os.PathError{Op: "open", Path: path, Err: err}
		}
	}
}

// ReadAt implements io.ReaderAt.
func (f *file) ReadAt(b []byte, at int64) (n int, err error) {
	for n < len(b) {
		m, err := syscall.Pread(f.fd, b[n:], at+int64(n))
		switch {
		case err == syscall.EINTR:
		case err != nil:
			return n, &os.PathError{Op: "read", Path: f.path, Err: err}
		case m == 0:
			return n, io.EOF
		default:
			n += m
		}
	}
	return n, nil
}

func (f *file) close() { _ = syscall.Close(f.fd) }

func (f *file) stat() (stamp, fileType, error) {
	var st syscall.Stat_t
	if err := syscall.Fstat(f.fd, &st); err != nil {
		return stamp{}, special, &os.PathError{Op: "stat", Path: f.path, Err: err}
	}
	return stampFrom(&st), typeFrom(&st), nil
}

// statPath follows links. The system call is made directly: it is done once per
// session file on every sync.
func statPath(path string) (stamp, fileType, error) {
	var st syscall.Stat_t
	if err := syscall.Stat(path, &st); err != nil {
		return stamp{}, special, &os.PathError{Op: "stat", Path: path, Err: err}
	}
	return stampFrom(&st), typeFrom(&st), nil
}

func typeFrom(st *syscall.Stat_t) fileType {
	switch {
	case st.Mode&syscall.S_IFMT == syscall.S_IFDIR:
		return folder
	case st.Mode&syscall.S_IFMT != syscall.S_IFREG:
		return special
	case st.Nlink > 1:
		return linked
	}
	return regular
}
