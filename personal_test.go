package lookback

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// noon is the now of the query tests.
var noon = time.Date(2026, 3, 11, 12, 0, 0, 0, time.UTC)

func day(year int, month time.Month, d int) time.Time {
	return time.Date(year, month, d, 0, 0, 0, 0, time.UTC)
}

func TestParseQueryTerms(t *testing.T) {
	tests := []struct{ in, want, text string }{
		{"", "", ""},
		{"  needle   found ", "needle found", "needle   found"},
		{`"exact words" need*`, `"exact words" need*`, `"exact words" need*`},

		{"relay -voltage", "relay -voltage", "relay -voltage"},
		{`relay -"high voltage"`, `relay -"high voltage"`, `relay -"high voltage"`},
		{"relay -volt*", "relay -volt*", "relay -volt*"},
		{"-voltage relay", "-voltage relay", "-voltage relay"},
		{"relay - voltage", "relay voltage", "relay - voltage"},
		{`relay - "high voltage"`, `relay "high voltage"`, `relay - "high voltage"`},
		{"relay --voltage", "relay --voltage", "relay --voltage"},
		{"relay -", "relay", "relay -"},
		{"relay -...", "relay", "relay -..."},
		{`relay "-voltage"`, `relay "-voltage"`, `relay "-voltage"`},

		{"-needle", "needle", "-needle"},
		{`-needle -"two words"`, `needle "two words"`, `-needle -"two words"`},
		{"... -needle", "needle", "... -needle"},
		{"agent:pi -needle", "needle", "-needle"},

		{"agent:pi needle", "needle", "needle"},
		{"needle  agent:pi   found", "needle found", "needle found"},
		{"needle agent:pi", "needle", "needle"},
		{"agent:pi", "", ""},
		{`name:"relay notes" needle`, "needle", "needle"},
		{`needle" in:x "found agent:pi`, `needle " in:x " found`, `needle" in:x "found`},
		{"-agent:pi needle", "-agent:pi needle", "-agent:pi needle"},
		{`"agent:pi" needle`, `"agent:pi" needle`, `"agent:pi" needle`},
	}
	for _, tt := range tests {
		q, err := ParseQuery(tt.in, noon)
		if err != nil {
			t.Errorf("ParseQuery(%q): %v", tt.in, err)
		}
		if got := terms(q); got != tt.want || q.Text != tt.text {
			t.Errorf("ParseQuery(%q): %s of %q, want %s of %q", tt.in, got, q.Text, tt.want, tt.text)
		}
	}
}

func TestParseQueryFilters(t *testing.T) {
	tests := []struct {
		in   string
		want Filters
	}{
		{"agent:pi", Filters{Agent: "pi"}},
		{"Agent:Claude", Filters{Agent: "claude"}},
		{"role:user", Filters{Role: RoleUser}},
		{"role:ASSISTANT", Filters{Role: RoleAssistant}},
		{"kind:summary", Filters{Kinds: []Kind{KindSummary}}},
		{"kind:entries kind:exchange", Filters{Kinds: []Kind{KindEntry, KindExchange}}},
		{"session:0198-ab", Filters{Session: "0198-ab"}},
		{"session:pi:0198", Filters{Agent: "pi", Session: "0198"}},
		{"session:claude:a%20b#12", Filters{Agent: "claude", Session: "a b"}},
		{"session:x#1", Filters{Session: "x#1"}},
		{"session:a:%", Filters{Session: "a:%"}},
		{"name:relay", Filters{Name: "relay"}},
		{`name:"relay notes"`, Filters{Name: "relay notes"}},
		{`name:"relay notes`, Filters{Name: "relay notes"}},
		{"in:/srv/demo", Filters{In: "/srv/demo"}},
		{`in:C:\demo`, Filters{In: `C:\demo`}},
		{"after:2026-01", Filters{When: Span{From: day(2026, 1, 1)}}},
		{"before:2026-01-31", Filters{When: Span{To: day(2026, 1, 31)}}},
		{"after:7d before:1d", Filters{When: Span{noon.AddDate(0, 0, -7), noon.AddDate(0, 0, -1)}}},
		{"after:-7d", Filters{When: Span{From: noon.AddDate(0, 0, -7)}}},
		{"after:2026-03-10T22:30", Filters{When: Span{From: time.Date(2026, 3, 10, 22, 30, 0, 0, time.UTC)}}},
		{`after:"2026-03-10 22:30"`, Filters{When: Span{From: time.Date(2026, 3, 10, 22, 30, 0, 0, time.UTC)}}},
		{"agent:pi agent:codex", Filters{Agent: "codex"}},
		{"agent:pi after:yesterday kind:summary x", Filters{Agent: "pi", Kinds: []Kind{KindSummary}, When: Span{From: day(2026, 3, 10)}}},
	}
	for _, tt := range tests {
		q, err := ParseQuery(tt.in, noon)
		if err != nil || !reflect.DeepEqual(q.Filters, tt.want) {
			t.Errorf("ParseQuery(%q): %+v, %v; want %+v", tt.in, q.Filters, err, tt.want)
		}
	}
}

