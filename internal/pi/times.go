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
	c := p.peek()
	var b []byte
	var ok bool
	switch {
	case c == '"':
		p.pos++
		if b, ok = p.str(); !ok {
			return false
		}
		to.ms, ok = parseTime(b)
	case c == '-' || c >= '0' && c <= '9':
		if b, ok = p.number(); !ok {
			return false
		}
		to.ms, ok = epoch(b)
	case c == 'n':
		return p.skip()
	default:
		to.bad = true
		return p.skip()
	}
	to.set = ok && to.ms >= earliest && to.ms <= latest
	to.bad = !to.set
	return true
}

// epoch reads a number of seconds, or of milliseconds when it is that large.
func epoch(b []byte) (int64, bool) {
	f, err := strconv.ParseFloat(string(b), 64)
	if err != nil || f != f || f < 0 || f > 1e15 {
		return 0, false
	}
	if f < 1e11 {
		f *= 1000
	}
	return int64(f), true
}

// layouts are the written forms that occur beside Pi's own. Those without an
// offset are UTC.
var layouts = []string{
	time.RFC3339, "2006-01-02 15:04:05Z07:00", "2006-01-02T15:04:05-0700", "2006-01-02 15:04:05 -0700",
	"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04Z07:00", "2006-01-02 15:04", time.DateOnly,
}

func parseTime(b []byte) (int64, bool) {
	if ms, ok := isoTime(b); ok {
		return ms, true
	}
	if len(b) > 40 {
		return 0, false
	}
	text := string(bytes.TrimSpace(b))
	if ms, ok := epoch([]byte(text)); ok && len(text) >= 9 {
		return ms, true
	}
	for _, layout := range layouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UnixMilli(), true
		}
	}
	return 0, false
}

// isoTime reads exactly the form that Pi writes, 2006-01-02T15:04:05.000Z.
func isoTime(b []byte) (int64, bool) {
	if len(b) != 24 || b[4] != '-' || b[7] != '-' || b[10] != 'T' || b[13] != ':' || b[16] != ':' || b[19] != '.' || b[23] != 'Z' {
		return 0, false
	}
	var v [7]int
	for i, at := range [7][2]int{{0, 4}, {5, 7}, {8, 10}, {11, 13}, {14, 16}, {17, 19}, {20, 23}} {
		n, ok := atoi(b[at[0]:at[1]])
		if !ok {
			return 0, false
		}
		v[i] = n
	}
	if v[1] < 1 || v[1] > 12 || v[2] < 1 || v[2] > 28 && v[2] > days(v[0], v[1]) || v[3] > 23 || v[4] > 59 || v[5] > 59 {
		return 0, false
	}
	// Days since 1970 by counting from March, so that the leap day comes last.
	y, m := v[0], v[1]
	if m < 3 {
		y, m = y-1, m+12
	}
	day := 365*y + y/4 - y/100 + y/400 + (153*(m-3)+2)/5 + v[2] - 719469
	return (((int64(day)*24+int64(v[3]))*60+int64(v[4]))*60+int64(v[5]))*1000 + int64(v[6]), true
}

func days(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}
