package pi

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"lookback"
)

// still is how long a file must have been left alone before a cut last line counts
// as a fault: until then it may be in the middle of being written.
const still = 10 * time.Minute

// cursor is what a later Read needs to take only what was appended, beside the
// entries themselves. Callers keep it as JSON; a form of it that cannot be read
// any more only costs reading the file from the start.
type cursor struct {
	Stamp  stamp
	Offset int64  // behind the last line that ended with LF
	Head   string // hash of the first bytes up to Offset
	Block  string // hash of the last bytes before Offset
	Line   int    // lines up to Offset
	Seq    int    // entries up to Offset: later ones are provisional and come again

	ID      string // native session id; "" when no header was read
	Cwd     string `json:",omitempty"`
	Parent  string `json:",omitempty"`
	Version int
	Started time.Time
	Name    string `json:",omitempty"` // last session_info
	First   string `json:",omitempty"` // the name derived from the first words
	Talks   bool   `json:",omitempty"` // there is at least one conversation entry

	AfterBad bool     `json:",omitempty"` // an unreadable line stands right before Offset
	Pending  []string `json:",omitempty"` // parent ids that name no entry yet
	Whole    bool     `json:",omitempty"` // the next read must start over: later lines may change earlier entries
	Faults   faults   `json:",omitempty"` // up to Offset
}

// loadCursor decodes what encode wrote; nil when it is of no use.
func loadCursor(b []byte) *cursor {
	c := new(cursor)
	if len(b) == 0 || json.Unmarshal(b, c) != nil || c.Seq < 0 || c.Offset < 0 {
		return nil
	}
	return c
}

func (c *cursor) encode() []byte {
	b, _ := json.Marshal(c) // with a year that JSON cannot hold the next read starts over
	return b
}

// session is what the log said about itself up to Offset.
func (c *cursor) session() lookback.Session {
	s := lookback.Session{
		ID: lookback.SessionID{Agent: Agent, Native: c.ID}, Name: c.Name, Named: c.Name != "",
		Cwd: c.Cwd, Version: c.Version, Started: c.Started, Parent: c.Parent,
	}
	if !s.Named {
		s.Name = c.First
	}
	return s
}

// resumes reports whether the file with the stamp now can be an appended form of
// the one that c read. The hashes are checked afterwards.
func (c *cursor) resumes(now stamp, prior []lookback.Entry) bool {
	return c != nil && c.ID != "" && !c.Whole && c.Offset > 0 && len(prior) >= c.Seq &&
		now.Inode == c.Stamp.Inode && now.Dev == c.Stamp.Dev &&
		(now.Size > c.Stamp.Size || now == c.Stamp)
}

// fault is a warning without its file, as a cursor keeps it.
type fault struct {
	Kind  lookback.WarningKind
	Line  int // first line it happened on
	Count int
}

// faults collects one fault per kind.
type faults []fault

func (f *faults) add(kind lookback.WarningKind, line int) {
	for i := range *f {
		if have := &(*f)[i]; have.Kind == kind {
			have.Count++
			have.Line = min(have.Line, line) // faults of links are found after the last line
			return
		}
	}
	*f = append(*f, fault{Kind: kind, Line: line, Count: 1})
}

// phrases say in general what a kind of warning means.
var phrases = map[lookback.WarningKind]string{
	lookback.BadLine:       "a line is not JSON",
	lookback.TruncatedTail: "the last line is cut off",
	lookback.NulBytes:      "a line holds NUL bytes",
	lookback.InvalidUTF8:   "a text is not UTF-8",
	lookback.DuplicateID:   "an id is used again with other content",
	lookback.MissingParent: "the entry before is not in the file",
	lookback.ParentCycle:   "an entry comes after itself",
	lookback.NoHeader:      "the first record is not a session header",
	lookback.BadTimestamp:  "a time cannot be read",
	lookback.NewerVersion:  "a newer version of the format, read as far as it is known",
	lookback.OversizeLine:  "a damaged line is too long to repair",
	lookback.BadEntry:      "a record lacks what it must have",
}

// warnings gives the faults their file, in line order.
func (f faults) warnings(path string) []lookback.Warning {
	var out []lookback.Warning
	for _, x := range f {
		out = append(out, lookback.Warning{Kind: x.Kind, File: path, Line: x.Line, Count: x.Count, Detail: phrases[x.Kind]})
	}
	slices.SortStableFunc(out, func(a, b lookback.Warning) int { return cmp.Compare(a.Line, b.Line) })
	return out
}
