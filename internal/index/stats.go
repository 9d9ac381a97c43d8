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
	err := db.read(ctx, func(c *conn) error {
		err := c.query(`SELECT count(*), coalesce(sum(source='' OR gone), 0), coalesce(sum(exchanges), 0), coalesce(sum(pending), 0),
			coalesce(sum(entries), 0), coalesce(max(last), 0) FROM session`, func(s *sqlite3.Stmt) error {
			st.Sessions, st.ArchiveOnly, st.Exchanges = s.ColumnInt(0), s.ColumnInt(1), s.ColumnInt(2)
			st.Pending, st.Entries, st.Last = s.ColumnInt(3), s.ColumnInt(4), fromMillis(s.ColumnInt64(5))
			return nil
		})
		if err != nil {
			return err
		}
		return c.query(`SELECT (SELECT count(*) FROM doc WHERE kind=?), (SELECT count(*) FROM entry), (SELECT count(*) FROM term),
			(SELECT count(*) FROM file), (SELECT count(*) FROM warning), (SELECT value FROM fact WHERE name='synced')`, func(s *sqlite3.Stmt) error {
			st.Summaries, st.Spoken, st.Terms = s.ColumnInt(0), s.ColumnInt(1), s.ColumnInt(2)
			st.Files, st.Warnings, st.Synced = s.ColumnInt(3), s.ColumnInt(4), fromMillis(s.ColumnInt64(5))
			return nil
		}, int(lookback.KindSummary))
	})
	if info, serr := os.Stat(db.Path()); serr == nil {
		st.Bytes = info.Size()
	}
	if info, serr := os.Stat(db.Path() + logSuffix); serr == nil {
		st.LogBytes = info.Size()
	}
	return st, err
}

// Synced gives the time that Writer.Synced noted last, zero for never.
func (db *DB) Synced(ctx context.Context) (t time.Time, err error) {
	err = db.read(ctx, func(c *conn) error {
		ms, err := c.fact("synced")
		t = fromMillis(ms)
		return err
	})
	return t, err
}
