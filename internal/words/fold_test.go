package words

import (
	"testing"
	"unicode"
)

func TestFold(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"plain", "plain"},
		{"A b-C_d", "a b-c_d"},
		{"CAFÉ", "cafe"},
		{"cafe\u0301", "cafe"},
		{"Łódź", "lodz"},
		{"ẞ ß", "ss ss"},
		{"İI ıi", "ii ii"},
		{"Ｆｕｌｌ", "full"},
		{"ｶﾞ が", "ガ が"},
		{"会议", "会议"},
		{"½", "½"},
		{"a\xffb", "a\ufffdb"},
	} {
		if got := Fold(c.in); got != c.want {
			t.Errorf("Fold(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

// Folding what is folded must change nothing, or a token asked for by its own
// text would not be found.
func TestFoldTwice(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		once := Fold(string(r))
		if twice := Fold(once); twice != once {
			t.Errorf("%U %q folds to %q, then to %q", r, r, once, twice)
		}
	}
}

func TestIsStop(t *testing.T) {
	for _, w := range []string{"the", "what", "t", "了", "什么", "の", "です"} {
		if !IsStop(w) {
			t.Errorf("%q is none", w)
		}
	}
	for _, w := range []string{"", "needle", "error", "会议", "エラ", "The"} {
		if IsStop(w) {
			t.Errorf("%q is one", w)
		}
	}
	english := 0
	for w := range stops {
		if isPlain(w) {
			english++
		}
		for tok := range Each(w, false) {
			if tok.Pos == 0 && tok.End == len(w) && string(tok.Text) != w {
				t.Errorf("%q is no token: %q", w, tok.Text)
			}
		}
	}
	if english > 130 {
		t.Errorf("%d English stop words", english)
	}
}
