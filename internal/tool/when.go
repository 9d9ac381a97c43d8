package tool

import (
	"fmt"
	"regexp"
	"time"

	"lookback"
)

// isoTime is the beginning that ISO dates and times have; ages and words such as
// yesterday, which people may type elsewhere, do not.
var isoTime = regexp.MustCompile(`^\s*\d{4}(-\d\d){0,2}($|[T ])`)

// when reads the range of time of a search.
func when(a pbotArgs, now time.Time) (s lookback.Span, err error) {
	if a.TZ != "" {
		zone, err := time.LoadLocation(a.TZ)
		if err != nil {
			return s, fmt.Errorf("argument \"tz\": no time zone is called %q; use an IANA name such as UTC or Europe/Berlin", clip(a.TZ, 60))
		}
		now = now.In(zone)
	}
	if a.From != "" {
		if s.From, err = moment("from", a.From, now, false); err != nil {
			return s, err
		}
	}
	if a.To != "" {
		if s.To, err = moment("to", a.To, now, true); err != nil {
			return s, err
		}
	}
	if a.From != "" && a.To != "" && !s.From.Before(s.To) {
		return s, fmt.Errorf("arguments \"from\" and \"to\": %s is later than %s; swap them", clip(a.From, 60), clip(a.To, 60))
	}
	return s, nil
}

// moment reads one bound. An upper one includes what it names: the day of a bare
// date, the millisecond of a time.
func moment(name, value string, now time.Time, upper bool) (time.Time, error) {
	start, err := lookback.ParseTime(value, now, false)
	if err != nil || !isoTime.MatchString(value) {
		return start, fmt.Errorf("argument %q: %q is no ISO date or time; write 2026-01-31 or 2026-01-31T15:04:05Z", name, clip(value, 60))
	}
	if !upper {
		return start, nil
	}
	end, err := lookback.ParseTime(value, now, true)
	if end.Equal(start) {
		end = end.Add(time.Millisecond) // bounds are exclusive, and times are kept to the millisecond
	}
	return end, err
}