// What stands before a colon is mostly no filter, and then it is looked up.
func TestParseQueryOrdinaryColons(t *testing.T) {
	for _, in := range []string{
		"TODO: fix", "name: fix", "status:500", "error:", "error: no such file", "http://localhost:80", "C:\\demo",
		"content:secret", "rowid:1", "main.go:12", "a:b:c", ":x", "before: release", "kind: of",
		"rule:80", "roll:back", "hole:1", "find:x", "bind:8080", "mind:set", "king:size", "same:thing", "game:over", "fame:x",
		"names:x", "named:x", "agents:x", "roles:x", "kinds:x", "sessions:3", "kin:x", "ind:x", "age:9", "nam:x", "inn:x", "i:x",
		"altar:x", "reagent:x", "urgent:x", "befriend:x", "ä:ö", "名:x",
		`fix: "the build"`, `name: "the build"`, `error:"the build"`, `name:""`,
	} {
		q, err := ParseQuery(in, noon)
		if err != nil || !reflect.DeepEqual(q.Filters, Filters{}) {
			t.Errorf("ParseQuery(%q): filters %+v, %v", in, q.Filters, err)
		}
		if want := ParseTerms(in); terms(q) != terms(want) || q.Text != want.Text {
			t.Errorf("ParseQuery(%q): %s of %q, want %s", in, terms(q), q.Text, terms(want))
		}
	}
}

func TestParseQueryErrors(t *testing.T) {
	tests := []struct{ in, problem, hint string }{
		{"agnet:pi", `"agnet:" is not a filter`, "did you mean agent:"},
		{"model in:", "in: has no value", `"in:"`},
		{"Role:", "role: has no value", `"role:"`},
		{"Agnet:pi x", `"agnet:" is not a filter`, `"agnet:pi"`},
		{"aget:pi", "aget", "agent:"},
		{"agennt:pi", "agennt", "agent:"},
		{"rolle:user", "rolle", "role:"},
		{"rloe:user", "rloe", "role:"},
		{"kidn:summary", "kidn", "kind:"},
		{"sesion:x", "sesion", "session:"},
		{"sesssion:x", "sesssion", "session:"},
		{"naem:x", "naem", "name:"},
		{`nname:"a b"`, "nname", "name:"},
		{"aftr:2026", "aftr", "after:"},
		{"befor:2026", "befor", "before:"},
		{"ebfore:2026", "ebfore", "before:"},

		{"role:admin", `no role is called "admin"`, `user or assistant; to look the words up, quote them: "role:admin"`},
		{"kind:bug", `no kind is called "bug"`, "summary"},
		{"before:each", `"each" is not a time`, `"before:each"`},
		{"after:2026-13-01", "2026-13-01", "2026-01-31"},
		{"after:2026-04-01 before:2026-03-01", "after: 2026-04-01T00:00:00Z is not earlier than before: 2026-03-01T00:00:00Z", "swap"},
		{"before:7d after:1d", "not earlier", "swap"},
		{"after:7d before:-7d", "not earlier", "swap"},
	}
	for _, tt := range tests {
		q, err := ParseQuery(tt.in, noon)
		var fault *QueryError
		if !errors.As(err, &fault) || !strings.Contains(err.Error(), tt.problem) || !strings.Contains(fault.Hint, tt.hint) {
			t.Errorf("ParseQuery(%q): %#v, want %q with the hint %q", tt.in, err, tt.problem, tt.hint)
		}
		if !reflect.DeepEqual(q, Query{}) {
			t.Errorf("ParseQuery(%q): an error and %+v", tt.in, q)
		}
	}
}

