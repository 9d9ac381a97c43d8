package lookback

import (
	"strings"
	"time"
)

// Role says who an entry's words come from.
type Role uint8

// Roles of entries. RoleNone marks tree nodes that carry no words: labels,
// names, model changes, compactions, records of an unknown type.
const (
	RoleNone Role = iota
	RoleUser
	RoleAssistant
	RoleTool // the result of a tool call
	RoleSystem
	RoleOther // a message of another role: a shell run, an injected message, an unknown role
)

// String gives the role as it is written in JSON and on screen; "" for RoleNone.
func (r Role) String() string {
	return [...]string{"", "user", "assistant", "tool", "system", "other"}[r]
}

// Stop says how an assistant entry ended.
type Stop uint8

// Ends of assistant entries. StopUnknown also stands for entries that are not
// an assistant's.
const (
	StopUnknown Stop = iota
	StopFinal        // the model finished its answer
	StopLength       // cut off by the token limit
	StopTools        // ended to call tools
	StopError
	StopAborted
)

// PartKind says what a part of an entry is.
type PartKind uint8

// Kinds of parts. Only PartText carries words that are searched.
const (
	PartText PartKind = iota
	PartImage
	PartThinking
	PartAttachment // Text is the attachment's name
)

// Part is one block of an entry's content, in the order it was written.
type Part struct {
	Kind PartKind
	Text string // for PartText the words, for PartAttachment the name, else ""
}

// Call is one tool call of an assistant entry. Arguments are never kept.
type Call struct {
	ID   string // links the call to its result; unique within a session only by custom
	Name string
}

// Reply links a RoleTool entry to the call it answers.
type Reply struct {
	Call   string // Call.ID
	Tool   string // tool name as the result states it
	Failed bool
}

// Cause says why a boundary exists.
type Cause uint8

// Causes of boundaries.
const (
	CauseCompaction Cause = iota + 1
	CauseReset
	CauseHandoff
)

// String gives "compaction", "reset", "handoff", or "" for no cause.
func (c Cause) String() string {
	return [...]string{"", "compaction", "reset", "handoff"}[c]
}

// Cut is what a compaction, reset or handoff entry records: from which entry on
// the model still has the words, and the text it was given in place of the rest.
type Cut struct {
	Cause Cause
	Keep  string // ID of the first entry kept; "" or the entry's own ID when none was
	Text  string // never searched, never summarised
}

// Entry is one record of a session's log. It never changes once read.
//
// Entries of a session are numbered by Seq from 1 in log order without gaps, so
// a slice of all entries holds entry Seq at index Seq-1.
type Entry struct {
	Seq      int
	ID       string // the agent's own id, unique within the session but for damaged logs
	Key      string // id used for nodes and the archive when it differs from ID, else ""
	Parent   int    // Seq of the parent, 0 at a root; may be larger than Seq in damaged logs
	Role     Role
	Message  bool // a conversation entry: it can be the tip of a branch
	Injected bool // written by the harness, not by a person or model: kept, shown flagged, not searched
	Author   string
	Time     time.Time // UTC, millisecond resolution; zero when nothing near it has a time
	Parts    []Part
	Calls    []Call // assistant entries
	Stop     Stop   // assistant entries
	Reply    *Reply // RoleTool entries
	Cut      *Cut   // compaction, reset and handoff entries
	Offset   int64  // byte offset of the record in its log file, for re-reading it alone
	Size     int    // length of the record in bytes
}

// NodeID is the id under which the entry appears in nodes, refs and archives.
func (e *Entry) NodeID() string {
	if e.Key != "" {
		return e.Key
	}
	return e.ID
}

// Spoken reports whether the entry holds words of a person or a model: it is
// searched, read and summarised, and it is what counts as visible.
func (e *Entry) Spoken() bool {
	return (e.Role == RoleUser || e.Role == RoleAssistant) && e.Message && !e.Injected
}

// ObjectMark stands for one image in text made by Entry.Words. It is the Unicode
// object replacement character; surfaces show it as a placeholder.
const ObjectMark = "\uFFFC"

// Words returns the entry's text parts joined by LF, each image as ObjectMark.
// Thinking and attachments give nothing.
func (e *Entry) Words() string { return e.join(ObjectMark) }

func (e *Entry) join(image string) string {
	if len(e.Parts) == 1 && e.Parts[0].Kind == PartText {
		return e.Parts[0].Text
	}
	var b strings.Builder
	first := true
	for _, p := range e.Parts {
		if p.Kind != PartText && p.Kind != PartImage {
			continue
		}
		if !first {
			b.WriteByte('\n')
		}
		first = false
		if p.Kind == PartImage {
			b.WriteString(image)
		} else {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// CallsTools reports whether the entry asks for at least one tool call.
func (e *Entry) CallsTools() bool { return len(e.Calls) > 0 }
