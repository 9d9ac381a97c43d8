package pi

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"lookback/internal/testkit"
)

// pieces hands out a line byte by byte, the hardest way for a scanner.
type pieces struct {
	b []byte
	n int
}

func (p *pieces) chunk() []byte {
	n := min(p.n, len(p.b))
	b := bytes.Clone(p.b[:n])
	p.b = p.b[n:]
	return b
}

func skips(b []byte, chunk int) bool {
	var s scanner
	if chunk == 0 {
		s.line(b)
	} else {
		s.line(nil)
		s.src = &pieces{b, chunk}
	}
	return s.skip() && s.peek() == 0 && s.pos == len(s.buf) && !s.more()
}

var jsonSeeds = []string{
	``, `{}`, `[]`, `{"a":1}`, `{"a":1,}`, `[1,]`, `[,1]`, `{,}`, `{"a"}`, `{"a":}`, `{a:1}`, `tru`, `true`, `nul`, `null`, `false`,
	`-`, `-0`, `01`, `1.`, `.5`, `1e`, `1e+`, `1e+5`, `-1.5E-7`, `--1`, `1 2`, `"a`, `"\u12"`, `"\u12g4"`, `"\x"`, `"\u00e9"`,
	"\"\t\"", "\"\x00\"", "\"\x7f\"", `"\"\\\/\b\f\n\r\t"`, `[[[[[[]]]]]]`, `[{"a":[{"b":{}}]}]`, `{"a":{"b":[1,2,{"c":"d"}]},"e":null}`,
	`{"a" : [ 1 , 2 ] }`, `[1 2]`, `{"a":1 "b":2}`, `"😀 é 漢"`, `"\ud83d\ude00"`, `"\ud83d"`, `"\ude00\ud83d"`, "\"\xff\"",
}

// TestScannerAgreesWithJSON compares what is passed over with the standard library.
func TestScannerAgreesWithJSON(t *testing.T) {
	for _, s := range jsonSeeds {
		want := json.Valid([]byte(s))
		for _, chunk := range []int{0, 1, 2, 3} {
			if got := skips([]byte(s), chunk); got != want {
				t.Errorf("%q in chunks of %d: %v, want %v", s, chunk, got, want)
			}
		}
	}
}

func FuzzScanner(f *testing.F) {
	for _, s := range jsonSeeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if bytes.IndexByte(b, '\n') >= 0 || bytes.Count(b, []byte("[")) > 1000 || bytes.Count(b, []byte("{")) > 1000 || len(b) > 1000 {
			t.Skip("no line, deeper than we go, or perhaps a number longer than we take")
		}
		want := json.Valid(b)
		for _, chunk := range []int{0, 1, 5} {
			if got := skips(b, chunk); got != want {
				t.Fatalf("%q in chunks of %d: %v, want %v", b, chunk, got, want)
			}
		}
		var text string
		if !want || json.Unmarshal(b, &text) != nil || !utf8.Valid(b) {
			return
		}
		for _, chunk := range []int{1, 4, 1 << 10} {
			s := scanner{src: &pieces{b, chunk}}
			if s.peek() != '"' {
				return // null
			}
			s.pos++
			if got, ok := s.text(); !ok || got != text {
				t.Fatalf("%q in chunks of %d: %q %v, want %q", b, chunk, got, ok, text)
			}
		}
	})
}

func TestDepthIsBounded(t *testing.T) {
	deep := strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth)
	if !skips([]byte(deep), 0) || skips([]byte("["+deep+"]"), 0) {
		t.Error("the limit is not where it should be")
	}
	if skips([]byte(strings.Repeat(`{"a":`, 1<<20)), 0) {
		t.Error("an unclosed object was taken")
	}
}

func TestMend(t *testing.T) {
	tests := map[string]string{
		"a\xffb":           "a\uFFFDb",
		"a\xe4\xb8":        "a\uFFFD",
		"\xe4\xb8\x22":     "\uFFFD\"",
		"\xf0\x9f\x98x":    "\uFFFDx",
		"\xed\xa0\x80":     "\uFFFD",
		"ok 漢\xe6\xbc":     "ok 漢\uFFFD",
		"\xff\xff\xc3\xa9": "\uFFFDé",
	}
	for in, want := range tests {
		if got := string(new(scanner).mend([]byte(in))); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestTimes(t *testing.T) {
	const want = 1773133260123 // 2026-03-10T09:01:00.123Z
	good := map[string]int64{
		`"2026-03-10T09:01:00.123Z"`:       want,
		`"2026-03-10T09:01:00Z"`:           want - 123,
		`"2026-03-10T14:31:00.123+05:30"`:  want,
		`"2026-03-10T14:31:00+0530"`:       want - 123,
		`"2026-03-10 09:01:00"`:            want - 123,
		`"2026-03-10 09:01:00.123"`:        want,
		`"2026-03-10T09:01:00.123456789Z"`: want,
		`"2024-02-29T00:00:00.000Z"`:       1709164800000,
		`"2000-12-31T23:59:59.999Z"`:       978307199999,
		`1773133260123`:                    want,
		`1773133260`:                       want - 123,
		`1773133260.123`:                   want,
		`"1773133260123"`:                  want,
	}
	for in, want := range good {
		if m := parseMoment(t, in); !m.set || m.ms != want {
			t.Errorf("%s: %+v, want %d", in, m, want)
		}
	}
	for _, in := range []string{
		`"yesterday-ish"`, `""`, `"2026-13-10T09:01:00.123Z"`, `"2025-02-29T00:00:00.000Z"`, `"2026-03-10T24:00:00.000Z"`, `0`, `-5`, `12`,
		`1e300`, `{}`, `true`, `"0001-01-01T00:00:00.000Z"`, `"1970-01-01T00:00:00.000Z"`, `"12"`,
	} {
		if m := parseMoment(t, in); m.set || !m.bad {
			t.Errorf("%s: %+v, want none", in, m)
		}
	}
	if m := parseMoment(t, `null`); m.set || m.bad {
		t.Errorf("null: %+v", m)
	}
}

func parseMoment(t *testing.T, in string) moment {
	t.Helper()
	var p parser
	p.line([]byte(in))
	var m moment
	if !p.momentField(&m) {
		t.Fatalf("%s is no JSON", in)
	}
	return m
}

// TestChunksGiveTheSame parses every fixture line in pieces.
func TestChunksGiveTheSame(t *testing.T) {
	for _, path := range append(sessions(t, repoFile(t, "pi")), sessions(t, repoFile(t, "cases/files"))...) {
		for i, line := range bytes.Split(testkit.ReadFile(t, path), []byte("\n")) {
			var whole, cut parser
			whole.line(line)
			ok := whole.record()
			for _, n := range []int{1, 7, 64} {
				cut.line(nil)
				cut.src = &pieces{line, n}
				if got := cut.record(); got != ok {
					t.Fatalf("%s line %d in chunks of %d: %v, want %v", path, i+1, n, got, ok)
				}
				if a, b := show(&whole.rec), show(&cut.rec); ok && a != b {
					t.Fatalf("%s line %d in chunks of %d:\n%s\nwant\n%s", path, i+1, n, b, a)
				}
			}
		}
	}
}
