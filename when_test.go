package lookback

import (
	"errors"
	"testing"
	"time"
)

func TestParseTime(t *testing.T) {
	tokyo := time.FixedZone("JST", 9*3600)
	at := func(month time.Month, d, h, m, s int) time.Time {
		return time.Date(2026, month, d, h, m, s, 0, time.UTC)
	}
	tests := []struct {
		in         string
		begin, end time.Time // in UTC, when now is noon UTC
	}{
		{"now", noon, noon},
		{"today", day(2026, 3, 11), day(2026, 3, 12)},
		{" Yesterday ", day(2026, 3, 10), day(2026, 3, 11)},

		{"2026", day(2026, 1, 1), day(2027, 1, 1)},
		{"2026-02", day(2026, 2, 1), day(2026, 3, 1)},
		{"2026-12", day(2026, 12, 1), day(2027, 1, 1)},
		{"2024-02-29", day(2024, 2, 29), day(2024, 3, 1)},
		{"2026-01-31", day(2026, 1, 31), day(2026, 2, 1)},
		{"2026-01-31T15:04", at(1, 31, 15, 4, 0), at(1, 31, 15, 5, 0)},
		{"2026-01-31 15:04", at(1, 31, 15, 4, 0), at(1, 31, 15, 5, 0)},
		{"2026-01-31T15:04Z", at(1, 31, 15, 4, 0), at(1, 31, 15, 5, 0)},
		{"2026-01-31T15:04+01:00", at(1, 31, 14, 4, 0), at(1, 31, 14, 5, 0)},
		{"2026-01-31T15:04:05", at(1, 31, 15, 4, 5), at(1, 31, 15, 4, 5)},
		{"2026-01-31 15:04:05", at(1, 31, 15, 4, 5), at(1, 31, 15, 4, 5)},
		{"2026-01-31T15:04:05Z", at(1, 31, 15, 4, 5), at(1, 31, 15, 4, 5)},
		{"2026-01-31T15:04:05.25-02:00", at(1, 31, 17, 4, 5).Add(250 * time.Millisecond), at(1, 31, 17, 4, 5).Add(250 * time.Millisecond)},

		{"90s", noon.Add(-90 * time.Second), noon.Add(-90 * time.Second)},
		{"45m", noon.Add(-45 * time.Minute), noon.Add(-45 * time.Minute)},
		{"45min", noon.Add(-45 * time.Minute), noon.Add(-45 * time.Minute)},
		{"36h", noon.Add(-36 * time.Hour), noon.Add(-36 * time.Hour)},
		{"7d", at(3, 4, 12, 0, 0), at(3, 4, 12, 0, 0)},
		{"7D", at(3, 4, 12, 0, 0), at(3, 4, 12, 0, 0)},
		{"2w", at(2, 25, 12, 0, 0), at(2, 25, 12, 0, 0)},
		{"2mo", at(1, 11, 12, 0, 0), at(1, 11, 12, 0, 0)},
		{"1y", time.Date(2025, 3, 11, 12, 0, 0, 0, time.UTC), time.Date(2025, 3, 11, 12, 0, 0, 0, time.UTC)},
		{"-7d", at(3, 4, 12, 0, 0), at(3, 4, 12, 0, 0)},
		{"+7d", at(3, 4, 12, 0, 0), at(3, 4, 12, 0, 0)},
		{"0d", noon, noon},
	}
	for _, tt := range tests {
		for _, end := range []bool{false, true} {
			want := tt.begin
			if end {
				want = tt.end
			}
			if got, err := ParseTime(tt.in, noon, end); err != nil || !got.Equal(want) {
				t.Errorf("ParseTime(%q, end %v) = %v, %v; want %v", tt.in, end, got, err, want)
			}
		}
	}

	// A bare date is a day of the zone that now is in.
	got, err := ParseTime("2026-03-10", noon.In(tokyo), false)
	if want := time.Date(2026, 3, 9, 15, 0, 0, 0, time.UTC); err != nil || !got.Equal(want) {
		t.Errorf("in Tokyo: %v, %v; want %v", got, err, want)
	}
	// Late in UTC it is tomorrow there already.
	got, err = ParseTime("today", noon.Add(6*time.Hour).In(tokyo), false)
	if want := time.Date(2026, 3, 12, 0, 0, 0, 0, tokyo); err != nil || !got.Equal(want) {
		t.Errorf("today in Tokyo: %v, %v; want %v", got, err, want)
	}
}

// Days and ages in days are counted on the calendar, also where a day has 23 hours.
func TestParseTimeAcrossAClockChange(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip("no zone data:", err)
	}
	now := time.Date(2026, 3, 29, 12, 0, 0, 0, berlin) // clocks went forward this morning
	tests := []struct {
		in   string
		end  bool
		want time.Time
	}{
		{"today", false, time.Date(2026, 3, 29, 0, 0, 0, 0, berlin)},
		{"today", true, time.Date(2026, 3, 30, 0, 0, 0, 0, berlin)},
		{"2026-03-29", true, time.Date(2026, 3, 30, 0, 0, 0, 0, berlin)},
		{"1d", false, time.Date(2026, 3, 28, 12, 0, 0, 0, berlin)},
		{"24h", false, time.Date(2026, 3, 28, 11, 0, 0, 0, berlin)},
	}
	for _, tt := range tests {
		if got, err := ParseTime(tt.in, now, tt.end); err != nil || !got.Equal(tt.want) {
			t.Errorf("%q: %v, %v; want %v", tt.in, got, err, tt.want)
		}
	}
}

func TestParseTimeErrors(t *testing.T) {
	for _, in := range []string{
		"", " ", "-", "d", "7", "7x", "7 d", "7days", "-2026", "--", "1.5h", "99999999999999999999d", "1000001s",
		"2026-13", "2026-02-30", "2026-1-5", "31.01.2026", "2026-01-31T25:00", "tomorrow", "each", "7d7d", "٧d",
	} {
		got, err := ParseTime(in, noon, false)
		var fault *QueryError
		if !errors.As(err, &fault) || fault.Hint == "" || !got.IsZero() {
			t.Errorf("ParseTime(%q) = %v, %#v", in, got, err)
		}
	}
}

func FuzzParseTime(f *testing.F) {
	for _, s := range []string{"now", "today", "yesterday", "2026", "2026-02", "2026-01-31", "2026-01-31T15:04", "2026-01-31T15:04:05.5Z", "-7d", "6mo", "1000000h", "9999-12-31"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		begin, err := ParseTime(s, noon, false)
		end, err2 := ParseTime(s, noon, true)
		if (err == nil) != (err2 == nil) || end.Before(begin) {
			t.Errorf("%q: from %v to %v, %v, %v", s, begin, end, err, err2)
		}
		var fault *QueryError
		if err != nil && !errors.As(err, &fault) {
			t.Errorf("%q: %#v", s, err)
		}
	})
}
