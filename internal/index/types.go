package index

import (
	"time"

	"lookback"
)

// Session is a session as the index lists it.
type Session struct {
	lookback.Session
	Row       int64  // number within this index; never shown
	Archive   string // archive directory that holds its record, "" for none
	Record    string // archive id
	Source    string // native file, "" when the session exists in the archive only
	Gone      bool   // the native file has vanished since it was read
	Aged      int    // how many records once had version-1 ids
	Family    int64  // Row of the root of its forks, its own for none, 0 when the index has not the root
	First     time.Time
	Last      time.Time
	Entries   int // accepted records of the log
	Exchanges int
	Pending   int // summaries not written yet
}

// Doc is what a search ranks. Seqs refer to the entries of the same Update.
type Doc struct {
	Kind    lookback.Kind
	Node    string // node id without the archive id; "" for an entry
	Users   []int  // Seqs of the user entries
	Answers []int  // Seqs of the answer's pieces and the answer; for an entry, it alone in its role's field
	Steps   []int  // Seqs of the assistant entries in between
	Text    string // words of a summary, name of a session; "" for others
	First   time.Time
	Last    time.Time
	Ready   bool
	Done    bool     // completed
	Parents []string // node ids without the archive id
}

// Update is the whole new state of one session. Entries below From are known to
// the index already and did not change.
type Update struct {
	Session  Session
	Homes    []string         // workspaces, besides the one of Cwd, whose archives hold the session
	Entries  []lookback.Entry // all of them, Seq 1…; empty for a session that exists in the archive only
	From     int              // first Seq that is new; 1 to replace everything
	Docs     []Doc
	File     *File              // the native file and how far it was read; nil for none
	Warnings []lookback.Warning // of File; replaces those kept for it
}

// File says how far a native file was read.
type File struct {
	Path   string
	Stamp  string // what stat said, in the reader's own form; equal means unchanged
	Cursor []byte // the reader's own state
}

// Request asks for a page of hits.
type Request struct {
	Scope  lookback.Scope
	Query  lookback.Query
	Limit  int           // 1…1000
	Cursor string        // of the page before; "" for the first
	Offset int           // rows to skip when there is no cursor
	Terse  bool          // leave the words of steps out: only what nodes show
	Newest bool          // order by time, not by rank
	Typing bool          // the last word is still being typed: a prefix from 3 letters on
	Budget time.Duration // time limit after which what was found so far is returned; 0 for 2 s
}

// Hit is a reference to something found, with a snippet.
type Hit struct {
	Ref       lookback.Ref
	Kind      lookback.Kind
	Node      string // archive node id, "" for an entry
	Seq       int    // the entry that the snippet comes from, 0 for a summary or session
	Role      lookback.Role
	Author    string
	Session   Session
	Snippet   string
	Marks     []Mark // where the match is in Snippet
	First     time.Time
	Last      time.Time
	Ready     bool
	Completed bool
	Parents   []string       // archive node ids
	Lacks     []string       // terms a relaxed hit does not hold
	AlsoIn    []lookback.Ref // copies of the same thing in forks and clones
	Score     Score          // how the rank came about
}

// Mark is a highlighted part of a snippet, in bytes.
type Mark struct{ Start, End int }

// Results is a page of hits.
type Results struct {
	Hits    []Hit // full matches where terms were asked for
	Related []Hit // when there is no full match: what matches in part, best first
	Total   int   // number of full matches in scope
	AtLeast bool  // Total is a lower bound
	Next    string
	Missing []string // terms that occur nowhere in scope
	Notes   []string // what a reader should know: ranked newest only, cut by time
	Visited int      // rows looked at: what the search cost
}

// Score explains a hit's place. Total is the sum of the others.
type Score struct {
	Words      float64 // BM25 over the fields
	Matched    float64 // terms matched
	Session    float64 // how well the session as a whole matches
	Summary    float64 // the best covering summary
	Neighbours float64
	Total      float64
	Terms      []TermScore // what Words is made of, in the order of the query
}

// TermScore says how often a hit holds one term, by field, and what that counts.
// An entry's occurrences stand under Assistant, whoever said it.
type TermScore struct {
	Term                         string
	User, Assistant, Steps, Meta int
	Weight                       float64 // how rare the term is in scope
}
