package words

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestFindFold(t *testing.T) {
	for _, c := range []struct {
		text, needle string
		limit        int
		want         []Span
	}{
		{"", "a", 0, nil},
		{"abc", "", 0, nil},
		{"aAa", "A", 0, []Span{{0, 1}, {1, 2}, {2, 3}}},
		{"aAa", "a", 2, []Span{{0, 1}, {1, 2}}},
		{"aaaa", "aa", 0, []Span{{0, 2}, {2, 4}}},
		{"say Hello, hELLO", "hello", 0, []Span{{4, 9}, {11, 16}}},
		{"100% of it", "0% O", 0, []Span{{2, 6}}},
		{"Ёлка и ёлка", "ЁЛКА", 0, []Span{{0, 8}, {12, 20}}},
		{"café cafe", "CAFÉ", 0, []Span{{0, 5}}},
		{"300 \u212a and k", "K", 0, []Span{{4, 7}, {12, 13}}},
		{"\u212aelvin ſun", "kelvin s", 0, []Span{{0, 11}}},
		{"评审会议讨论", "会", 0, []Span{{6, 9}}},
		{"ΣΊΣΥΦΟς", "ος", 0, []Span{{10, 14}}},
		{"a\xffb", "\ufffd", 0, nil},
		{"a\ufffdb", "\ufffd", 0, []Span{{1, 4}}},
		{"line\nbreak", "E\nB", 0, []Span{{3, 6}}},
	} {
		if got := FindFold(c.text, c.needle, c.limit); !slices.Equal(got, c.want) {
			t.Errorf("FindFold(%q, %q) = %v, want %v", c.text, c.needle, got, c.want)
		}
	}
}

// findSlowly is FindFold without any idea.
func findSlowly(text, needle string) (out []Span) {
	want := []rune(needle)
	for i, r := range want {
		want[i] = oneCase(r)
	}
	for i := 0; len(want) > 0 && i < len(text); {
		if end, ok := matchOn(text, i, want); ok {
			out = append(out, Span{i, end})
			i = end
			continue
		}
		_, w := utf8.DecodeRuneInString(text[i:])
		i += w
	}
	return out
}

func FuzzFindFold(f *testing.F) {
	f.Add(sample, "THE")
	f.Add("kK\u212asSſ", "sk")
	f.Add("\xff\xc3(\ufffd", "\ufffd")
	f.Fuzz(func(t *testing.T, text, needle string) {
		for _, n := range []string{needle, strings.ToUpper(text[:min(len(text), 3)])} {
			got, want := FindFold(text, n, 0), findSlowly(text, n)
			if !slices.Equal(got, want) {
				t.Errorf("FindFold(%q, %q) = %v, want %v", text, n, got, want)
			}
		}
	})
}
