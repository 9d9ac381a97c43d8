package index

import (
	"context"
	"os"
	"time"

	"github.com/ncruces/go-sqlite3"

	"lookback"
)

// Stats says what the index holds. It takes a pass over some tables: for people,
// not for every search.
type Stats struct {
	Sessions    int
	ArchiveOnly int // of them without a native file that is still there
	Exchanges   int
	Summaries   int // written ones
	Pending     int // summaries not written yet
	Entries     int // accepted records of all logs
	Spoken      int // entries with words
	Terms       int // different words
	Files       int // native files known
	Warnings    int
	Bytes       int64     // of the database
	LogBytes    int64     // of its write-ahead log; much more than 100 MB means that a reader holds it
	Last        time.Time // of the newest exchange
	Synced      time.Time // end of the last whole sync, zero for none
}

// Stats counts what the index holds.
func (db *DB) Stats(ctx context.Context) (Stats, error) {
	var st Stats
	err := db.query(ctx, `SELECT count(*), coalesce(sum(source='' OR gone), 0), coalesce(sum(exchanges), 0), coalesce(sum(pending), 0),
		coalesce(sum(entries), 0), coalesce(max(last), 0), (SELECT count(*) FROM doc WHERE kind=?), (SELECT count(*) FROM entry),
		(SELECT count(*) FROM term), (SELECT count(*) FROM file), (SELECT count(*) FROM warning),
		(SELECT value FROM fact WHERE name='synced') FROM session`, func(s *sqlite3.Stmt) {
		st = Stats{
			Sessions: s.ColumnInt(0), ArchiveOnly: s.ColumnInt(1), Exchanges: s.ColumnInt(2), Pending: s.ColumnInt(3),
			Entries: s.ColumnInt(4), Last: fromMillis(s.ColumnInt64(5)), Summaries: s.ColumnInt(6), Spoken: s.ColumnInt(7),
			Terms: s.ColumnInt(8), Files: s.ColumnInt(9), Warnings: s.ColumnInt(10), Synced: fromMillis(s.ColumnInt64(11)),
		}
	}, int(lookback.KindSummary))
	if info, serr := os.Stat(db.Path()); serr == nil {
		st.Bytes = info.Size()
	}
	if info, serr := os.Stat(db.Path() + logSuffix); serr == nil {
		st.LogBytes = info.Size()
	}
	return st, err
}
