package lookback

import "time"

// Scope says what one caller may see. It is made from who is calling, by the
// functions below, and cannot be built from outside this package in any other
// way. The zero value sees nothing. Everything that a model or a person passes as
// an argument can only narrow it.
type Scope struct {
	reach     reach
	workspace string
	session   SessionID
	leaf      int
	before    int
}

type reach uint8

const (
	nothing reach = iota
	conversation
	workspace
	everything
)

// Everything sees all sessions on this machine. Only a person's own surfaces use it.
func Everything() Scope { return Scope{reach: everything} }

// WorkspaceArchive is where a workspace keeps its archive, below its root, with
// forward slashes. A directory that has one is known to be a workspace's root.
const WorkspaceArchive = ".pi/pbot/history"

// InWorkspace sees the sessions of the workspace whose root is the directory
// root, a clean absolute path, including those that ran in directories below it,
// but for what belongs to a workspace of its own there: the deepest root wins.
func InWorkspace(root string) Scope {
	if root == "" {
		return Scope{}
	}
	return Scope{reach: workspace, workspace: root}
}

// InConversation sees the entries of one session that stand on the path from a
// root to the entry with number leaf, and strictly before the entry number before.
// It sees nothing when one of the four is missing: agent, native id, leaf, before.
func InConversation(id SessionID, leaf, before int) Scope {
	if id.Agent == "" || id.Native == "" || leaf < 1 || before < 1 {
		return Scope{}
	}
	return Scope{reach: conversation, session: id, leaf: leaf, before: before}
}

// Nothing reports whether the scope sees nothing.
func (s Scope) Nothing() bool { return s.reach == nothing }

// Everything reports whether the scope is that of Everything.
func (s Scope) Everything() bool { return s.reach == everything }

// Workspace returns the workspace's root, and whether the scope is a workspace's.
func (s Scope) Workspace() (string, bool) { return s.workspace, s.reach == workspace }

// Conversation returns the session, the leaf and the exclusive upper bound, and
// whether the scope is a conversation's.
func (s Scope) Conversation() (id SessionID, leaf, before int, ok bool) {
	return s.session, s.leaf, s.before, s.reach == conversation
}

// String describes the scope for messages such as "nothing found in …".
func (s Scope) String() string {
	switch s.reach {
	case conversation:
		return "this conversation"
	case workspace:
		return "workspace " + s.workspace
	case everything:
		return "all sessions"
	}
	return "nothing"
}

// Span is a range of time. A zero bound is open.
type Span struct{ From, To time.Time } // From inclusive, To exclusive

// IsZero reports whether the span has no bound.
func (s Span) IsZero() bool { return s.From.IsZero() && s.To.IsZero() }

// reversed reports whether both bounds are set and nothing lies between them.
func (s Span) reversed() bool {
	return !s.From.IsZero() && !s.To.IsZero() && !s.From.Before(s.To)
}
