package lookback

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

var timeLayouts = []struct {
	layout string
	step   func(time.Time) time.Time // the end of what a bare value covers
}{
	{time.RFC3339Nano, nil},
	{"2006-01-02T15:04:05", nil},
	{"2006-01-02 15:04:05", nil},
	{"2006-01-02T15:04Z07:00", func(t time.Time) time.Time { return t.Add(time.Minute) }},
	{"2006-01-02T15:04", func(t time.Time) time.Time { return t.Add(time.Minute) }},
	{"2006-01-02 15:04", func(t time.Time) time.Time { return t.Add(time.Minute) }},
	{"2006-01-02", func(t time.Time) time.Time { return t.AddDate(0, 0, 1) }},
	{"2006-01", func(t time.Time) time.Time { return t.AddDate(0, 1, 0) }},
	{"2006", func(t time.Time) time.Time { return t.AddDate(1, 0, 0) }},
}

// ParseTime reads a date, a time or an age. A date or time without a zone is
// read in now's zone. An age is a number and a unit, 90s 45m 36h 7d 2w 6mo 1y,
// and counts back from now; a sign before it is ignored. "today", "yesterday"
// and "now" are known. With end, a value that names a whole day, month, year or
// minute gives its end, exclusive. Errors are *QueryError.
func ParseTime(s string, now time.Time, end bool) (time.Time, error) {
	s = strings.TrimSpace(s)
	midnight := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	day := 0
	if end {
		day = 1
	}
	switch strings.ToLower(s) {
	case "now":
		return now, nil
	case "today":
		return midnight.AddDate(0, 0, day), nil
	case "yesterday":
		return midnight.AddDate(0, 0, day-1), nil
	}
	if t, ok := age(strings.TrimLeft(s, "+-"), now); ok {
		return t, nil
	}
	for _, l := range timeLayouts {
		if t, err := time.ParseInLocation(l.layout, s, now.Location()); err == nil {
			if end && l.step != nil {
				t = l.step(t)
			}
			return t, nil
		}
	}
	return time.Time{}, &QueryError{
		Problem: fmt.Sprintf("%q is not a time", Clip(s, 40)),
		Hint:    "write a date (2026-01-31, 2026-01), a time (2026-01-31T15:04) or an age (36h, 7d, 2w, 6mo, 1y)",
	}
}

func age(s string, now time.Time) (time.Time, bool) {
	i := 0
	for i < len(s) && '0' <= s[i] && s[i] <= '9' {
		i++
	}
	n, err := strconv.Atoi(s[:i])
	if err != nil || n > 1_000_000 {
		return time.Time{}, false
	}
	switch strings.ToLower(s[i:]) {
	case "s", "sec":
		return now.Add(-time.Duration(n) * time.Second), true
	case "m", "min":
		return now.Add(-time.Duration(n) * time.Minute), true
	case "h":
		return now.Add(-time.Duration(n) * time.Hour), true
	case "d":
		return now.AddDate(0, 0, -n), true
	case "w":
		return now.AddDate(0, 0, -7*n), true
	case "mo", "month", "months":
		return now.AddDate(0, -n, 0), true
	case "y":
		return now.AddDate(-n, 0, 0), true
	}
	return time.Time{}, false
}
