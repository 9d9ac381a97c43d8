package lookback

import "time"

// Place is one file, or one row of an agent's own database, that may hold a session.
type Place struct {
	Path      string    // absolute; what Read is asked for
	Stamp     string    // what stat says of it, in the reader's own form; equal means unchanged
	Changed   time.Time // when it was last written to, for ordering and progress
	Size      int64     // bytes
	Workspace string    // a workspace that claims the session besides its own cwd; "" for none
}

// Batch is what a reader got from a place.
type Batch struct {
	Log     Log    // Entries: all of them when Fresh, else those after the prior ones
	Fresh   bool   // read from the start: what was known of the place is superseded
	Settled int    // entries with a larger Seq may be read again: their line is not finished
	Cursor  []byte // the reader's own state, for the next Read
	None    bool   // the place holds no session, or none yet
	// Again is when to read the place once more even if it does not change; zero
	// for never. A cut last line is a fault only once its writer has left it alone.
	Again time.Time
}
