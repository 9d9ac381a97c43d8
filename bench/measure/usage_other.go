//go:build !unix

package measure

import (
	"os"
	"time"
)

// CPU is not known here.
func CPU() time.Duration { return 0 }

func peak(*os.ProcessState) int64 { return 0 }
