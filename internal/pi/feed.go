package pi

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"io"
)

const (
	bufSize = 256 << 10
	// blockSize is how much of the consumed prefix is hashed at its head and at
	// its end to tell an append from a rewrite.
	blockSize = 4 << 10
	// maxLine bounds what a line that must be repaired, or held in one piece for
	// another reason, may take in memory.
	maxLine = 256 << 20
)

// feed cuts a file into lines through one buffer of fixed size. A line that fits
// is handed out in one piece, a longer one chunk by chunk.
type feed struct {
	buf    *bufio.Reader
	start  int64 // offset of the current line
	off    int64 // behind what was handed out
	long   bool  // the current line is handed out in chunks
	open   bool  // and it has more
	lf     bool  // the current line ends with an LF
	err    error
	parser parser

	head, block [blockSize]byte // see prefix
}

// reset starts reading at off. What lies behind size is not read, so that the
// stamp fits what was.
func (d *feed) reset(f io.ReaderAt, off, size int64) {
	if d.buf == nil {
		d.buf = bufio.NewReaderSize(nil, bufSize)
	}
	d.buf.Reset(io.NewSectionReader(f, off, size-off))
	d.off, d.err, d.lf = off, nil, true
	if off == 0 {
		head, _ := d.buf.Peek(int(min(blockSize, size)))
		copy(d.head[:], head)
	}
}

// next moves to the next line; false at the end of the file or on an error. Line
// is the whole line without its LF, or the first chunk when long is set.
func (d *feed) next() (line []byte, ok bool) {
	d.start, d.open = d.off, true
	line = d.chunk()
	d.long = d.open
	return line, d.off > d.start && d.err == nil
}

// chunk returns the next piece of a line; empty at its end.
func (d *feed) chunk() []byte {
	if !d.open {
		return nil
	}
	b, err := d.buf.ReadSlice('\n')
	d.off += int64(len(b))
	d.open = err == bufio.ErrBufferFull
	switch {
	case err == nil:
		d.lf = true
		return b[:len(b)-1]
	case !d.open && err != io.EOF:
		d.err = err
	case len(b) > 0:
		d.lf = false
	}
	return b
}

// finish passes over what is left of the current line and returns the offset of
// its end, its LF not counted.
func (d *feed) finish() int64 {
	for d.open {
		d.chunk()
	}
	if d.lf {
		return d.off - 1
	}
	return d.off
}

// prefix hashes the head and the last block of the first end bytes of f, of which
// head was read before.
func (d *feed) prefix(f io.ReaderAt, end int64) (head, block string, err error) {
	b := d.block[:min(blockSize, end)]
	if _, err := f.ReadAt(b, end-int64(len(b))); err != nil && err != io.EOF {
		return "", "", err
	}
	return digest(d.head[:len(b)]), digest(b), nil
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:12])
}
