package render

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"lookback"
)

func text(s string) []lookback.Part { return []lookback.Part{{Kind: lookback.PartText, Text: s}} }

func sampleRun() Run {
	at := time.Date(2026, 3, 10, 9, 1, 0, 0, time.UTC)
	return Run{
		Boundary: &lookback.Boundary{Cause: lookback.CauseCompaction, Entry: 3, At: 4},
		Statuses: map[string]string{"c1": "ok"},
		Focus:    3,
		Entries: []lookback.Entry{
			{Seq: 1, Role: lookback.RoleUser, Author: "ann", Time: at, Parts: append(text("look\tat"), lookback.Part{Kind: lookback.PartImage}, lookback.Part{Kind: lookback.PartAttachment, Text: "a\nb.txt"})},
			{Seq: 2, Role: lookback.RoleAssistant, Time: at, Parts: append([]lookback.Part{{Kind: lookback.PartThinking}}, text("yes \uFFFC")...), Calls: []lookback.Call{{ID: "c1", Name: "bash"}, {ID: "c2", Name: "read\x1b"}}},
			{Seq: 3, Role: lookback.RoleUser, Injected: true, Parts: text("kept")},
			{Seq: 4, Cut: &lookback.Cut{Cause: lookback.CauseCompaction, Text: "what was\nbefore"}},
		},
	}
}

func TestText(t *testing.T) {
	var b bytes.Buffer
	if err := (&Page{}).Text(&b, sampleRun()); err != nil {
		t.Fatal(err)
	}
	want := `user ann  #1  2026-03-10 09:01
look    at
[image]
[attachment: a b.txt]

assistant  #2  2026-03-10 09:01
[thinking]
yes [image]
  bash ok
  read␛

── from here on the words are still in the model's context ──

▶ user (injected)  #3
kept

── compaction: the model was given this text in place of what stands before  #4 ──
  what was
  before
`
	if got := b.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestMarkdown(t *testing.T) {
	var b bytes.Buffer
	r := sampleRun()
	r.Entries[0].Parts = text("```go\nopen fence")
	if err := (&Page{Style: Style{Color: true}, Labels: &Chinese}).Markdown(&b, r); err != nil {
		t.Fatal(err)
	}
	want := "### 用户 ann · #1 · 2026-03-10 09:01\n\n```go\nopen fence\n```\n\n### 助手 · #2 · 2026-03-10 09:01\n\n\\[思考\\]\nyes [图片]\n\n- bash ok\n- read␛\n\n---\n\n*从这里起的原文仍在模型的上下文中*\n\n"
	if got := b.String(); !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestArchived(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"labels", "用户：\nq [图片]\n\n助手：\na", "user:\nq [image]\n\nassistant:\na"},
		{"typed inside", "用户：\nthe label 用户： stays\n用户：\nhere too", "user:\nthe label 用户： stays\n用户：\nhere too"},
		{"label with more on its line", "用户：x", "用户：x"},
	}
	for _, tt := range tests {
		if got := English.Archived(tt.in); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestPaint(t *testing.T) {
	m := CleanMarked("a\tRED\x1b end", []Span{{2, 5}, {4, 6}, {90, 99}})
	if want := "a RED␛ end"; m.Text != want || len(m.Spans) != 1 {
		t.Fatalf("got %+v, want %q with one span", m, want)
	}
	if got, want := (Style{Color: true}).Paint(m, 0, len(m.Text)), "a \x1b[1;33mRED\x1b[0m␛ end"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := (Style{Color: true}).Paint(m, 3, 5), "\x1b[1;33mED\x1b[0m"; got != want {
		t.Errorf("a piece: got %q, want %q", got, want)
	}
}

func TestFit(t *testing.T) {
	family := "\U0001F469\u200d\U0001F469\u200d\U0001F467\u200d\U0001F466"
	tests := []struct {
		in   string
		cols int
		want string
	}{
		{"short", 5, "short"},
		{"longer", 5, "long…"},
		{"終端幅", 6, "終端幅"},
		{"終端幅", 5, "終端…"},
		{"終端幅", 4, "終…"},
		{family + family, 3, family + "…"},
		{"e\u0301e\u0301e\u0301", 2, "e\u0301…"},
		{"x", 0, ""},
		{"終", 1, "…"},
	}
	for _, tt := range tests {
		if got := Fit(tt.in, tt.cols); got != tt.want {
			t.Errorf("Fit(%q, %d) = %q, want %q", tt.in, tt.cols, got, tt.want)
		}
	}
}

func TestWrap(t *testing.T) {
	tests := []struct {
		in   string
		cols int
		want string
	}{
		{"one two three", 7, "one two|three"},
		{"one two three", 8, "one two|three"},
		{"abcdefgh", 3, "abc|def|gh"},
		{"終端幅テスト", 5, "終端|幅テ|スト"},
		{"", 5, ""},
		{"a  b", 1, "a| |b"},
	}
	for _, tt := range tests {
		var rows []string
		for _, c := range Wrap(tt.in, tt.cols) {
			rows = append(rows, tt.in[c.Start:c.End])
		}
		if got := strings.Join(rows, "|"); got != tt.want {
			t.Errorf("Wrap(%q, %d) = %q, want %q", tt.in, tt.cols, got, tt.want)
		}
	}
}

func TestJSONIsLosslessAndSafe(t *testing.T) {
	for name, s := range payload(t) {
		b, err := JSON(map[string]any{"text": s, "at": Stamp(time.Unix(0, 0))})
		if err != nil {
			t.Fatal(err)
		}
		if bad := unsafe(string(b), false); bad != "" {
			t.Errorf("%s: %s holds a %s", name, b, bad)
		}
		var back struct{ Text, At string }
		if err := json.Unmarshal(b, &back); err != nil {
			t.Fatal(err)
		}
		if back.Text != s || back.At != "1970-01-01T00:00:00.000Z" {
			t.Errorf("%s: got %q, want %q", name, back.Text, s)
		}
	}
	if b, _ := JSON(Stamp{}); string(b) != "null" {
		t.Errorf("no time = %s, want null", b)
	}
}
