package pi

import (
	"bytes"

	"lookback"
)

// recovery says what a line that is not exactly one record holds.
type recovery struct {
	spans []span // whole objects
	nul   bool   // NUL bytes stood around them
	torn  bool   // something else stood there too
	cut   bool   // the line ends in something else
}

// span is a piece of a line. gap means that something unreadable stands before it.
type span struct {
	from, to int
	gap      bool
}

// recoverLine finds the whole objects of a damaged line.
func (p *parser) recoverLine(line []byte) recovery {
	var rec recovery
	gap := false
	// Every attempt may run to the end of the line before it fails, so a hostile
	// line could cost its length squared.
	budget := 32*len(line) + 1<<20
	for pos := 0; budget > 0; {
		n, nul := blank(line[pos:])
		rec.nul = rec.nul || nul
		pos += n
		if pos == len(line) {
			break
		}
		p.line(line[pos:])
		ok := p.record()
		budget -= int(p.at()) + 1
		if ok {
			rec.spans = append(rec.spans, span{pos, pos + int(p.rec.to), gap})
			pos += int(p.rec.to)
			gap = false
			continue
		}
		rec.torn, gap = true, true
		pos = candidate(line, pos+1)
	}
	rec.cut = gap
	if end := bytes.TrimRight(line, " \t\r"); len(end) > 0 && end[len(end)-1] == 0 {
		rec.nul = true
	}
	return rec
}

// blank is the length of the white space and NUL bytes at the start of b.
func blank(b []byte) (n int, nul bool) {
	for n < len(b) && (b[n] == ' ' || b[n] == '\t' || b[n] == '\r' || b[n] == 0) {
		nul = nul || b[n] == 0
		n++
	}
	return n, nul
}

var typeKey = []byte(`"type"`)

// candidate finds the next place at or after from where a record may begin: an
// opening brace and a type that Pi writes. It returns the line's length for none.
func candidate(line []byte, from int) int {
	for at := from; ; {
		i := bytes.Index(line[at:], typeKey)
		if i < 0 {
			return len(line)
		}
		at += i
		open := at - 1
		for open >= from && isSpace(line[open]) {
			open--
		}
		at += len(typeKey)
		if open >= from && line[open] == '{' && startsRecord(line[at:]) {
			return open
		}
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }

// startsRecord reports whether b goes on with a colon and a record type.
func startsRecord(b []byte) bool {
	b = bytes.TrimLeft(b, " \t\r")
	if len(b) == 0 || b[0] != ':' {
		return false
	}
	b = bytes.TrimLeft(b[1:], " \t\r")
	if len(b) == 0 || b[0] != '"' {
		return false
	}
	b = b[1:min(len(b), 40)]
	i := bytes.IndexByte(b, '"')
	return i >= 0 && kindOf(b[:i]) != kindOther
}

// sound reports whether a recovered object is a record and not a fragment of one.
func (r *record) sound(version int) bool {
	switch r.kind {
	case kindUnset, kindOther:
		return false
	case kindSession:
		return r.hasID
	}
	return r.hasID || version < 2 && (r.time.set || r.time.bad)
}

// damaged handles a line that is not exactly one record. A line without LF at the
// end of the file may still be in the middle of being written.
func (r *run) damaged(line []byte, tail bool) error {
	rec := r.p.recoverLine(line)
	if rec.nul {
		r.warn(lookback.NulBytes)
	}
	single := len(rec.spans) == 1 && !rec.torn
	lost, kept := rec.torn, 0
	for _, s := range rec.spans {
		r.cur.AfterBad = r.cur.AfterBad || s.gap
		r.p.line(line[s.from:s.to])
		r.p.record()
		if !single && !r.p.rec.sound(r.cur.Version) {
			lost, r.cur.AfterBad = true, true
			continue
		}
		kept++
		if err := r.accept(int64(s.from)); err != nil {
			return err
		}
	}
	r.cur.AfterBad = r.cur.AfterBad || rec.cut || len(rec.spans) == 0
	switch {
	case !lost:
	case tail && rec.cut:
		r.cutKind = lookback.TruncatedTail
		if kept > 0 {
			r.cutKind = lookback.BadLine
		}
	default:
		r.warn(lookback.BadLine)
	}
	return nil
}
