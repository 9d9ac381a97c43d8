package pi

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"lookback"
)

// TestLarge reports what reading and projecting the file named by LOOKBACK_LARGE
// costs. It has no bars: machines differ.
func TestLarge(t *testing.T) {
	path := os.Getenv("LOOKBACK_LARGE")
	if path == "" {
		t.Skip("LOOKBACK_LARGE names no session file")
	}
	from := cpuTime()
	b, err := testSource().Read(context.Background(), lookback.Place{Path: path}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	read := cpuTime()
	f := lookback.Exchanges(b.Log.Entries)
	found := cpuTime()
	nodes := lookback.BuildTree("A", "", b.Log.Entries, &f)
	t.Logf("%s: %d entries in %v, %d exchanges in %v, %d nodes in %v, peak memory %d MiB", filepath.Base(path),
		len(b.Log.Entries), read-from, len(f.Exchanges), found-read, len(nodes), cpuTime()-found, peakMemory()>>20)
}
