package lookback

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

func TestExchanges(t *testing.T) {
	tests := []struct{ name, log, want string }{
		{"nothing", "", ""},
		{"no conversation", "n c n", ""},
		{"question and answer", "u a", "1 2+"},
		{"two of them", "u a u a", "1 2+, 3 4+"},
		{"question alone", "u", "1-"},
		{"several questions in a row", "u u a", "1 2 3+"},
		{"tool calls in between", "u t r t r a", "1 6+"},
		{"stopped, but a tool was called", "u x r", "1 2-"},
		{"stopped with a call and went on", "u x r a", "1 4+"},
		{"unknown end", "u k u a", "1 3 4+"},
		{"steering between result and answer", "u t r u a", "1 4 5+"},
		{"steering after the latest answer, still open", "u t r u", "1 4 2-"},
		{"steering in vain", "u t r u r", "1 4 2-"},

		{"aborted, then a question", "u b u a", "1 2-, 3 4+"},
		{"failed, then a question", "u e u a", "1 2-, 3 4+"},
		{"aborted at the tip", "u b", "1 2-"},
		{"failed, then tried again", "u e a", "1 3+"},
		{"aborted, tried again, failed", "u b e u", "1 3-, 4-"},
		{"aborted, then tools", "u b t u a", "1 4 5+"},
		{"failed before steering, closed by the steering", "u t e u u a", "1 3-, 4 5 6+"},
		{"twice aborted", "u b u b u a", "1 2-, 3 4-, 5 6+"},
		{"aborted with a label below", "u b n u a", "1 2-, 4 5+"},

		{"cut by length at the tip", "u l", "1 2-"},
		{"cut by length and continued", "u l a", "1 3+"},
		{"cut twice", "u l l a", "1 4+"},
		{"cut, asked to go on", "u l u a", "1 3 4+"},

		{"answer to nothing", "a u a", "2 3+"},
		{"answer after the final answer", "u a a u a", "1 2+, 4 5+"},
		{"failed answer to nothing closes nothing", "e u a", "2 3+"},
		{"only answers", "a a", ""},

		{"injected words are no question", "i a u a", "3 4+"},
		{"injected words end nothing", "u b i a", "1 4+"},
		{"other messages are steps over", "u o t r o a o", "1 6+"},
		{"names and labels are stepped over", "n u n a n", "2 4+"},
		{"compaction inside an exchange", "u t r c a", "1 5+"},
		{"handoff inside an exchange", "u t r h a", "1 5+"},
		{"reset inside an exchange", "u z a", "1 3+"},
		{"compaction between exchanges", "u a c:e1 u a", "1 2+, 4 5+"},

		{"two answers to one question", "u a a<1", "1 2+ | 1 3+"},
		{"two questions after one answer", "u a u a u<2 a", "1 2+, 3 4+ | 1 2+, 5 6+"},
		{"two roots", "u a u<0 a", "1 2+ | 3 4+"},
		{"file order of tips", "u a u<0 a u<2 a", "3 4+ | 1 2+, 5 6+"},
		{"fork inside an exchange", "u t r a a<3", "1 4+ | 1 5+"},
		{"fork at an aborted answer", "u b u a u<2 a", "1 2-, 3 4+ | 1 2-, 5 6+"},
		{"aborted here, tried again there", "u b u a a<2", "1 2-, 3 4+ | 1 5+"},
		{"open question asked twice", "u u a u<1 a", "1 2 3+ | 1 4 5+"},

		{"beginning of another branch", "u a o u<2 a", "1 2+, 4 5+"},
		{"beginning, listed later in the file", "u a u a o<2", "1 2+, 3 4+"},
		{"beginning by an aborted answer", "u b u a o<2", "1 2-, 3 4+"},
		{"open question is no beginning of its answer", "u o a<1", "1- | 1 3+"},
		{"same branch twice", "u a o o<2", "1 2+"},
		{"same open branch twice", "u t r r<2", "1 2-"},
		{"branch without exchanges", "u a o<0 a<0", "1 2+"},
		{"branch of labels only", "u a n<1 n", "1 2+"},
		{"label is a tip's child", "u a n u a", "1 2+, 4 5+"},
		{"only a label between tips", "u n a a<2", "1 3+ | 1 4+"},

		{"parent after its child", "a<2 u<0", "2 1+"},
		{"parents after their children", "a<2 u<3 a<4 u<0", "4 3+, 2 1+"},
		{"late parent of two", "a<3 a<3 u<0", "3 1+ | 3 2+"},
		{"own parent", "u a u<3 a", "1 2+"},
		{"ring", "u a u<4 a<3 a<4", "1 2+"},
	}
	for _, tt := range tests {
		f := Exchanges(grow(t, tt.log))
		if got := shown(&f); got != tt.want {
			t.Errorf("%s: Exchanges(%s)\n got %s\nwant %s", tt.name, tt.log, got, tt.want)
		}
	}
}

