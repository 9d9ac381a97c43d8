package words

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// show writes tokens as position, form and text, one position per field:
// "get+=getuser user". = marks a Whole, & a Pair, ~ a Stemmed.
func show(text string, stems bool) string {
	var b strings.Builder
	pos := -1
	for t := range Each(text, stems) {
		switch {
		case t.Pos != pos && pos >= 0:
			b.WriteByte(' ')
		case t.Pos == pos:
			b.WriteByte('+')
		}
		pos = t.Pos
		switch t.Form {
		case Whole:
			b.WriteByte('=')
		case Pair:
			b.WriteByte('&')
		case Stemmed:
			b.WriteByte('~')
		}
		b.WriteString(strings.TrimPrefix(string(t.Text), string(StemMark)))
	}
	return b.String()
}

func TestEach(t *testing.T) {
	const long = "a1B2-cD" // filler with every kind of joint
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{" \t\n.,;:!?()[]{}<>|\\/\"'`~@#$%^&*+=", ""},
		{"Hello, World", "hello world"},
		{"don't", "don t"},
		{"don’t", "don t"},
		{"tx.draft next/diff.ts", "tx draft next diff ts"},
		{"node.js 20.11.1", "node js 20 11 1"},
		{"C++ C# 100%", "c c 100"},
		// parts
		{"getUserName", "get+=getusername user name"},
		{"HTTPServer", "http+=httpserver server"},
		{"getHTTPResponseCode2", "get+=gethttpresponsecode2 http response code 2"},
		{"parseURLs URLs URLsOf", "parse+=parseurls urls urls urls+=urlsof of"},
		{"Plain ALLCAPS iPhone", "plain allcaps i+=iphone phone"},
		{"R6 utf8 9am v2", "r+=r6 6 utf+=utf8 8 9+=9am am v+=v2 2"},
		{"max_retries maxRetries MAX-RETRIES", "max+=maxretries retries max+=maxretries retries max+=maxretries retries"},
		{"get_userName", "get+=getusername user+=username name"},
		{"userName_get", "user+=username+=usernameget name get"},
		{"state-of-the-art", "state+=stateoftheart of the art"},
		{"error-401", "error+=error401 401"},
		{"--dry-run=false", "dry+=dryrun run false"},
		{"_under_ __init__ a__b -x-", "under init a b x"},
		{"http_server_v2/handler_test.go:128", "http+=httpserverv2 server v+=v2 2 handler+=handlertest test go 128"},
		{"2026-03-09", "2026+=20260309 03 09"},
		{"Пакет-Менеджер НовыйФайл", "пакет+=пакетменеджер менеджер новыи+=новыифаил фаил"},
		// a chain longer than maxChain is several compounds
		{strings.Repeat("ab-", 22) + "ab-c", "ab+=" + strings.Repeat("ab", 22) + strings.Repeat(" ab", 21) + " ab+=abc c"},
		// hashes, ids, numbers
		{"3f2a9bc DEADBEEF1 12345678", "3f2a9bc deadbeef1 12345678"},
		{"3f2a9b", "3+=3f2a9b f 2 a 9 b"},
		{"DeadFace", "dead+=deadface face"},
		{"550E8400-e29b-41d4-a716-446655440000", "550e8400e29b41d4a716446655440000"},
		{"run_550e8400-e29b-41d4-a716-446655440000-x.log", "run 550e8400e29b41d4a716446655440000 x log"},
		{"550e8400-e29b-41d4-a716-4466554400001", "550e8400+=550e8400e29b41d4a7164466554400001 e+=e29b 29 b 41+=41d4 d 4 a+=a716 716 4466554400001"},
		{"0x1F", "0+=0x1f x 1 f"},
		{"01ARZ3NDEKTSV4RRFFQ69G5FAV", "01arz3ndektsv4rrffq69g5fav"},
		// folding
		{"Café naïve ÅNGSTRÖM résume\u0301", "cafe naive angstrom resume"},
		{"Łódź straße STRAẞE Ørsted Æsir İstanbul ısı đ", "lodz strasse strasse orsted aesir istanbul isi d"},
		{"ﬁne ＡＢＣ１２ ｘ² ½ Ⅳ ᵃ", "fine abc+=abc12 12 x+=x2 2 ½ iv a"},
		{"Σίσυφος ΣΊΣΥΦΟΣ", "σισυφοσ σισυφοσ"},
		{"שָׁלוֹם كِتَابٌ", "שלום كتاب"},
		{"हिन्दी", "हिन्दी"},
		{"so\u00adft e\u200dx a\u200d b", "soft ex a b"},
		{"\u0301x \u0301", "x"},
		// scripts without blanks
		{"评审会议", "评+&评审 审+&审会 会+&会议 议"},
		{"会", "会"},
		{"会,议", "会 议"},
		{"修改relay服务端", "修+&修改 改 relay 服+&服务 务+&务端 端"},
		{"第3章", "第 3 章"},
		{"サーバー", "サ+&サー ー+&ーバ バ+&バー ー"},
		{"ジョン・スミス", "ジ+&ジョ ョ+&ョン ン ス+&スミ ミ+&ミス ス"},
		{"ｶﾞｷﾞ か\u3099", "ガ+&ガギ ギ が"},
		{"데이터", "데+&데이 이+&이터 터"},
		{"\u1112\u1161\u11ab\u1100\u116e\u11a8", "한+&한국 국"},
		{"葛\U000e0100城", "葛+&葛城 城"},
		{"𠮷野家", "𠮷+&𠮷野 野+&野家 家"},
		{"plan_v2.md里", "plan+=planv2 v+=v2 2 md 里"},
		// symbols
		{"out 🚀now", "out 🚀 now"},
		{"👩‍👩‍👧", "👩 👩 👧"},
		{"👍🏽 ❤️ ☂", "👍 ❤ ☂"},
		{"🇩🇪🇫🇷🇮", "🇩🇪 🇫🇷 🇮"},
		{"1️⃣", "1"},
		{"│ a │ b ─── ⠋ █", "a b"},
		{"a\ufffcb \ufffd", "a b"},
		// any bytes
		{"a\x00b\xffc\xc3", "a b c"},
		{"\xe4\xb8会\xf0\x9f", "会"},
		// length
		{strings.Repeat("x", 70), strings.Repeat("x", 64)},
		{strings.Repeat("x", 63) + "é", strings.Repeat("x", 63) + "e"},
		{strings.Repeat("я", 40), strings.Repeat("я", 32)},
		{"x" + strings.Repeat("я", 40), "x" + strings.Repeat("я", 31)},
		{strings.Repeat("Ab1", 1<<16) + " end", strings.Repeat("ab1", 22)[:64] + " end"},
		{strings.Repeat("AbCd", 65) + long, strings.Repeat("abcd", 16) + " c+=cd d"},
	} {
		if got := show(c.text, false); got != c.want {
			t.Errorf("%.60q\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

func TestEachStems(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"caresses of the cats", "caresses+~caress of the cats+~cat"},
		{"run RUNNING", "run running+~run"},
		{"maxRetries", "max+=maxretries+~maxretri retries+~retri"},
		{"max_retries2", "max+=maxretries2 retries+~retri+=retries2 2"},
		{"is as", "is as"},
		{"résumés 会议", "resumes+~resum 会+&会议 议"},
		{"кошки", "кошки"},
		{"internationalizationalisms x", "internationalizationalisms+~internationalization x"},
	} {
		if got := show(c.text, true); got != c.want {
			t.Errorf("%q\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

func TestEachStops(t *testing.T) {
	for _, text := range []string{"one two three", "getUserName x", "评审会议", "🚀🚀🚀", "running dogs"} {
		for limit := range 4 {
			n := 0
			for range Each(text, true) {
				if n++; n > limit {
					break
				}
			}
		}
	}
}

// checkTokens states what holds for the tokens of every text.
func checkTokens(text string) error {
	pos, start := -1, 0
	for t := range Each(text, true) {
		at := fmt.Sprintf("%q %d-%d pos %d form %d", t.Text, t.Start, t.End, t.Pos, t.Form)
		if t.Start < start || t.Start >= t.End || t.End > len(text) {
			return fmt.Errorf("%s: bad offsets after %d", at, start)
		}
		start = t.Start
		joins := t.Form == Whole || t.Form == Pair || t.Form == Stemmed
		if joins && t.Pos != pos || !joins && t.Pos != pos+1 {
			return fmt.Errorf("%s: bad position after %d", at, pos)
		}
		pos = t.Pos
		if len(t.Text) == 0 || !utf8.Valid(t.Text) {
			return fmt.Errorf("%s: bad text", at)
		}
		if (t.Text[0] == StemMark) != (t.Form == Stemmed) {
			return fmt.Errorf("%s: bad mark", at)
		}
		if t.Form == Stemmed {
			continue
		}
		if len(t.Text) > MaxToken {
			return fmt.Errorf("%s: too long", at)
		}
		if want := string(cut([]byte(onlyWords(Fold(text[t.Start:t.End]))))); want != string(t.Text) {
			return fmt.Errorf("%s: its place folds to %q", at, want)
		}
	}
	return nil
}

// onlyWords drops what separates the parts of a compound.
func onlyWords(s string) string {
	return strings.Map(func(r rune) rune {
		if kindOf(r)&(wordy|mark|wide|symbol) == 0 {
			return -1
		}
		return r
	}, s)
}

func FuzzEach(f *testing.F) {
	for _, s := range []string{sample, "getHTTPResponse_code2-x é\u0301 评审ｶﾞ🇩🇪👩‍👧", "550e8400-e29b-41d4-a716-446655440000", "0xff 3f2a9bc1 \xff\x00", "ﷺ ½ ǆ İ ẞ", "a\u200d-b_\u0301"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if err := checkTokens(text); err != nil {
			t.Error(err)
		}
		if !utf8.ValidString(Fold(text)) {
			t.Errorf("Fold(%q) is not valid", text)
		}
	})
}

func TestEachAllocatesNothing(t *testing.T) {
	text := strings.Repeat(sample, 3)
	s := scanners.Get().(*scanner) // one and the same: the race detector empties pools at random
	yield := func(Token) bool { return true }
	n := testing.AllocsPerRun(20, func() {
		s.text, s.stems, s.yield = text, true, yield
		s.pos, s.over = 0, false
		s.scan()
	})
	if n > 0 {
		t.Errorf("%v allocations", n)
	}
}
