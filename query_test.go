package lookback

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// terms writes terms: "…" around a phrase, * after a beginning, - before one
// that must not occur.
func terms(q Query) string {
	var out []string
	for _, t := range q.Terms {
		s := t.Text
		if t.Phrase {
			s = `"` + s + `"`
		}
		if t.Prefix {
			s += "*"
		}
		if t.Not {
			s = "-" + s
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

func TestParseTerms(t *testing.T) {
	tests := []struct{ in, want string }{
		{"", ""},
		{" \t\n", ""},
		{"needle", "needle"},
		{"  two\u3000words\x00three ", "two words three"},
		{"Don't use agents", "Don't use agents"},

		{`"found needle"`, `"found needle"`},
		{`"needle`, `"needle"`},
		{`a "b c" d`, `a "b c" d`},
		{`a"b c"d`, `a "b c" d`},
		{`"a""b"`, `"a" "b"`},
		{`""`, ""},
		{`" "`, ""},
		{`"...`, ""},
		{`"-x* y"`, `"-x* y"`},

		{"need*", "need*"},
		{"need**", "need*"},
		{"*eedle", "*eedle"},
		{"a*b", "a*b"},
		{`"need le"*`, `"need le"`},
		{"***", ""},

		{"both OR nothing", "both OR nothing"},
		{"NOT sure AND NEAR", "NOT sure AND NEAR"},
		{"-needle", "-needle"},
		{"--dry-run=false", "--dry-run=false"},
		{"agent:pi name: befor:x", "agent:pi name: befor:x"},
		{"status:500 TODO: error:", "status:500 TODO: error:"},
		{"' OR 1=1 --", "OR 1=1"},
		{`{col} ^start (group a+b \d+ 100% _under_`, `{col} ^start (group a+b \d+ 100% _under_`},
		{"C++ - + ( ) ; :", "C++"},
		{"src/core/session_store.go:12 node.js", "src/core/session_store.go:12 node.js"},
		{"评审会议 サーバー 데이터", "评审会议 サーバー 데이터"},
		{"🚀 ①", "🚀 ①"},
		{"。！？ …", ""},
		{"caf\xe9", "caf\xe9"},
	}
	for _, tt := range tests {
		q := ParseTerms(tt.in)
		if got := terms(q); got != tt.want {
			t.Errorf("ParseTerms(%q): %s, want %s", tt.in, got, tt.want)
		}
		if q.Text != strings.TrimSpace(tt.in) || q.Question || q.Literal {
			t.Errorf("ParseTerms(%q): text %q, question %v, literal %v", tt.in, q.Text, q.Question, q.Literal)
		}
		for _, term := range q.Terms {
			if term.Not {
				t.Errorf("ParseTerms(%q) excludes %q", tt.in, term.Text)
			}
		}
	}
}

func FuzzParseTerms(f *testing.F) {
	for _, s := range []string{"", "a b", `a "b c`, "x* *", `-"q" "`, "\x00\xff", "status:500"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		q := ParseTerms(s)
		if err := soundTerms(s, q); err != nil {
			t.Error(err)
		}
	})
}

// soundTerms checks that no term is empty or made up, and that their sizes add up
// to no more than what was typed.
func soundTerms(s string, q Query) error {
	size := 0
	for _, term := range q.Terms {
		size += len(term.Text)
		if !strings.ContainsFunc(term.Text, searchable) || !strings.Contains(s, term.Text) {
			return fmt.Errorf("%q gave the term %q", s, term.Text)
		}
		if strings.Contains(term.Text, `"`) || term.Phrase && term.Prefix {
			return fmt.Errorf("%q gave the term %+v", s, term)
		}
		if !term.Phrase && strings.ContainsFunc(term.Text, blank) {
			return fmt.Errorf("%q gave the term %q with a blank", s, term.Text)
		}
	}
	if size > len(s) {
		return fmt.Errorf("%q gave %d bytes of terms", s, size)
	}
	if utf8.ValidString(s) && !utf8.ValidString(q.Text) {
		return fmt.Errorf("%q was cut inside a character: %q", s, q.Text)
	}
	return nil
}
