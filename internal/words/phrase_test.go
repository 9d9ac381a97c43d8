package words

import (
	"fmt"
	"strings"
	"testing"
)

func list(ps []Phrase) string {
	var out []string
	for _, p := range ps {
		s := strings.ReplaceAll(strings.Join(p.Tokens, " "), string(StemMark), "~")
		if p.Prefix {
			s += "*"
		}
		out = append(out, s)
	}
	return strings.Join(out, " | ")
}

func TestPhrases(t *testing.T) {
	for _, c := range []struct {
		term   string
		prefix bool
		want   string
	}{
		{"needle", false, "needle"},
		{"need", true, "need*"},
		{"***", true, ""},
		{"", false, ""},
		{"C++", false, "c"},
		{"tx.draft", false, "tx draft"},
		{"don't", false, "don t"},
		{"getUserName", false, "getusername | get user name"},
		{"parseSession", true, "parsesession* | parse session*"},
		{"max_retries", false, "maxretries | max retries"},
		{"get_userName", false, "getusername | get username | get user name"},
		{"a-b.fooBar", false, "ab foobar | a b foobar | a b foo bar"},
		{"src/core/session_store.go", false, "src core sessionstore go | src core session store go"},
		{"R6", false, "r6 | r 6"},
		{"0xFF", false, "0xff | 0 x ff"},
		{"3f2a9b", true, "3f2a9b* | 3 f 2 a 9 b*"},
		{"3f2a9bc", true, "3f2a9bc*"},
		{"550e8400-e29b-41d4-a716-446655440000", false, "550e8400e29b41d4a716446655440000"},
		{"550e8400-e29b", true, "550e8400e29b* | 550e8400 e29b* | 550e8400 e 29 b*"},
		{"评审会议", false, "评审 审会 会议"},
		{"评审会议", true, "评审 审会 会议"},
		{"会", true, "会"},
		{"评审,会议", false, "评审 审 会议"},
		{"会,议", false, "会 议"},
		{"relay服务端", true, "relay 服务 务端"},
		{"服务端relay", true, "服务 务端 端 relay*"},
		{"第3章", false, "第 3 章"},
		{"サーバー", false, "サー ーバ バー"},
		{"🚀", true, "🚀"},
		{"CAFÉ", false, "cafe"},
	} {
		if got := list(Phrases(c.term, c.prefix)); got != c.want {
			t.Errorf("Phrases(%q, %v) = %s, want %s", c.term, c.prefix, got, c.want)
		}
	}
}

func TestStemPhrases(t *testing.T) {
	for _, c := range []struct{ word, want string }{
		{"Running", "run | ~run"},
		{"run", "run | ~run"},
		{"is", "is"},
		{"maxRetries", "maxretries | max retries"},
		{"会议", "会议"},
		{"R6", "r6 | r 6"},
		{"", ""},
	} {
		if got := list(StemPhrases(c.word)); got != c.want {
			t.Errorf("StemPhrases(%q) = %s, want %s", c.word, got, c.want)
		}
	}
	for _, pair := range [][2]string{{"retry", "three retries"}, {"connections", "it connected"}, {"index", "indexes"}} {
		found := false
		for range NewMatcher(StemPhrases(pair[0])).Find(pair[1]) {
			found = true
		}
		if !found {
			t.Errorf("%q is not found in %q", pair[0], pair[1])
		}
	}
}

// has reports whether all blank-separated terms of a query are in a text.
func has(text, query string) bool {
	for _, term := range strings.Fields(query) {
		bare, prefix := strings.CutSuffix(term, "*")
		ps := Phrases(bare, prefix)
		found := ps == nil // a term without words asks for nothing
		for range NewMatcher(ps).Find(text) {
			found = true
			break
		}
		if !found {
			return false
		}
	}
	return true
}

// What people typed and what they meant: punctuation, operators of other query
// languages, identifiers, scripts.
func TestQueries(t *testing.T) {
	const (
		code  = "parseSessionEntries in src/core/session_store.go calls tx.draft, then next/diff.ts; HTTPServerError from getHTTPResponseCode2 in http_server_v2/handler_test.go:128"
		marks = "error-401 status:500 --dry-run=false {col} ^start (group) a+b \\d+ 100% _under_ Don't --include='*.go' C++ node.js 20.11.1 TODO: fix state-of-the-art README.md"
		other = "café naïve résumé Ångström Łódź straße İstanbul 🚀 👩‍👩‍👧"
		asian = "明天开项目评审会议讨论排期，修改relay服务端，用户身份 ステージング環境のサーバーでエラー 데이터베이스연결"
		ids   = "commit 3f2a9bc1d0 of 550e8400-e29b-41d4-a716-446655440000 max_retries MAX-RETRIES"
	)
	for _, c := range []struct {
		text, query string
		want        bool
	}{
		{code, "tx.draft", true}, {code, "draft.tx", false}, {code, "next/diff.ts", true},
		{code, "session_store.go", true}, {code, "src/core/session_store.go", true}, {code, "session store", true},
		{code, "parsesessionentries", true}, {code, "parseSession*", true}, {code, "parseSession", true}, {code, "SessionEntries", true},
		{code, "ResponseCode", true}, {code, "http server error", true}, {code, "httpservererror", true},
		{code, "http_server_v2/handler_test.go:128", true}, {code, "http_server_v3", false}, {code, "essionEntries", false},
		{marks, "error-401", true}, {marks, "error-404", false}, {marks, "status:500", true}, {marks, "--dry-run=false", true},
		{marks, "{col}", true}, {marks, "^start", true}, {marks, "(group", true}, {marks, "a+b", true}, {marks, "\\d+", true},
		{marks, "100%", true}, {marks, "_under_", true}, {marks, "Don't", true}, {marks, "C++", true}, {marks, "node.js 20.11.1", true},
		{marks, "20.11.2", false}, {marks, "TODO: fix", true}, {marks, "state-of-the-art", true}, {marks, "README.md", true},
		{marks, "*eedle", false}, {marks, "include='*.go'", true},
		{other, "cafe naive resume", true}, {other, "CAFÉ", true}, {other, "Łódź", true}, {other, "lodz", true}, {other, "strasse", true},
		{other, "istanbul", true}, {other, "🚀", true}, {other, "👧", true}, {other, "👦", false},
		{asian, "评审会议", true}, {asian, "排期", true}, {asian, "会", true}, {asian, "relay", true}, {asian, "relay服务端", true},
		{asian, "relay 服务端 修改", true}, {asian, "评审排期", false}, {asian, "用户身份", true}, {asian, "サーバー", true}, {asian, "エラー", true},
		{asian, "サバ", false}, {asian, "데이터베이스", true}, {asian, "리베이스", false},
		{ids, "3f2a9bc*", true}, {ids, "3f2*", true}, {ids, "3F2A9BC1D0", true}, {ids, "3f2a9bc1", false}, {ids, "550e8400*", true},
		{ids, "550E8400-E29B-41D4-A716-446655440000", true}, {ids, "550e8400-e29b-41*", true}, {ids, "550e8400e29b41d4a716446655440000", true},
		{ids, "maxRetries", true}, {ids, "max retries", true}, {ids, "max-retries", true}, {ids, "maxretr*", true},
	} {
		if got := has(c.text, c.query); got != c.want {
			t.Errorf("%q in %.30q…: %v, want %v", c.query, c.text, got, c.want)
		}
	}
}

func ExamplePhrases() {
	for _, p := range Phrases("max_retries", true) {
		fmt.Println(p.Tokens)
	}
	// Output:
	// [maxretries]
	// [max retries]
}
