package index

import (
	"os"
	"time"

	"github.com/ncruces/go-sqlite3"
)

// The write-ahead log is copied into the database by the writer alone, after a
// commit. A reader that stays in one transaction keeps it from being cut, not
// from being copied; so it can only grow while such a reader lasts.
const (
	logSoft   = 24 << 20 // bytes from which it is copied, and begun anew by the next commit
	logHard   = 96 << 20 // bytes from which readers are waited for, a little, to cut it
	logAtRest = 4 << 20  // bytes that may stay when the writer closes
	logWait   = 200 * time.Millisecond
)

// limitLog copies the log if it is larger than limit. What fails here is tried
// again after the next commit: the log is part of the database.
func (w *Writer) limitLog(limit int64) {
	info, err := os.Stat(w.db.path + logSuffix)
	if err != nil || info.Size() <= limit {
		return
	}
	mode := sqlite3.CHECKPOINT_PASSIVE
	if info.Size() > logHard || limit == logAtRest {
		mode = sqlite3.CHECKPOINT_TRUNCATE
	}
	w.c.BusyTimeout(logWait)        //nolint:errcheck // only a wish
	w.c.WALCheckpoint("main", mode) //nolint:errcheck // see above
	w.c.BusyTimeout(busyTimeout)    //nolint:errcheck // stays at the shorter wait
}
