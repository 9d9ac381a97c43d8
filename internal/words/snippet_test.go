package words

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

// marked writes a snippet with its marks in brackets.
func marked(s string, marks []Span) string {
	var b strings.Builder
	at := 0
	for _, m := range marks {
		b.WriteString(s[at:m.Start] + "⟦" + s[m.Start:m.End] + "⟧")
		at = m.End
	}
	return b.String() + s[at:]
}

func TestSnippet(t *testing.T) {
	filler := strings.Repeat("some words that say little ", 40)
	for _, c := range []struct {
		name, text, find string
		max              int
		want             string
	}{
		{"empty", "", "", 10, ""},
		{"no room", "abc", "b", 0, ""},
		{"whole", "a short text", "", 20, "a short text"},
		{"whole with match", "a short text", "short", 20, "a ⟦short⟧ text"},
		{"beginning", "one two three four five", "", 12, "one two…"},
		{"beginning, exact", "one two three", "", 13, "one two three"},
		{"blanks", "  a\r\n\tb \u3000\u00a0 c  ", "b", 20, "a ⟦b⟧ c"},
		{"control", "a\x1b[31mb\x00c", "c", 20, "a [31mb ⟦c⟧"},
		{"image", "see \ufffc here", "here", 30, "see [image] ⟦here⟧"},
		{"invalid", "a\xff b\xc3", "b", 30, "a� ⟦b⟧�"},
		{"all blank", " \n ", "", 5, ""},
		{"middle", filler + "the needle is here " + filler, "needle", 40, "…the ⟦needle⟧ is here some words that say…"},
		{"near the end", filler + "needle", "needle", 30, "…words that say little ⟦needle⟧"},
		{"near the beginning", "a needle " + filler, "needle", 30, "a ⟦needle⟧ some words that say…"},
		{"match too long", "x " + strings.Repeat("long", 30) + " y", strings.Repeat("long", 30), 12, "…⟦longlonglo⟧…"},
		{"tight", "xx needle yy", "needle", 8, "…⟦needle⟧…"},
		{"too tight", "xx needle yy", "needle", 5, "…⟦nee⟧…"},
		{"one", "needle", "needle", 1, "…"},
		{"chinese", strings.Repeat("上下文很多", 50) + "项目评审会议" + strings.Repeat("后面也有", 50), "评审会议", 12, "…项目⟦评审会议⟧后面也有…"},
		{"families stay", strings.Repeat("👩‍👩‍👧", 30) + "x" + strings.Repeat("👩‍👩‍👧", 30), "x", 13, "…👩‍👩‍👧⟦x⟧👩‍👩‍👧…"},
		{"flags stay", strings.Repeat("🇩🇪🇫🇷", 30) + "x" + strings.Repeat("🇩🇪🇫🇷", 30), "x", 8, "…⟦x⟧🇩🇪🇫🇷…"},
		{"mark covers a grapheme", "re\u0301sume\u0301 x", "e", 30, "r⟦e\u0301⟧sum⟦e\u0301⟧ x"},
		{"densest", "needle " + filler + "a needle and a needle " + filler, "needle", 40, "…a ⟦needle⟧ and a ⟦needle⟧ some words that…"},
	} {
		var spans []Span
		if c.find != "" {
			spans = FindFold(c.text, c.find, 0)
		}
		s, marks := Snippet(c.text, spans, c.max)
		if got := marked(s, marks); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
		if n := utf8.RuneCountInString(s); n > c.max {
			t.Errorf("%s: %d characters", c.name, n)
		}
	}
}

// Different words together tell more than one word often.
func TestSnippetPrefersDifferentWords(t *testing.T) {
	filler := strings.Repeat("- ", 200)
	text := "red red red red " + filler + "red and blue " + filler
	m := NewMatcher(slices.Concat(Phrases("red", false), Phrases("blue", false)))
	s, marks := Snippet(text, Spans(m.Find(text)), 30)
	if got := marked(s, marks); !strings.Contains(got, "⟦red⟧ and ⟦blue⟧") {
		t.Errorf("got %q", got)
	}
}

