// Package archive keeps sessions in a portable directory: one JSON record per
// session, named after its archive id, holding the session's browse tree. It
// travels with the workspace and is all that is left when a native log is gone.
//
// The format is that of personal-bot 0.2.3:
//
//	{
//	  "id": "…",                 the archive id, equal to the file name
//	  "sessionId": "…",          the agent's own id
//	  "agent": "claude",         only when the agent is not Pi
//	  "name": "…",
//	  "nodes": [ … ]             lookback.Node, in the order of lookback.BuildTree
//	}
//
// Times are RFC 3339 in UTC with milliseconds. A node without a time has
// 0001-01-01T00:00:00.000Z, since the older program expects a date that parses.
// We put each node on a line of its own.
//
// Beside the records stand files that begin with a dot, which the older program
// passes over: the writers' lock, a list of forgotten sessions, and for moments
// the temporary files of a writer. Writers hold the lock; readers need none,
// because a record is only ever replaced as a whole. The lock keeps processes of
// one machine apart. Two machines that write one synchronised directory at the
// same time are not supported.
//
// No path, host name or tool output is ever written. Records that do not parse
// are reported and never replaced. Nothing is written through a symbolic link.
package archive
