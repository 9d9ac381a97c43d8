package archive

import (
	"fmt"
	"strings"
	"testing"

	"lookback"
)

func TestParts(t *testing.T) {
	const u, a = "\n\n用户：\n", "\n\n助手：\n"
	for _, c := range []struct {
		name, text, ids string
		completed       bool
		want            string
	}{
		{"one and one", "用户：\nq" + a + "r", "1 2", true, "user 1 q|assistant 2 r"},
		{"two and one", "用户：\nq" + u + "p" + a + "r", "1 2 3", true, "user 1 q|user 2 p|assistant 3 r"},
		{"no answer", "用户：\nq", "1", false, "user 1 q"},
		{"two, no answer", "用户：\nq" + u + "p", "1 2", false, "user 1 q|user 2 p"},
		{"unfinished answer", "用户：\nq" + a + "r", "1 2", false, "user 1 q|assistant 2 r"},
		{"empty words", "用户：\n" + a, "1 2", true, "user 1 |assistant 2 "},
		{"image", "用户：\nsee\n[图片]" + a + "a [图片] here", "1 2", true, "user 1 see\n\uFFFC|assistant 2 a [图片] here"},
		{"answer quotes both", "用户：\nq" + a + "r" + u + "x" + a + "y", "1 2", true, "user 1 q|assistant 2 r" + u + "x" + a + "y"},
		{"question quotes both", "用户：\nq" + u + "x" + a + "y" + a + "r", "1 2", true, "user 1 q" + u + "x|assistant 2 y" + a + "r"},
		{"question quotes an answer", "用户：\nq" + a + "x" + u + "p" + a + "r", "1 2 3", true, "user 1 q" + a + "x|user 2 p|assistant 3 r"},
		{"question quotes, no answer", "用户：\nq" + a + "x", "1", false, "user 1 q" + a + "x"},
		{"no labels", "words", "1 2", true, "other 1 words"},
		{"fewer labels than ids", "用户：\nq" + a + "r", "1 2 3 4", true, "user 1 q|assistant 4 r"},
		{"no ids", "用户：\nq" + u + "p" + a + "r", "", true, "user  q|user  p|assistant  r"},
	} {
		n := lookback.Node{Kind: lookback.KindExchange, Text: c.text, EntryIDs: strings.Fields(c.ids), Completed: c.completed}
		var got []string
		for _, p := range Parts(&n) {
			got = append(got, fmt.Sprintf("%s %s %s", p.Role, p.EntryID, p.Text))
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, s, c.want)
		}
	}
	if Parts(&lookback.Node{Kind: lookback.KindSummary, Text: "x"}) != nil {
		t.Error("a summary has parts")
	}
}

func TestPartsLoseNothing(t *testing.T) {
	bits := []string{"用户：\n", "\n\n用户：\n", "\n\n助手：\n", "x", "\n"}
	for i := range 5 * 5 * 5 * 5 * 5 {
		text := "用户：\n"
		for j := i; j > 0; j /= 5 {
			text += bits[j%5]
		}
		for ids := range 4 {
			n := lookback.Node{Kind: lookback.KindExchange, Text: text, EntryIDs: []string{"1", "2", "3"}[:ids], Completed: i%2 == 0}
			var again strings.Builder
			for k, p := range Parts(&n) {
				label := map[lookback.Role]string{lookback.RoleUser: lookback.UserLabel, lookback.RoleAssistant: lookback.AssistantLabel}[p.Role]
				if k > 0 {
					again.WriteString("\n\n")
				}
				again.WriteString(label + "\n" + p.Text)
			}
			if again.String() != text {
				t.Fatalf("%q with %d ids became %q", text, ids, again.String())
			}
		}
	}
}