func TestExchangePiecesAndSteps(t *testing.T) {
	tests := []struct {
		log           string
		answer        int
		pieces, steps []int
	}{
		{"u a", 2, nil, nil},
		{"u t r a", 4, nil, []int{2}},
		{"u l a", 3, []int{2}, nil},
		{"u l l a", 4, []int{2, 3}, nil},
		{"u l l", 3, []int{2}, nil},
		{"u l e", 3, []int{2}, nil},
		{"u l u a", 4, []int{2}, nil},
		{"u t r l a", 5, []int{4}, []int{2}},
		{"u l t r a", 5, nil, []int{2, 3}}, // the piece was not continued by the answer
		{"u l e a", 4, nil, []int{2, 3}},   // nor here
		{"u e l a", 4, []int{3}, []int{2}}, //
		{"u l t l a", 5, []int{4}, []int{2, 3}},
	}
	for _, tt := range tests {
		f := Exchanges(grow(t, tt.log))
		if len(f.Exchanges) != 1 {
			t.Errorf("%s: %d exchanges", tt.log, len(f.Exchanges))
			continue
		}
		x := f.Exchanges[0]
		if x.Answer != tt.answer || !slices.Equal(x.Pieces, tt.pieces) || !slices.Equal(x.Steps, tt.steps) {
			t.Errorf("%s: answer %d pieces %v steps %v, want %d %v %v", tt.log, x.Answer, x.Pieces, x.Steps, tt.answer, tt.pieces, tt.steps)
		}
	}
}

// A length-cut answer that also calls a tool was continued by its result, not by
// the model going on with its words.
func TestExchangeCutCallIsNoPiece(t *testing.T) {
	log := grow(t, "u l r a")
	log[1].Calls = []Call{{Name: "run"}}
	f := Exchanges(log)
	if x := f.Exchanges[0]; len(x.Pieces) != 0 || !slices.Equal(x.Steps, []int{2}) {
		t.Errorf("pieces %v steps %v", x.Pieces, x.Steps)
	}
}

func TestExchangeTimes(t *testing.T) {
	never := time.Time{}
	tests := []struct {
		name     string
		log      string
		set      map[int]time.Time
		from, to time.Time
	}{
		{"first and last", "u t r a", nil, minute(1), minute(4)},
		{"one entry", "u", nil, minute(1), minute(1)},
		{"answer before the last user entry", "u t r u", nil, minute(1), minute(2)},
		{"middle entries do not count", "u u a", map[int]time.Time{2: minute(90)}, minute(1), minute(3)},
		{"pieces do not count", "u l a", map[int]time.Time{2: minute(90)}, minute(1), minute(3)},
		{"clock went back", "u a", map[int]time.Time{2: minute(-5)}, minute(-5), minute(1)},
		{"question without a time", "u a", map[int]time.Time{1: never}, minute(2), minute(2)},
		{"answer without a time", "u a", map[int]time.Time{2: never}, minute(1), minute(1)},
		{"no time at all", "u a", map[int]time.Time{1: never, 2: never}, never, never},
	}
	for _, tt := range tests {
		log := grow(t, tt.log)
		for seq, at := range tt.set {
			log[seq-1].Time = at
		}
		f := Exchanges(log)
		if x := f.Exchanges[0]; !x.From.Equal(tt.from) || !x.To.Equal(tt.to) {
			t.Errorf("%s: %v … %v, want %v … %v", tt.name, x.From, x.To, tt.from, tt.to)
		}
	}
}

