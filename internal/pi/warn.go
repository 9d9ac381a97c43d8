package pi

import (
	"cmp"
	"slices"

	"lookback"
)

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
