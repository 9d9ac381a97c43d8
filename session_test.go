package lookback

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestFlatten(t *testing.T) {
	tests := []struct {
		in   string
		max  int
		want string
	}{
		{"", 10, ""},
		{" \n\t ", 10, ""},
		{"  a\n\n b\tc ", 10, "a b c"},
		{"a\u00a0\u3000b\u2028c\u2029d\u0085e\u2003f\vg\fh\ri", 99, "a b c d e f g h i"},
		{"abcdef", 3, "abc"},
		{"abc", 3, "abc"},
		{"ab cd", 3, "ab"}, // no blank at the end
		{"ab cd", 4, "ab c"},
		{"ab  ", 2, "ab"},
		{"世界你好", 2, "世界"},
		{"a\xffb", 10, "a\ufffdb"},
		{"abc", 0, ""},
		{"abc", -1, ""},
	}
	for _, tt := range tests {
		if got := Flatten(tt.in, tt.max); got != tt.want {
			t.Errorf("Flatten(%q, %d) = %q, want %q", tt.in, tt.max, got, tt.want)
		}
	}
}

func TestFlattenIsFieldsJoined(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := rapid.StringOf(rapid.SampledFrom([]rune("ab ü世\n\t\u00a0"))).Draw(rt, "s")
		max := rapid.IntRange(0, 12).Draw(rt, "max")
		want := []rune(strings.Join(strings.Fields(s), " "))
		want = want[:min(len(want), max)]
		if got := Flatten(s, max); got != strings.TrimRight(string(want), " ") {
			rt.Errorf("Flatten(%q, %d) = %q", s, max, got)
		}
	})
}

func TestClip(t *testing.T) {
	tests := []struct {
		in   string
		max  int
		want string
	}{
		{"", 0, ""}, {"abc", 5, "abc"}, {"abc", 3, "abc"}, {"abc", 2, "ab"}, {"abc", 0, ""},
		{"世界", 5, "世"}, {"世界", 3, "世"}, {"世界", 2, ""}, {"a\xff\xff", 2, "a\xff"},
	}
	for _, tt := range tests {
		if got := Clip(tt.in, tt.max); got != tt.want {
			t.Errorf("Clip(%q, %d) = %q, want %q", tt.in, tt.max, got, tt.want)
		}
	}
}

func TestFallbackName(t *testing.T) {
	tests := []struct {
		name, log string
		parts     map[int][]Part
		want      string
	}{
		{"no entries", "", nil, ""},
		{"no user entry", "a o", nil, ""},
		{"the first user entry", "a u a u", nil, "w2"},
		{"not an injected one", "i o u", nil, "w3"},
		{"file order, not branch order", "a<2 u<0 u<0", nil, "w2"},
		{"one without words is passed over", "u u", map[int][]Part{1: {{Text: " \n"}, {Kind: PartImage}}}, "w2"},
		{"its first part with words", "u", map[int][]Part{1: {{Kind: PartImage}, {Text: " "}, {Text: " fix\nit "}, {Text: "now"}}}, "fix it"},
		{"attachments are no words", "u", map[int][]Part{1: {{Kind: PartAttachment, Text: "plan.pdf"}}}, ""},
		{"80 characters", "u", map[int][]Part{1: {{Text: strings.Repeat("世", 81)}}}, strings.Repeat("世", 80)},
	}
	for _, tt := range tests {
		log := grow(t, tt.log)
		for seq, parts := range tt.parts {
			log[seq-1].Parts = parts
		}
		if got := FallbackName(log); got != tt.want || utf8.RuneCountInString(got) > maxNameChars {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestSpoken(t *testing.T) {
	want := map[byte]bool{'u': true, 'a': true, 'x': true, 't': true, 'l': true, 'e': true, 'b': true, 'k': true}
	for i := range len(allKinds) {
		e := kindly(allKinds[i], 1)
		if got := e.Spoken(); got != want[allKinds[i]] {
			t.Errorf("kind %c: spoken %v", allKinds[i], got)
		}
	}
	if !(SessionID{}).IsZero() || (SessionID{Agent: "pi"}).IsZero() {
		t.Error("IsZero of a session id")
	}
}