func TestExchangeText(t *testing.T) {
	image := []Part{{Text: "look"}, {Kind: PartImage}, {Text: "there"}}
	tests := []struct {
		name  string
		log   string
		parts map[int][]Part
		want  string
	}{
		{"finished", "u a", nil, "用户：\nw1\n\n助手：\nw2"},
		{"unanswered", "u", nil, "用户：\nw1"},
		{"several questions", "u t r u a", nil, "用户：\nw1\n\n用户：\nw4\n\n助手：\nw5"},
		{"answer before the last question", "u t r u", nil, "用户：\nw1\n\n用户：\nw4\n\n助手：\nw2"},
		{"continued", "u l l a", nil, "用户：\nw1\n\n助手：\nw2\nw3\nw4"},
		{"image between texts", "u a", map[int][]Part{1: image}, "用户：\nlook\n[图片]\nthere\n\n助手：\nw2"},
		{"image alone", "u a", map[int][]Part{1: {{Kind: PartImage}}}, "用户：\n[图片]\n\n助手：\nw2"},
		{"no thinking, no attachment", "u a", map[int][]Part{
			1: {{Text: "q"}, {Kind: PartAttachment, Text: "plan.pdf"}},
			2: {{Kind: PartThinking, Text: "hm"}, {Text: "an"}, {Text: "swer"}},
		}, "用户：\nq\n\n助手：\nan\nswer"},
		{"no words", "u a", map[int][]Part{1: nil, 2: nil}, "用户：\n\n\n助手：\n"},
		{"empty first question", "u u a", map[int][]Part{1: nil}, "用户：\n\n\n用户：\nw2\n\n助手：\nw3"},
	}
	for _, tt := range tests {
		log := grow(t, tt.log)
		for seq, parts := range tt.parts {
			log[seq-1].Parts = parts
		}
		f := Exchanges(log)
		if got := f.Exchanges[0].Text(log); got != tt.want {
			t.Errorf("%s:\n got %q\nwant %q", tt.name, got, tt.want)
		}
	}
}

func TestEntryWords(t *testing.T) {
	tests := []struct {
		parts []Part
		want  string
	}{
		{nil, ""},
		{[]Part{{Text: "a"}}, "a"},
		{[]Part{{Text: "a"}, {Text: "b"}}, "a\nb"},
		{[]Part{{Text: ""}, {Text: "b"}}, "\nb"},
		{[]Part{{Kind: PartImage}}, ObjectMark},
		{[]Part{{Kind: PartThinking, Text: "t"}}, ""},
		{[]Part{{Kind: PartThinking, Text: "t"}, {Text: "a"}, {Kind: PartImage}, {Kind: PartAttachment, Text: "f"}}, "a\n" + ObjectMark},
	}
	for _, tt := range tests {
		if got := (&Entry{Parts: tt.parts}).Words(); got != tt.want {
			t.Errorf("Words of %v: %q, want %q", tt.parts, got, tt.want)
		}
	}
}

// Members must not let a caller's append reach the user entries of the exchange.
func TestMembersIsItsOwnSlice(t *testing.T) {
	f := Exchanges(grow(t, "u u a u<2 u a"))
	for i := range f.Exchanges {
		x := &f.Exchanges[i]
		before := fmt.Sprint(x.Users)
		_ = append(x.Members(), 99)
		if got := fmt.Sprint(x.Users, x.Members()[len(x.Users)]); got != before+fmt.Sprint(" ", x.Answer) {
			t.Errorf("exchange %d changed to %s", i, got)
		}
	}
}

func TestNames(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{RoleNone.String(), ""}, {RoleUser.String(), "user"}, {RoleAssistant.String(), "assistant"},
		{RoleTool.String(), "tool"}, {RoleSystem.String(), "system"}, {RoleOther.String(), "other"},
		{Cause(0).String(), ""}, {CauseCompaction.String(), "compaction"}, {CauseReset.String(), "reset"}, {CauseHandoff.String(), "handoff"},
		{KindSession.String(), "session"}, {KindExchange.String(), "exchange"}, {KindSummary.String(), "summary"}, {KindEntry.String(), "entry"},
		{Warning{Kind: BadLine, File: "f", Line: 3, Detail: "no JSON"}.String(), "f:3: bad_line: no JSON"},
		{Warning{Kind: NoHeader, File: "f"}.String(), "f: no_header"},
		{(&Entry{ID: "a"}).NodeID(), "a"}, {(&Entry{ID: "a", Key: "v1-2"}).NodeID(), "v1-2"},
	} {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}
