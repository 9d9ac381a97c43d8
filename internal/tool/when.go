package tool

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"lookback"
)

// isoTime is the beginning that ISO dates and times have; ages and words such as
// yesterday, which people may type elsewhere, do not.
var isoTime = regexp.MustCompile(`^\d{4}(-\d\d){0,2}($|[T ])`)

// when reads the range of time of a search.
func when(v values, now time.Time) (lookback.Span, error) {
	zone := now.Location()
	if name := v.str("tz"); v.has("tz") {
		z, err := time.LoadLocation(name)
		if err != nil || strings.TrimSpace(name) == "" {
			return lookback.Span{}, fmt.Errorf("argument \"tz\": no time zone is called %q; use an IANA name such as UTC or Europe/Berlin", clip(name, 60))
		}
		zone = z
	}
	now = now.In(zone)
	var s lookback.Span
	var err error
	if v.has("from") {
		if s.From, err = moment("from", v.str("from"), now, false); err != nil {
			return s, err
		}
	}
	if v.has("to") {
		if s.To, err = moment("to", v.str("to"), now, true); err != nil {
			return s, err
		}
	}
	if v.has("from") && v.has("to") && !s.From.Before(s.To) {
		return s, fmt.Errorf("arguments \"from\" and \"to\": %s is later than %s; swap them", clip(v.str("from"), 60), clip(v.str("to"), 60))
	}
	return s, nil
}

// moment reads one bound. An upper one includes what it names: the day of a bare
// date, the millisecond of a time.
func moment(name, value string, now time.Time, upper bool) (time.Time, error) {
	bad := fmt.Errorf("argument %q: %q is no ISO date or time; write 2026-01-31 or 2026-01-31T15:04:05Z", name, clip(value, 60))
	value = strings.TrimSpace(value)
	if !isoTime.MatchString(value) {
		return time.Time{}, bad
	}
	t, err := lookback.ParseTime(value, now, upper)
	if err != nil {
		return t, bad
	}
	if upper {
		if start, err := lookback.ParseTime(value, now, false); err == nil && start.Equal(t) {
			t = t.Add(time.Millisecond) // bounds are exclusive, and times are kept to the millisecond
		}
	}
	return t, nil
}
