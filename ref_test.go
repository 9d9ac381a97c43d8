package lookback

import (
	"errors"
	"strings"
	"testing"
)

func TestRefString(t *testing.T) {
	s := SessionID{"pi", "0198-ab"}
	odd := SessionID{"pi", "a b/c#1@2:3%~ü"}
	tests := []struct {
		ref  Ref
		want string
	}{
		{SessionRef(s), "pi:0198-ab"},
		{EntryRef(s, 12), "pi:0198-ab#12"},
		{EntryRef(s, 0), "pi:0198-ab"},
		{NodeRef(s, "A:0:e1"), "pi:0198-ab@0:e1"},
		{NodeRef(s, "A:3:e1"), "pi:0198-ab@3:e1"},
		{NodeRef(s, "A:0:e1~7"), "pi:0198-ab@0:e1%7E7"},
		{NodeRef(s, "A:0:a:b"), "pi:0198-ab@0:a%3Ab"},
		{NodeRef(s, "A"), "pi:0198-ab"},
		{NodeRef(s, ""), "pi:0198-ab"},
		{NodeRef(s, "A:-5:e1"), "pi:0198-ab"},
		{NodeRef(s, "A:x:e1"), "pi:0198-ab"},
		{SessionRef(odd), "pi:a%20b%2Fc%231%402%3A3%25%7E%C3%BC"},
		{SessionRef(SessionID{"my agent", "A.b_c-9"}), "my%20agent:A.b_c-9"},
	}
	for _, tt := range tests {
		if got := tt.ref.String(); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.ref, got, tt.want)
		}
		if got, err := ParseRef(tt.want); err != nil || got != tt.ref {
			t.Errorf("ParseRef(%q) = %+v, %v", tt.want, got, err)
		}
	}
}

func TestParseRef(t *testing.T) {
	s := SessionID{"pi", "S"}
	tests := []struct {
		in   string
		want Ref
	}{
		{" pi:S\n", SessionRef(s)},
		{"lookback://pi:S", SessionRef(s)},
		{"lookback://pi:S#4", EntryRef(s, 4)},
		{"pi:S@2:k", Ref{Session: s, Level: 2, Key: "k"}},
		{"pi:S@0:a:b", Ref{Session: s, Key: "a:b"}}, // a colon that nobody encoded
		{"pi:S@0:a#1", Ref{Session: s, Key: "a#1"}},
		{"pi:a:b", SessionRef(SessionID{"pi", "a:b"})},
		{"pi:%53", SessionRef(s)},
		{"pi:%2fx", SessionRef(SessionID{"pi", "/x"})},
		{"pi:%ff", SessionRef(SessionID{"pi", "\xff"})},
		{"pi:a+b", SessionRef(SessionID{"pi", "a+b"})}, // a plus is no blank in a path
	}
	for _, tt := range tests {
		if got, err := ParseRef(tt.in); err != nil || got != tt.want {
			t.Errorf("ParseRef(%q) = %+v, %v; want %+v", tt.in, got, err, tt.want)
		}
	}
}

func TestParseRefErrors(t *testing.T) {
	tests := []struct{ in, says string }{
		{"", "no agent"},
		{"pi", "no agent"},
		{":S", "no agent"},
		{"lookback://", "no agent"},
		{"pi:", "no session id"},
		{"pi:#3", "no session id"},
		{"pi:@0:k", "no session id"},
		{"pi:S#", "entry number"},
		{"pi:S#0", "entry number"},
		{"pi:S#-1", "entry number"},
		{"pi:S#x", "entry number"},
		{"pi:S#1.5", "entry number"},
		{"pi:S#99999999999999999999", "entry number"},
		{"pi:S#1@0:k", "entry number"},
		{"pi:S@", "@LEVEL:ENTRY"},
		{"pi:S@0", "@LEVEL:ENTRY"},
		{"pi:S@0:", "@LEVEL:ENTRY"},
		{"pi:S@:k", "@LEVEL:ENTRY"},
		{"pi:S@-1:k", "@LEVEL:ENTRY"},
		{"pi:S@0:%z", "entry id"},
		{"pi:%4", "session id"},
		{"%:S", "agent"},
	}
	for _, tt := range tests {
		got, err := ParseRef(tt.in)
		if !errors.Is(err, ErrRef) || !strings.Contains(err.Error(), tt.says) || got != (Ref{}) {
			t.Errorf("ParseRef(%q) = %+v, %v; want an error that says %q", tt.in, got, err, tt.says)
		}
	}
	if _, err := ParseRef(strings.Repeat("x", 1<<20)); len(err.Error()) > 400 {
		t.Errorf("an error of %d bytes", len(err.Error()))
	}
}

func TestRefNodeID(t *testing.T) {
	for _, id := range []string{"A", "A:0:e1", "A:7:e1~3", "A:0:a:b"} {
		if got := NodeRef(SessionID{"pi", "S"}, id).NodeID("A"); got != id {
			t.Errorf("%q became %q", id, got)
		}
	}
}

func FuzzParseRef(f *testing.F) {
	for _, s := range []string{"pi:S", "pi:S#12", "pi:S@0:e1", "lookback://pi:a%20b@3:x%7E4", "pi:%ff", "pi:S@0:a:b#c", "%:#@"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		ref, err := ParseRef(s)
		if err != nil {
			if !errors.Is(err, ErrRef) || ref != (Ref{}) {
				t.Errorf("%+v, %v", ref, err)
			}
			return
		}
		if again, err := ParseRef(ref.String()); err != nil || again != ref {
			t.Errorf("%q is %+v, its string %q is %+v, %v", s, ref, ref.String(), again, err)
		}
	})
}
