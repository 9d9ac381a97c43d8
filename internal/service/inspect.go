package service

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"lookback"
)

// Inspection is one native session exactly as its reader sees it, without index
// or archive.
type Inspection struct {
	Log      lookback.Log
	Forest   lookback.Forest
	Nodes    []lookback.Node // under the archive id "A"
	Boundary *lookback.Boundary
	Leaf     int // last entry, 0 for none
	None     bool
}

// InspectArchiveID stands in for the archive id in what Inspect returns.
const InspectArchiveID = "A"

// Inspect reads one native file with the reader that agent names; "" means the
// first that accepts the file. Nodes have no text: Forest and Log give it.
func Inspect(ctx context.Context, sources []Source, path, agent string) (Inspection, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return Inspection{}, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return Inspection{}, err
	}
	if info.IsDir() {
		return Inspection{}, fmt.Errorf("%s is a directory; name one session file in it", path)
	}
	var last error
	for _, src := range sources {
		if agent != "" && src.Agent() != agent {
			continue
		}
		b, err := src.Read(ctx, lookback.Place{Path: path, Size: info.Size(), Changed: info.ModTime()}, nil, nil)
		if err != nil {
			last = err
			continue
		}
		return inspection(b), nil
	}
	if last == nil {
		last = errors.New("no reader is called " + agent)
	}
	return Inspection{}, fmt.Errorf("inspect %s: %w", path, last)
}

func inspection(b lookback.Batch) Inspection {
	in := Inspection{Log: b.Log, None: b.None, Leaf: len(b.Log.Entries)}
	in.Forest = lookback.Exchanges(in.Log.Entries)
	// The tree is built over entries without their words: a second copy of every
	// text would be most of the memory that a large session takes.
	bare := make([]lookback.Entry, len(in.Log.Entries))
	for i := range bare {
		bare[i] = in.Log.Entries[i]
		bare[i].Parts = nil
	}
	in.Nodes = lookback.BuildTree(InspectArchiveID, in.Log.Session.Name, bare, &in.Forest)
	in.Boundary = lookback.LastBoundary(in.Log.Entries, lookback.Path(in.Log.Entries, in.Leaf))
	return in
}
