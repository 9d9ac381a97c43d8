package pi

import (
	"bytes"
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
// is handed out in one piece, a longer one chunk by chunk. The blockSize bytes
// before the current line are kept for the prefix hash.
type feed struct {
	f      io.ReaderAt
	buf    []byte
	r, w   int   // buf[r:w] is read but not handed out
	off    int64 // of buf[r] in the file
	size   int64 // what lies behind it is not read, so that the stamp fits what was
	eof    bool
	err    error
	head   []byte // the first bytes of the file, for the hash
	before []byte // the block before a long line
	start  int64  // offset of the current line
	long   bool   // the current line is handed out in chunks
	closed bool   // the LF of the long line, or the end of the file, was seen
	lf     bool   // the current line ends with an LF
	parser parser
	ids    index
}

// open starts reading a file of that size at off. A beginning other than 0 fetches the block before
// it first, so that the prefix hash can be made.
func (d *feed) open(f io.ReaderAt, off, size int64) error {
	if d.buf == nil {
		d.buf = make([]byte, bufSize)
	}
	d.f, d.off, d.start, d.size, d.err = f, off, off, size, nil
	d.r, d.w, d.eof, d.long, d.closed, d.lf = 0, 0, false, false, false, true
	d.head, d.before = d.head[:0], d.before[:0]
	if off == 0 {
		return nil
	}
	n, err := f.ReadAt(d.buf[:min(blockSize, off)], max(0, off-blockSize))
	d.r, d.w = n, n
	if err != nil {
		return err
	}
	d.head = append(d.head, make([]byte, min(blockSize, off))...)
	_, err = f.ReadAt(d.head, 0)
	return err
}

// load reads more behind buf[r:w], moving that and the block before it to the
// front. It reports whether anything came.
func (d *feed) load() bool {
	if d.eof || d.err != nil {
		return false
	}
	if keep := max(0, d.r-blockSize); keep > 0 {
		copy(d.buf, d.buf[keep:d.w])
		d.r, d.w = d.r-keep, d.w-keep
	}
	at := d.off + int64(d.w-d.r)
	space := int(min(int64(len(d.buf)-d.w), d.size-at))
	if space <= 0 {
		d.eof = true
		return false
	}
	n, err := d.f.ReadAt(d.buf[d.w:d.w+space], at)
	if at < blockSize && n > 0 {
		d.head = append(d.head[:at], d.buf[d.w:d.w+int(min(int64(n), blockSize-at))]...)
	}
	d.w += n
	switch err {
	case nil:
	case io.EOF:
		d.eof = true
	default:
		d.err = err
	}
	return n > 0
}

// next moves to the next line; false at the end of the file or on an error. Line
// is the whole line without its LF, or the first chunk when long is set.
func (d *feed) next() (line []byte, ok bool) {
	seen := 0
	d.start, d.long, d.closed = d.off, false, false
	for {
		if i := bytes.IndexByte(d.buf[d.r+seen:d.w], '\n'); i >= 0 {
			line = d.buf[d.r : d.r+seen+i]
			d.pass(seen + i + 1)
			d.lf = true
			return line, true
		}
		seen = d.w - d.r
		if d.w == len(d.buf) && d.r <= blockSize {
			d.long, d.lf = true, false
			break
		}
		if !d.load() {
			break
		}
	}
	if seen == 0 || d.err != nil {
		return nil, false
	}
	line = d.buf[d.r:d.w]
	d.before = append(d.before[:0], d.buf[max(0, d.r-blockSize):d.r]...)
	d.pass(seen)
	d.lf = false
	return line, true
}

func (d *feed) pass(n int) {
	d.r += n
	d.off += int64(n)
}

// chunk returns the next piece of a long line; empty at its end.
func (d *feed) chunk() []byte {
	if d.closed || !d.long {
		return nil
	}
	if d.r == d.w && !d.load() {
		d.closed = true
		return nil
	}
	b := d.buf[d.r:d.w]
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		b = b[:i]
		d.pass(i + 1)
		d.closed, d.lf = true, true
		return b
	}
	d.pass(len(b))
	return b
}

// finish passes over what is left of the current line and returns the offset of
// its end, its LF not counted.
func (d *feed) finish() int64 {
	for d.long && !d.closed {
		d.chunk()
	}
	if d.lf {
		return d.off - 1
	}
	return d.off
}

// prefix hashes the head and the last block of what was consumed: up to the
// current position, or up to the unterminated line that was handed out last.
func (d *feed) prefix(tail bool) (head, block string) {
	end, last := d.off, d.buf[max(0, d.r-blockSize):d.r]
	if tail {
		end, last = d.start, d.before
	}
	return digest(d.head[:min(int64(len(d.head)), end)]), digest(last)
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:12])
}