func TestParseQueryQuestions(t *testing.T) {
	tests := []struct {
		in   string
		want bool
	}{
		{"", false},
		{"?", false},
		{"relay voltage", false},
		{"why did the relay fail", true},
		{"relay fails when hot", true},
		{"the relay fails", false}, // three words
		{"relay voltage high today", false},
		{"relay voltage?", true},
		{"which relay?", true},
		{"relay voltage ?", true},
		{"(which relay?)", true},
		{"which relay?!", true},
		{"Did it fail? I think so", true},
		{"relay?", false}, // one word ranks the same either way
		{"为什么失败？", true},
		{"继电器 电压？", true},
		{"ما هذا؟", true},
		{"继电器 电压", false},
		{"WHAT WE DECIDED YESTERDAY", true},
		{"relay, voltage, the, rest.", true},
		{"obj?.field undefined", false},
		{"http://x/?a=1 fails", false},
		{`what is the "relay voltage"`, false},
		{"what is the relay* voltage", false},
		{"what is the relay -voltage", false},
		{"what is agent:pi", false},
		{"why did the relay fail agent:pi", true},
		{`relay voltage name:"why?"`, false},
		{"in:/srv/what? relay voltage", false},
		{"-what -is -the -relay", true}, // nothing else is asked for, so these are plain words
	}
	for _, tt := range tests {
		q, err := ParseQuery(tt.in, noon)
		if err != nil || q.Question != tt.want {
			t.Errorf("ParseQuery(%q): question %v, %v", tt.in, q.Question, err)
		}
	}
}

func TestParseKindAndRole(t *testing.T) {
	for in, want := range map[string]Kind{
		"session": KindSession, "sessions": KindSession, "exchange": KindExchange, "Exchanges": KindExchange,
		"summary": KindSummary, "summaries": KindSummary, "entry": KindEntry, "entries": KindEntry,
	} {
		if got, err := ParseKind(in); err != nil || got != want {
			t.Errorf("ParseKind(%q) = %v, %v", in, got, err)
		}
	}
	for _, in := range []string{"", "node", "sum"} {
		if _, err := ParseKind(in); err == nil {
			t.Errorf("ParseKind(%q): no error", in)
		}
		if _, err := ParseRole(in); err == nil {
			t.Errorf("ParseRole(%q): no error", in)
		}
	}
}

// Every name that is offered is one that is read.
func TestFilterNames(t *testing.T) {
	names := FilterNames()
	values := map[string]string{"role": "user", "kind": "entry", "after": "7d", "before": "7d"}
	for _, name := range names {
		value := values[name]
		if value == "" {
			value = "x"
		}
		if q, err := ParseQuery(name+":"+value, noon); err != nil || len(q.Terms) > 0 {
			t.Errorf("%s: %+v, %v", name, q, err)
		}
	}
	names[0] = "changed"
	if slices.Contains(FilterNames(), "changed") {
		t.Error("a caller changed the names")
	}
}

func FuzzParseQuery(f *testing.F) {
	for _, s := range []string{"", "a -b", `-"x y" z`, "agent:pi a", `name:"x" y`, "agnet:x", "after:7d before:2026", "why? 为什么？", `in:""x`, "\x00:\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		q, err := ParseQuery(s, noon)
		if err != nil {
			var fault *QueryError
			if !errors.As(err, &fault) || fault.Problem == "" || fault.Hint == "" || !reflect.DeepEqual(q, Query{}) {
				t.Errorf("%q: %+v, %#v", s, q, err)
			}
			return
		}
		if err := soundTerms(s, q); err != nil {
			t.Error(err)
		}
		if len(q.Text) > len(s) || len(q.Terms) > 0 && !slices.ContainsFunc(q.Terms, func(t Term) bool { return !t.Not }) {
			t.Errorf("%q: %+v", s, q)
		}
		if reflect.DeepEqual(q.Filters, Filters{}) && q.Text != strings.TrimFunc(s, blank) {
			t.Errorf("%q has no filters, but its text is %q", s, q.Text)
		}
	})
}
