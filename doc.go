// Package lookback holds the vocabulary of the product and the pure functions
// that carry its rules: what an entry, a branch, an exchange, a boundary and a
// summary tree are, how a query is parsed, how anything is addressed, and who
// may see what.
//
// It imports the standard library only, opens no file and calls no model. Every
// other package translates to or from these types:
//
//	log line → Entry → Exchanges, BuildTree → index and archive
//	query → ParseQuery → hits → words on screen
//	ref → ParseRef → entries or nodes → words on screen
//
// The words used here are the only ones used anywhere in the product. A session
// is one agent's append-only log. An entry is one record of it; its Seq is its
// number. A branch is the path from a root to a tip. An exchange is what a
// person asked and the final answer to it. A summary is text a model wrote over
// four neighbouring nodes. A boundary is the first entry still in the model's
// context. A conversation is what one caller is in now. A ref is the one address
// for anything.
package lookback
