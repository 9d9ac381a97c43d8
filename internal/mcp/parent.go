package mcp

import (
	"context"
	"os"
	"time"
)

// watchParent ends the service when the process that started it is gone. The input
// ends then too, unless another process holds its other end. Where a system does
// not tell, nothing happens.
func watchParent(ctx context.Context, gone func()) {
	parent := os.Getppid()
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if os.Getppid() != parent {
				gone()
				return
			}
		}
	}
}
