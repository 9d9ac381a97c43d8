package pi

import (
	"cmp"
	"slices"

	"lookback"
)

// fault is a warning without its file, as a cursor keeps it.
type fault struct {
	Kind   lookback.WarningKind
	Line   int // first line it happened on
	Count  int
	Detail string `json:",omitempty"`
}

// faults collects one fault per kind.
type faults []fault

func (f *faults) add(kind lookback.WarningKind, line int, detail string) {
	for i := range *f {
		if have := &(*f)[i]; have.Kind == kind {
			have.Count++
			if line < have.Line { // faults of links are found after the last line
				have.Line, have.Detail = line, detail
			}
			return
		}
	}
	*f = append(*f, fault{Kind: kind, Line: line, Count: 1, Detail: detail})
}

// warnings gives the faults their file, in line order.
func (f faults) warnings(path string) []lookback.Warning {
	var out []lookback.Warning
	for _, x := range f {
		out = append(out, lookback.Warning{Kind: x.Kind, File: path, Line: x.Line, Count: x.Count, Detail: x.Detail})
	}
	slices.SortStableFunc(out, func(a, b lookback.Warning) int { return cmp.Compare(a.Line, b.Line) })
	return out
}
