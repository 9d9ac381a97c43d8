package lookback

import (
	"testing"
	"time"
)

func TestScope(t *testing.T) {
	s := SessionID{"pi", "S"}
	tests := []struct {
		name      string
		scope     Scope
		nothing   bool
		all       bool
		workspace string
		leaf      int
		before    int
		says      string
	}{
		{"zero value", Scope{}, true, false, "", 0, 0, "nothing"},
		{"everything", Everything(), false, true, "", 0, 0, "all sessions"},
		{"workspace", InWorkspace("/w"), false, false, "/w", 0, 0, "workspace /w"},
		{"no workspace", InWorkspace(""), true, false, "", 0, 0, "nothing"},
		{"conversation", InConversation(s, 9, 4), false, false, "", 9, 4, "this conversation"},
		{"conversation from its first entry", InConversation(s, 1, 1), false, false, "", 1, 1, "this conversation"},
		{"no session", InConversation(SessionID{}, 9, 4), true, false, "", 0, 0, "nothing"},
		{"no native id", InConversation(SessionID{Agent: "pi"}, 9, 4), true, false, "", 0, 0, "nothing"},
		{"no agent", InConversation(SessionID{Native: "S"}, 9, 4), true, false, "", 0, 0, "nothing"},
		{"no leaf", InConversation(s, 0, 4), true, false, "", 0, 0, "nothing"},
		{"no bound", InConversation(s, 9, 0), true, false, "", 0, 0, "nothing"},
		{"bound below", InConversation(s, 9, -1), true, false, "", 0, 0, "nothing"},
	}
	for _, tt := range tests {
		root, inWorkspace := tt.scope.Workspace()
		id, leaf, before, inConversation := tt.scope.Conversation()
		if tt.scope.Nothing() != tt.nothing || tt.scope.Everything() != tt.all || tt.scope.String() != tt.says {
			t.Errorf("%s: nothing %v, everything %v, %q", tt.name, tt.scope.Nothing(), tt.scope.Everything(), tt.scope)
		}
		if root != tt.workspace || inWorkspace != (tt.workspace != "") {
			t.Errorf("%s: workspace %q, %v", tt.name, root, inWorkspace)
		}
		if leaf != tt.leaf || before != tt.before || inConversation != (tt.leaf > 0) || inConversation != (id == s) {
			t.Errorf("%s: conversation %v to %d before %d, %v", tt.name, id, leaf, before, inConversation)
		}
		if tt.nothing && tt.scope != (Scope{}) {
			t.Errorf("%s: sees nothing, but is not the zero value", tt.name)
		}
	}
}

func TestSpan(t *testing.T) {
	never := time.Time{}
	tests := []struct {
		span           Span
		zero, reversed bool
	}{
		{Span{}, true, false},
		{Span{minute(1), never}, false, false},
		{Span{never, minute(1)}, false, false},
		{Span{minute(1), minute(2)}, false, false},
		{Span{minute(2), minute(1)}, false, true},
		{Span{minute(1), minute(1)}, false, true},
	}
	for _, tt := range tests {
		if tt.span.IsZero() != tt.zero || tt.span.reversed() != tt.reversed {
			t.Errorf("%v: zero %v, reversed %v", tt.span, tt.span.IsZero(), tt.span.reversed())
		}
	}
}
