// Package render turns entries, hits and nodes into text, Markdown and JSON for
// people and scripts, and holds the one layer that makes hostile text safe for a
// terminal: everything that came out of a log, names and paths included, passes
// through Clean or CleanLines before it is shown.
//
// It stores nothing, opens nothing and knows no surface.
package render
