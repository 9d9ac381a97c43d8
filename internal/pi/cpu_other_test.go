//go:build !unix

package pi

import "time"

var started = time.Now()

func cpuTime() time.Duration { return time.Since(started) }

func peakMemory() int64 { return 0 }