func TestSnippetOddSpans(t *testing.T) {
	for _, spans := range [][]Span{{{-5, 2}}, {{3, 99}}, {{5, 2}}, {{9, 9}}, {{4, 6}, {0, 2}, {1, 5}}, {{50, 60}}} {
		s, marks := Snippet("one two three", spans, 40)
		if s != "one two three" {
			t.Errorf("%v: %q", spans, s)
		}
		for _, m := range marks {
			if m.Start < 0 || m.Start >= m.End || m.End > len(s) {
				t.Errorf("%v: marks %v", spans, marks)
			}
		}
	}
}

func TestSnippetOfHugeText(t *testing.T) {
	for _, fill := range []string{"words ", "\x80", " ", "会", "👩‍", "e\u0301", "🇩🇪", "\u0301"} {
		text := strings.Repeat(fill, 6<<20/len(fill))
		mid := len(text) / 2
		began := time.Now()
		s, _ := Snippet(text, []Span{{mid, mid + 6}, {0, 3}, {0, len(text)}}, 300)
		if d := time.Since(began); d > time.Second {
			t.Errorf("%q took %v", fill, d)
		}
		if n := utf8.RuneCountInString(s); n > 300 || !utf8.ValidString(s) {
			t.Errorf("%q: %d characters", fill, n)
		}
	}
}

// checkSnippet states what holds for every snippet.
func checkSnippet(t *testing.T, text string, spans []Span, limit int) {
	s, marks := Snippet(text, spans, limit)
	if !utf8.ValidString(s) || utf8.RuneCountInString(s) > max(limit, 0) {
		t.Fatalf("%q of %q: invalid or longer than %d", s, text, limit)
	}
	if utf8.ValidString(text) && !strings.ContainsRune(text, utf8.RuneError) && strings.ContainsRune(s, utf8.RuneError) {
		t.Fatalf("%q of %q: a new U+FFFD", s, text)
	}
	at := 0
	for _, m := range marks {
		if m.Start < at || m.Start >= m.End || m.End > len(s) || !utf8.ValidString(s[m.Start:m.End]) {
			t.Fatalf("%q of %q: marks %v", s, text, marks)
		}
		at = m.End
	}
	// The whole text, flattened, with the same boundaries where it was cut.
	whole, _ := Snippet(text, nil, 4*len(text)+16)
	cuts := map[int]bool{0: true}
	for g := graphemes.FromString(whole); g.Next(); {
		cuts[g.End()] = true
	}
	for _, body := range []string{s, strings.TrimPrefix(s, ellipsis), strings.TrimSuffix(s, ellipsis), strings.TrimSuffix(strings.TrimPrefix(s, ellipsis), ellipsis),
		// Where only blanks were cut off, the blank before the ellipsis is one of them.
		strings.TrimSuffix(strings.TrimPrefix(s, ellipsis), " "+ellipsis), strings.TrimPrefix(strings.TrimSuffix(s, ellipsis), ellipsis+" "),
		strings.TrimPrefix(strings.TrimSuffix(s, " "+ellipsis), ellipsis+" ")} {
		for i := 0; i+len(body) <= len(whole); i++ {
			if whole[i:i+len(body)] == body && cuts[i] && cuts[i+len(body)] {
				return
			}
		}
	}
	t.Fatalf("%q is no piece of %q", s, whole)
}

func FuzzSnippet(f *testing.F) {
	f.Add(sample, 100, 108, 300, 307, 40)
	f.Add("👩‍👩‍👧👩‍👩‍👧 🇩🇪🇫🇷 e\u0301e\u0301", 30, 34, 3, 5, 9)
	f.Add("a\xff\ufffc\r\n\u0301 \u3000评审会议", 2, 9, 8, 30, 6)
	f.Add(strings.Repeat(" \n", 60)+"x한국\u1112\u1161\u11ab", 118, 125, 0, 0, 5)
	f.Fuzz(func(t *testing.T, text string, a, b, c, d, limit int) {
		if len(text) > 2000 { // the check is slow, not the snippet
			text = text[:2000]
		}
		checkSnippet(t, text, []Span{{a, b}, {c, d}}, limit%500)
		checkSnippet(t, text, nil, limit%500)
		n := len(text) + 1
		checkSnippet(t, text, []Span{{abs(a) % n, abs(b) % n}, {abs(c) % n, abs(d) % n}}, limit%60)
	})
}

func abs(n int) int { return max(n, -(n + 1)) }
