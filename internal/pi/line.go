package pi

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"lookback"
)

// line reads the current line of the feed.
func (r *run) line(first []byte) error {
	r.cur.Line++
	d, p := r.feed, r.p
	p.line(first)
	if d.long {
		p.src = d
	}
	if d.start == 0 && bytes.HasPrefix(first, []byte("\uFEFF")) {
		p.pos = 3
	}
	p.peek()
	if p.pos == len(p.buf) {
		return nil // blank
	}
	start := p.at()
	if p.record() && p.peek() == 0 && p.pos == len(p.buf) {
		d.finish()
		return r.accept(0)
	}
	end := d.finish()
	if end-d.start > maxLine {
		r.cur.AfterBad = true
		r.warn(lookback.OversizeLine)
		return nil
	}
	line := first
	if d.long {
		line = make([]byte, end-d.start)
		if _, err := r.f.ReadAt(line, d.start); err != nil && err != io.EOF {
			return fmt.Errorf("pi: %w", err)
		}
	}
	return r.damaged(line, int(start), !d.lf)
}

// damaged takes the whole records out of a line, from pos on, that is not exactly
// one. A line without LF at the end of the file, a tail, may still be in the middle
// of being written.
func (r *run) damaged(line []byte, pos int, tail bool) error {
	lost, cut := false, false // something else stood there; the line ends in it
	kept := 0
	// Every attempt may run to the end of the line before it fails, so a hostile
	// line could cost its length squared.
	budget := 32*len(line) + 1<<20
	start := r.blank(line, pos)
	for pos = start; pos < len(line) && budget > 0; {
		r.p.line(line[pos:])
		cut = !r.p.record()
		budget -= int(r.p.at()) + 1
		if cut {
			lost, r.cur.AfterBad = true, true
			pos = candidate(line, pos+1)
			continue
		}
		from := pos
		pos = r.blank(line, pos+int(r.p.rec.to))
		if alone := from == start && pos == len(line); !alone && !r.p.rec.sound(r.cur.Version) {
			lost, r.cur.AfterBad = true, true
			continue
		}
		kept++
		if err := r.accept(int64(from)); err != nil {
			return err
		}
	}
	if cut && line[len(line)-1] == 0 {
		r.warn(lookback.NulBytes)
	}
	r.cur.AfterBad = r.cur.AfterBad || cut || kept == 0
	switch {
	case lost && tail && cut && kept == 0:
		r.cutKind = lookback.TruncatedTail
	case lost && tail && cut:
		r.cutKind = lookback.BadLine
	case lost:
		r.warn(lookback.BadLine)
	}
	return nil
}

// blank passes over white space and NUL bytes.
func (r *run) blank(line []byte, pos int) int {
	rest := bytes.TrimLeft(line[pos:], " \t\r\x00")
	end := len(line) - len(rest)
	if bytes.IndexByte(line[pos:end], 0) >= 0 {
		r.warn(lookback.NulBytes)
	}
	return end
}

var recordStart = regexp.MustCompile(`\{[ \t\r]*"type"[ \t\r]*:[ \t\r]*"(` + strings.Join(slices.Sorted(maps.Keys(recordKinds)), "|") + `)"`)

// candidate finds the next place at or after from where a record may begin: an
// opening brace and a type that Pi writes. It returns the line's length for none.
func candidate(line []byte, from int) int {
	if at := recordStart.FindIndex(line[from:]); at != nil {
		return from + at[0]
	}
	return len(line)
}

// sound reports whether a recovered object is a record and not a fragment of one.
func (r *record) sound(version int) bool {
	if r.kind == kindUnset || r.kind == kindOther {
		return false
	}
	return r.hasID || version < 2 && r.kind != kindSession && (r.time.set || r.time.bad)
}
