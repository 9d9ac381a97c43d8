package render

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"unicode/utf8"
)

// payload is the file of hostile texts that every surface is tested with.
func payload(t testing.TB) map[string]string {
	t.Helper()
	data, err := os.ReadFile("../../testdata/payload.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []struct{ Name, Text string }
	if err := json.Unmarshal(data, &rows); err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, r := range rows {
		out[r.Name] = r.Text
	}
	return out
}

// unsafe names the first thing in s that a terminal would act on.
func unsafe(s string, lines bool) string {
	if !utf8.ValidString(s) {
		return "invalid UTF-8"
	}
	for _, r := range s {
		switch {
		case r == '\n' && lines:
		case r < ' ', r == 0x7f, 0x80 <= r && r <= 0x9f:
			return "control " + string('␀'+r&0x1f)
		case 0x202a <= r && r <= 0x202e, 0x2066 <= r && r <= 0x2069, r == 0x2028, r == 0x2029:
			return "reordering or breaking character"
		}
	}
	return ""
}

func TestCleanPayload(t *testing.T) {
	for name, text := range payload(t) {
		if got := Clean(text); unsafe(got, false) != "" {
			t.Errorf("Clean(%s) = %q holds a %s", name, got, unsafe(got, false))
		}
		if got := CleanLines(text); unsafe(got, true) != "" {
			t.Errorf("CleanLines(%s) = %q holds a %s", name, got, unsafe(got, true))
		}
	}
}

func TestClean(t *testing.T) {
	tests := []struct{ name, in, row, lines string }{
		{"plain", "a b", "a b", "a b"},
		{"escape", "\x1b[31mRED\x1b[0m", "␛[31mRED␛[0m", "␛[31mRED␛[0m"},
		{"title", "\x1b]0;x\x07", "␛]0;x␇", "␛]0;x␇"},
		{"c1", "\u009b31m", "<U+009B>31m", "<U+009B>31m"},
		{"line ends", "a\nb\r\nc\rd", "a b c␍d", "a\nb\nc␍d"},
		{"separators", "a\u2028b\u2029c\u0085d", "a b c d", "a\nb\nc\nd"},
		{"tab", "tab\tok", "tab ok", "tab    ok"},
		{"bidi", "\u202egnp.exe\u202c", "<U+202E>gnp.exe<U+202C>", "<U+202E>gnp.exe<U+202C>"},
		{"zero width", "zero\u200bwidth", "zerowidth", "zerowidth"},
		{"joiners stay", "\u0645\u06cc\u200c\u062e \U0001F469\u200d\U0001F467", "\u0645\u06cc\u200c\u062e \U0001F469\u200d\U0001F467", "\u0645\u06cc\u200c\u062e \U0001F469\u200d\U0001F467"},
		{"direction marks stay", "\u200e\u200f", "\u200e\u200f", "\u200e\u200f"},
		{"invalid", "a\xffb", "a\ufffdb", "a\ufffdb"},
		{"nul and delete", "\x00\x7f", "␀␡", "␀␡"},
		{"smuggled tags", "x\U000e0041", "x<U+E0041>", "x<U+E0041>"},
		{"flag", "\U0001F3F4\U000e0067\U000e007f", "\U0001F3F4\U000e0067\U000e007f", "\U0001F3F4\U000e0067\U000e007f"},
		{"tower of marks", "Z" + strings.Repeat("\u0335", 40), "Z" + strings.Repeat("\u0335", maxMarks), "Z" + strings.Repeat("\u0335", maxMarks)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Clean(tt.in); got != tt.row {
				t.Errorf("Clean = %q, want %q", got, tt.row)
			}
			if got := CleanLines(tt.in); got != tt.lines {
				t.Errorf("CleanLines = %q, want %q", got, tt.lines)
			}
		})
	}
}

func FuzzClean(f *testing.F) {
	for _, text := range payload(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, s string) {
		row, lines := Clean(s), CleanLines(s)
		if bad := unsafe(row, false); bad != "" {
			t.Errorf("Clean(%q) holds a %s", s, bad)
		}
		if bad := unsafe(lines, true); bad != "" {
			t.Errorf("CleanLines(%q) holds a %s", s, bad)
		}
		if again := Clean(row); again != row {
			t.Errorf("Clean(%q) = %q, cleaned again %q", s, row, again)
		}
		if len(row) > 9*len(s) {
			t.Errorf("Clean grew %d bytes to %d", len(s), len(row))
		}
	})
}

func FuzzRows(f *testing.F) {
	for _, text := range payload(f) {
		f.Add(text, 40)
	}
	f.Fuzz(func(t *testing.T, s string, cols int) {
		s = Clean(s)
		cols = 1 + (cols%100+100)%100
		if got := Fit(s, cols); Width(got) > cols {
			t.Errorf("Fit(%q, %d) = %q is %d columns wide", s, cols, got, Width(got))
		}
		if got := Width(Pad(s, cols)); got != cols {
			t.Errorf("Pad(%q, %d) is %d columns wide", s, cols, got)
		}
		at := 0
		for _, c := range Wrap(s, cols) {
			if c.Start < at || c.End < c.Start || strings.Trim(s[at:c.Start], " ") != "" {
				t.Fatalf("Wrap(%q, %d) lost or doubled text at %d", s, cols, c.Start)
			}
			if row := s[c.Start:c.End]; Width(row) > max(cols, 2) {
				t.Errorf("Wrap(%q, %d): %q is %d columns wide", s, cols, row, Width(row))
			}
			at = c.End
		}
		if strings.Trim(s[at:], " ") != "" {
			t.Errorf("Wrap(%q, %d) lost the end", s, cols)
		}
	})
}
