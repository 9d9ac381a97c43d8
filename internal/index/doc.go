// Package index finds things. It keeps, in one SQLite database, the words of
// every session, how far each native file was read, and just enough structure to
// answer within milliseconds where something was said.
//
// The index is a cache. Delete the file, sync, and nothing is lost; a database of
// another version, or a damaged one, is rebuilt. It is never the place a text is
// read from when the log or the archive still has it.
//
// One process writes at a time, under a file lock next to the database; any
// number read. Every look-up takes a lookback.Scope, which becomes a bound inside
// the query, before ranking and limits.
package index
