// Package pi reads the session files of the Pi coding agent, versions 1 to 3, as
// they lie on disk. It never writes and never asks Pi to open a file, since Pi's
// own loader rewrites what it opens.
//
// A Source lists the files (Places) and turns one into entries (Read). Reading is
// one pass by a strict JSON scanner that decodes only what becomes part of an
// entry: tool results, images, thinking and usage are checked and passed over,
// through a buffer of fixed size, whatever the length of the line. What the scanner
// refuses goes through the slower recovery of whole records from damaged lines.
//
// A cursor remembers where a read ended, so that the next one takes only what was
// appended, as long as nothing read before can have changed its meaning by it. Fill
// reads single records again from the places that entries remember.
package pi
