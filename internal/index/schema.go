package index

import "fmt"

// schemaVersion is stored in the database. A file of another version is rebuilt:
// the index is a cache.
const schemaVersion = 2

// schema is the whole database.
//
// Entries are numbered twice. Within its session an entry has a Seq. Within the
// index it stands on a segment: a run of entries of which each is the first child
// of the one before it. A branch is then a short list of (segment, up to Seq),
// and a conversation a few rowid ranges, because both entry.id and doc.id are
//
//	segment<<24 | Seq
//
// A doc is what a search ranks: an exchange, an entry that belongs to none, a
// summary, or a session (found by its name). An exchange stands at the Seq of its
// first entry on its last segment, so that any bound within it includes it.
// Summaries and the session's own doc stand on a segment of their own that holds
// no entries.
const schema = `
CREATE TABLE fact(name TEXT PRIMARY KEY, value ANY) WITHOUT ROWID;
CREATE TABLE dir(id INTEGER PRIMARY KEY, agent TEXT NOT NULL, path TEXT NOT NULL, UNIQUE(agent, path));
CREATE TABLE session(
	id INTEGER PRIMARY KEY,
	agent TEXT NOT NULL, native TEXT NOT NULL,
	dir INTEGER NOT NULL,      -- dir.id of the working directory as logged, or of the workspace whose archive holds it
	homes TEXT NOT NULL,       -- further dir ids whose archives hold it, as " 3 17 "
	archive TEXT NOT NULL,     -- archive directory the record lies in, "" for none
	record TEXT NOT NULL,      -- archive id
	source TEXT NOT NULL,      -- native file, "" when it exists in the archive only
	gone INTEGER NOT NULL,     -- 1 when the native file has vanished
	name TEXT NOT NULL, named INTEGER NOT NULL,
	version INTEGER NOT NULL, aged INTEGER NOT NULL, -- aged: how many records once had version-1 ids
	parent TEXT NOT NULL, family TEXT NOT NULL,      -- see family.go
	started INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, -- unix ms, 0 unknown; first and last over exchanges
	entries INTEGER NOT NULL, exchanges INTEGER NOT NULL, pending INTEGER NOT NULL, -- pending: summaries not written
	UNIQUE(agent, native));
CREATE INDEX session_dir ON session(dir);
CREATE INDEX session_when ON session(iif(last<>0, last, started));
CREATE INDEX session_family ON session(family) WHERE parent<>'';
CREATE TABLE file(path TEXT PRIMARY KEY, stamp TEXT NOT NULL, session INTEGER NOT NULL, cursor BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE log(session INTEGER PRIMARY KEY, skeleton BLOB NOT NULL); -- see skeleton.go
CREATE TABLE segment(id INTEGER PRIMARY KEY, session INTEGER NOT NULL, parent INTEGER NOT NULL, cap INTEGER NOT NULL); -- leaves segment parent after Seq cap; parent 0 at a root, -1 for the segment of summaries
CREATE INDEX segment_session ON segment(session);
-- Spoken entries that have words.
CREATE TABLE entry(id INTEGER PRIMARY KEY, role INTEGER NOT NULL, text TEXT, same INTEGER NOT NULL); -- same: entry.id that holds the text when a fork copied it, else 0
CREATE TABLE doc(
	id INTEGER PRIMARY KEY, session INTEGER NOT NULL,
	kind INTEGER NOT NULL, node TEXT NOT NULL,       -- node id without the archive id, "" for entries
	members BLOB NOT NULL,                           -- entry.ids by field, see members.go
	first INTEGER NOT NULL, last INTEGER NOT NULL,   -- unix ms
	state INTEGER NOT NULL,                          -- bit 0 ready, bit 1 completed
	parents TEXT NOT NULL,                           -- node ids without the archive id, see nodes.go
	born INTEGER NOT NULL,                           -- change counter when it was first put: pages are cut at it
	twin INTEGER NOT NULL,                           -- hash of family, entry ids and words: equal for copies in forks
	hash INTEGER NOT NULL,                           -- hash of all that the words table holds of it
	text TEXT);                                      -- summaries and session names only: docs without members, on the segment of summaries
CREATE INDEX doc_twin ON doc(twin);
CREATE INDEX entry_same ON entry(same) WHERE same<>0;
CREATE VIRTUAL TABLE words USING fts5(user, assistant, steps, meta, scope,
	content='', contentless_delete=1, tokenize='lookback');
CREATE TABLE term(term TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE warning(file TEXT NOT NULL, kind TEXT NOT NULL, line INTEGER NOT NULL, count INTEGER NOT NULL, detail TEXT NOT NULL, PRIMARY KEY(file, kind)) WITHOUT ROWID;
CREATE TABLE record(dir TEXT NOT NULL, id TEXT NOT NULL, stamp TEXT NOT NULL, session INTEGER NOT NULL, PRIMARY KEY(dir, id)) WITHOUT ROWID; -- archive records as last seen; id '' is the directory itself

-- changes counts commits, segments is the last segment given out, sessions the last
-- session row, synced the end of the last whole sync in unix ms.
INSERT INTO fact(name, value) VALUES ('changes', 0), ('segments', 0), ('sessions', 0), ('synced', 0);

-- How the word index gathers and merges. hashsize, in bytes of postings, lets one
-- transaction make one segment. Merging is left to the writer alone: the engine's
-- own would now and then merge everything in one commit, however small.
INSERT INTO words(words, rank) VALUES ('hashsize', 16777216), ('automerge', 0), ('crisismerge', 1000), ('usermerge', 16);
`

// pageSize is the engine's usual one. Twice as much was measured to make neither
// the file smaller nor writing cheaper.
const pageSize = 4096

// applicationID marks our databases: "lkbk".
const applicationID = 0x6c6b626b

// layoutPragmas must come before the first table.
var layoutPragmas = fmt.Sprintf("PRAGMA page_size=%d; PRAGMA synchronous=NORMAL; PRAGMA application_id=%d; PRAGMA user_version=%d",
	pageSize, applicationID, schemaVersion)
