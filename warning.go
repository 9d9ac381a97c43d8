package lookback

import "fmt"

// WarningKind names a kind of fault in a source. The set is closed: scripts may
// match on it.
type WarningKind string

// Kinds of warnings, as docs/scripting.md lists them.
const (
	BadLine          WarningKind = "bad_line"
	TruncatedTail    WarningKind = "truncated_tail"
	NulBytes         WarningKind = "nul_bytes"
	InvalidUTF8      WarningKind = "invalid_utf8"
	DuplicateID      WarningKind = "duplicate_id"
	MissingParent    WarningKind = "missing_parent"
	ParentCycle      WarningKind = "cycle"
	NoHeader         WarningKind = "no_header"
	BadTimestamp     WarningKind = "bad_timestamp"
	NewerVersion     WarningKind = "newer_version"
	OversizeLine     WarningKind = "oversize_line"
	BadEntry         WarningKind = "bad_entry"
	DuplicateSession WarningKind = "duplicate_session"
	Unreadable       WarningKind = "unreadable"  // a file or folder that could not be opened or read
	BadArchive       WarningKind = "bad_archive" // an archive record that does not parse or whose id is unsafe
)

// Warning says that a source was read with a loss. One is kept per file and
// kind: Line is the first line it happened on, Count how often.
type Warning struct {
	Kind   WarningKind `json:"kind"`
	File   string      `json:"file,omitempty"` // path of the source
	Line   int         `json:"line"`           // physical line from 1; 0 when the whole file is meant
	Count  int         `json:"count"`
	Detail string      `json:"detail"` // a short English phrase; may quote hostile text, so escape it
}

// String gives one line for logs and terminals. It is not escaped.
func (w Warning) String() string {
	at := w.File
	if w.Line > 0 {
		at = fmt.Sprintf("%s:%d", w.File, w.Line)
	}
	if w.Detail == "" {
		return fmt.Sprintf("%s: %s", at, w.Kind)
	}
	return fmt.Sprintf("%s: %s: %s", at, w.Kind, w.Detail)
}
