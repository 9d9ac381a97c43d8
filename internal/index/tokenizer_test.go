package index

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ncruces/go-sqlite3/ext/fts5"

	"lookback/internal/words"
)

// stream gives what the tokenizer emits, "=" before a token at the same place.
func stream(t *testing.T, text string) string {
	t.Helper()
	var out []string
	err := tokenizer{}.Tokenize(fts5.TOKENIZE_DOCUMENT, text, "", func(flag fts5.TokenFlag, token string, start, end int) error {
		if token == "" {
			token = text[start:end]
		}
		if flag&fts5.TOKEN_COLOCATED != 0 {
			token = "=" + token
		}
		out = append(out, token)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(out, " ")
}

func TestTokenizer(t *testing.T) {
	for text, want := range map[string]string{
		"":                                    "",
		"Hello, World":                        "hello world",
		"getUserName x":                       "get =getusername user name x",
		"搜索":                                  "搜 =搜索 索",
		"\x02d12 \x02s3  \x02k1":              "\x02d12 \x02s3 \x02k1",
		"\x02":                                "\x02",
		"\x03":                                "",
		"\x03one\x1etwo\x1fzwei\x1ethree\x1e": "one two =zwei three",
		"\x03\x1eone\x1e":                     "one",
		"\x03cut":                             "cut",
	} {
		if got := stream(t, text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// A text that was split before gives the tokens of the text itself.
func TestSplitBefore(t *testing.T) {
	for _, text := range []string{"", "a", "Hello getUserName_x", "搜索 索引 done", "🙂 v1.2.3 running"} {
		var f feed
		var want []string
		last := -1
		for tok := range words.Each(text, indexStems) {
			word := string(tok.Text)
			if tok.Pos == last {
				word = "=" + word
			}
			want = append(want, word)
			last = tok.Pos
		}
		f.split([]string{text})
		if got := stream(t, string(f.buf)); got != strings.Join(want, " ") {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	var f feed
	f.split([]string{"x1", "", "y2"})
	if got := stream(t, string(f.buf)); got != "x =x1 1 \x02 y =y2 2" {
		t.Errorf("two texts: %q", got)
	}
}

// Every token must be found again after the engine's memory has grown many times
// over while it took the tokens in: none may have been taken from a buffer that
// moved.
func TestTokensSurviveGrowth(t *testing.T) {
	db := open(t)
	s, entries := session("long", "u x", "a y")
	var b strings.Builder
	tokens := 200_000
	if testing.Short() {
		tokens = 30_000
	}
	for i := range tokens {
		fmt.Fprintf(&b, "tok%dx ", i*7919)
	}
	entries[1].Parts[0].Text = b.String()
	put(t, db, update(s, entries, 1))
	for i := 0; i < tokens; i += 997 {
		if match(t, db, fmt.Sprintf("assistant : tok%dx", i*7919)) == "" {
			t.Fatalf("token %d is lost", i)
		}
	}
	mustBeSound(t, db)
	seen := rows(t, db, "SELECT count(*) FROM term WHERE term GLOB 'tok*x'")[0]
	if seen != fmt.Sprint(tokens) {
		t.Errorf("%s terms of %d", seen, tokens)
	}
}
