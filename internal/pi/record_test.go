package pi

import (
	"reflect"
	"strings"
	"sync"
	"testing"

	"lookback"
)

// only reads a session of the given records and returns the last entry.
func only(t *testing.T, lines ...string) lookback.Entry {
	t.Helper()
	e := read(t, write(t, append([]string{head}, lines...)...)).Log.Entries
	if len(e) == 0 {
		t.Fatal("no entry")
	}
	return e[len(e)-1]
}

// TestKeyOrder gives a record's keys in orders that Pi does not write.
func TestKeyOrder(t *testing.T) {
	text := []lookback.Part{{Text: "one"}, {Kind: lookback.PartImage}, {Kind: lookback.PartThinking}}
	blocks := `[{"text":"one","type":"text"},{"data":"AAAA","type":"image"},{"thinking":"x","type":"thinking"},` +
		`{"name":"bash","arguments":{"text":"no"},"id":"c","type":"toolCall"},{"text":"no","type":"hologram"},7,{"type":"text"}]`
	tests := map[string]struct {
		line string
		want lookback.Entry
	}{
		"assistant, all backwards": {
			`{"message":{"stopReason":"toolUse","content":` + blocks + `,"role":"assistant"},"id":"x","type":"message"}`,
			lookback.Entry{Role: lookback.RoleAssistant, Message: true, Parts: text, Stop: lookback.StopTools, Calls: []lookback.Call{{ID: "c", Name: "bash"}}}},
		"user": {
			`{"message":{"content":` + blocks + `,"role":"user","stopReason":"stop"},"id":"x","type":"message"}`,
			lookback.Entry{Role: lookback.RoleUser, Message: true, Parts: text}},
		"tool result": {
			`{"id":"x","message":{"isError":true,"toolName":"bash","content":` + blocks + `,"toolCallId":"c","role":"toolResult"},"type":"message"}`,
			lookback.Entry{Role: lookback.RoleTool, Message: true, Reply: &lookback.Reply{Call: "c", Tool: "bash", Failed: true}}},
		"custom message": {
			`{"content":"one","customType":"note","id":"x","type":"custom_message"}`,
			lookback.Entry{Role: lookback.RoleOther, Injected: true, Parts: []lookback.Part{{Text: "one"}}}},
		"custom role": {
			`{"type":"message","id":"x","message":{"role":"custom","content":"one"}}`,
			lookback.Entry{Role: lookback.RoleOther, Message: true, Injected: true, Parts: []lookback.Part{{Text: "one"}}}},
		"hook role": {
			`{"type":"message","id":"x","message":{"role":"hookMessage","content":null}}`,
			lookback.Entry{Role: lookback.RoleOther, Message: true, Injected: true}},
		"shell run": {
			`{"type":"message","id":"x","message":{"role":"bashExecution","command":"ls","output":"no"}}`,
			lookback.Entry{Role: lookback.RoleOther, Message: true}},
		"system": {
			`{"type":"message","id":"x","message":{"content":"no","role":"system"}}`,
			lookback.Entry{Role: lookback.RoleSystem, Message: true}},
		"compaction": {
			`{"firstKeptEntryId":"k","summary":"s","details":{"kind":"other","more":[]},"id":"x","type":"compaction"}`,
			lookback.Entry{Cut: &lookback.Cut{Cause: lookback.CauseCompaction, Keep: "k", Text: "s"}}},
		"handoff": {
			`{"type":"compaction","id":"x","summary":"s","firstKeptEntryId":"x","details":{"a":{"kind":"no"},"kind":"handoff"},"firstKeptEntryIndex":3}`,
			lookback.Entry{Cut: &lookback.Cut{Cause: lookback.CauseHandoff, Keep: "x", Text: "s"}}},
		"compaction without a thing": {
			`{"type":"compaction","id":"x","summary":null,"firstKeptEntryId":null,"details":"kind"}`,
			lookback.Entry{Cut: &lookback.Cut{Cause: lookback.CauseCompaction}}},
		"branch summary": {
			`{"summary":"no","content":"no","id":"x","type":"branch_summary"}`, lookback.Entry{}},
		"the last of equal keys counts": {
			`{"type":"message","id":"y","id":"x","message":{"role":"user","content":"no","content":"one"}}`,
			lookback.Entry{Role: lookback.RoleUser, Message: true, Parts: []lookback.Part{{Text: "one"}}}},
		"keys with escapes": {
			`{"\u0074ype":"message","id":"x","message":{"rol\u0065":"user","content":"one"}}`,
			lookback.Entry{Role: lookback.RoleUser, Message: true, Parts: []lookback.Part{{Text: "one"}}}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := only(t, tt.line)
			tt.want.Seq, tt.want.ID, tt.want.Offset, tt.want.Size = 1, "x", int64(len(head))+1, len(tt.line)
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("%+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestSession(t *testing.T) {
	info := func(name string) string {
		return `{"type":"session_info","id":"i` + strings.Trim(name, "\" ") + `","name":` + name + `}`
	}
	long := strings.Repeat("word ", 40)
	tests := map[string]struct {
		lines []string
		name  string
		named bool
	}{
		"first words":        {[]string{user("u", "", " two\n words ")}, "two words", false},
		"at most 80":         {[]string{user("u", "", long)}, long[:79], false},
		"the first with any": {[]string{user("u", "", "  "), user("v", "u", "words")}, "words", false},
		"none":               {[]string{answer("a", "", "words")}, "", false},
		"named":              {[]string{user("u", "", "words"), info(`" Lamp "`)}, "Lamp", true},
		"the last name":      {[]string{user("u", "", "words"), info(`"A"`), info(`"B"`)}, "B", true},
		"a cleared name":     {[]string{user("u", "", "words"), info(`"A"`), info(`""`)}, "words", false},
		"a name of null":     {[]string{user("u", "", "words"), info(`"A"`), info(`null`)}, "words", false},
		"of injected words":  {[]string{`{"type":"custom_message","id":"c","content":"no"}`, user("u", "c", "words")}, "words", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := read(t, write(t, append([]string{head}, tt.lines...)...)).Log.Session
			if s.Name != tt.name || s.Named != tt.named || s.ID != (lookback.SessionID{Agent: "pi", Native: "s-1"}) || s.Version != 3 {
				t.Errorf("%+v", s)
			}
		})
	}
}

// TestVersion1 covers the numbers by which old compactions name entries.
func TestVersion1(t *testing.T) {
	m := func(text string) string {
		return `{"type":"message","timestamp":"2026-03-10T09:01:00.000Z","message":{"role":"user","content":"` + text + `"}}`
	}
	cut := func(index string) string {
		return `{"type":"compaction","timestamp":"2026-03-10T09:02:00.000Z","summary":"s","firstKeptEntryIndex":` + index + `}`
	}
	tests := map[string]struct {
		lines []string
		keep  string
	}{
		"the second entry":          {[]string{m("1"), m("2"), cut("2")}, "v1-2"},
		"the header":                {[]string{m("1"), cut("0")}, ""},
		"behind the end":            {[]string{m("1"), cut("9")}, ""},
		"no number":                 {[]string{m("1"), cut(`"1"`)}, ""},
		"a second header counts":    {[]string{m("1"), headV1, m("2"), cut("3")}, "v1-2"},
		"so does what comes again":  {[]string{m("1"), m("1"), m("2"), cut("3")}, "v1-2"},
		"and what came again":       {[]string{m("1"), m("1"), m("2"), cut("2")}, "v1-1"},
		"a line that is no JSON no": {[]string{m("1"), "junk", m("2"), cut("2")}, "v1-2"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			e := read(t, write(t, append([]string{headV1}, tt.lines...)...)).Log.Entries
			last := e[len(e)-1]
			if last.Cut == nil || last.Cut.Keep != tt.keep || last.Parent != last.Seq-1 {
				t.Errorf("%+v", last)
			}
		})
	}
}

// TestTimesOfNeighbours gives entries without a time that of the one before on the
// path, else that of the one behind.
func TestTimesOfNeighbours(t *testing.T) {
	at := func(id, parent, time string) string {
		return `{"type":"label","id":"` + id + `","parentId":"` + parent + `","timestamp":` + time + `}`
	}
	lines := []string{
		head,
		at("r", "", "null"),        // from below: the first child that has one
		at("a", "r", `"junk"`),     // from below
		at("b", "a", "1773133260"), //
		at("c", "b", "null"),       // from above
		at("d", "r", "1773133200"), // a later child of the root
		at("e", "r", `""`),         // from above, which came from below
		at("alone", "", "null"),    // nothing near it
	}
	b := read(t, write(t, lines...))
	var got []int64
	for _, e := range b.Log.Entries {
		ms := int64(0)
		if !e.Time.IsZero() {
			ms = e.Time.UnixMilli()
		}
		got = append(got, ms/1000)
	}
	if want := []int64{1773133260, 1773133260, 1773133260, 1773133260, 1773133200, 1773133260, 0}; !reflect.DeepEqual(got, want) {
		t.Errorf("times %v, want %v", got, want)
	}
	if w := b.Log.Warnings; len(w) != 1 || w[0].Kind != lookback.BadTimestamp || w[0].Line != 3 || w[0].Count != 2 {
		t.Errorf("warnings %v", w)
	}
}

// TestManyAtOnce reads in several goroutines, for the race detector.
func TestManyAtOnce(t *testing.T) {
	path := write(t, head, user("u", "", "one"), answer("a", "u", "two"))
	s := testSource()
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 50 {
				b, err := s.Read(t.Context(), lookback.Place{Path: path}, nil, nil)
				if err == nil {
					err = s.Fill(path, b.Log.Entries)
				}
				if err != nil || len(b.Log.Entries) != 2 || b.Log.Entries[1].Words() != "two" {
					t.Errorf("%d entries, %v", len(b.Log.Entries), err)
				}
			}
		})
	}
	group.Wait()
	if s.Agent() != "pi" {
		t.Error(s.Agent())
	}
}
