package pi

import (
	"bytes"
	"strconv"
	"time"
)

// moment is a time in milliseconds since 1970, and how it was written.
type moment struct {
	ms  int64
	set bool // usable
	bad bool // something stands there that is no usable time
}

// Times outside of these are faults of a clock or a program: nobody ran Pi then,
// and a year 1970 on screen helps nobody.
var (
	earliest = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli()
	latest   = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC).UnixMilli()
)

func (t moment) time() time.Time {
	if !t.set {
		return time.Time{}
	}
	return time.UnixMilli(t.ms).UTC()
}

func (p *parser) momentField(to *moment) bool {
	*to = moment{}
	var b []byte
	ok, parse := true, epoch
	switch c := p.peek(); {
	case c == 'n':
		return p.skip()
	case c == '"':
		p.pos++
		b, ok = p.str()
		parse = parseTime
	case c == '-' || c >= '0' && c <= '9':
		b, ok = p.number()
	default:
		ok = p.skip()
	}
	if ms, valid := parse(b); valid && ms >= earliest && ms <= latest {
		to.ms, to.set = ms, true
	}
	to.bad = !to.set
	return ok
}

// epoch reads a number of seconds, or of milliseconds when it is that large.
func epoch(b []byte) (int64, bool) {
	f, err := strconv.ParseFloat(string(b), 64)
	if err != nil || !(f >= 0 && f <= 1e15) {
		return 0, false
	}
	if f < 1e11 {
		f *= 1000
	}
	return int64(f), true
}

// layouts are the written forms that occur beside RFC 3339, which is Pi's own.
// Those without an offset are UTC.
var layouts = []string{"2006-01-02T15:04:05", time.DateTime, "2006-01-02T15:04:05-0700", "2006-01-02 15:04:05Z07:00", time.DateOnly}

func parseTime(b []byte) (int64, bool) {
	var t time.Time
	if t.UnmarshalText(b) == nil {
		return t.UnixMilli(), true
	}
	if len(b) > 40 {
		return 0, false
	}
	b = bytes.TrimSpace(b)
	if ms, ok := epoch(b); ok && len(b) >= 9 {
		return ms, true
	}
	for _, layout := range layouts {
		if t, err := time.Parse(layout, string(b)); err == nil {
			return t.UnixMilli(), true
		}
	}
	return 0, false
}
