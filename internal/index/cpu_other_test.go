//go:build !unix

package index

import "time"

var began = time.Now()

// cpuTime is the clock where the system does not tell processor time.
func cpuTime() time.Duration { return time.Since(began) }
