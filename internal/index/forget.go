package index

import (
	"context"

	"github.com/ncruces/go-sqlite3"

	"lookback"
)

// forgetting drops what Remove leaves of a session's words: a deleted row stays in
// the word index until its segment is merged, and the dictionary only grows.
var forgetting = []string{
	"INSERT INTO words(words) VALUES ('optimize')",
	"CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocab USING fts5vocab(main, words, row)",
	"DELETE FROM term WHERE term NOT IN (SELECT term FROM temp.vocab)",
}

// Forget is Remove for a session that a person wants gone. It leaves none of its
// words in the database's files, but those that other sessions say too, and
// commits. The whole file is written anew, since pages keep what was deleted from
// them, also by earlier changes; that takes as long as the index is large.
func (w *Writer) Forget(ctx context.Context, id lookback.SessionID) error {
	err := w.Remove(ctx, id)
	if err == nil {
		err = w.change(ctx, func() error { return w.c.runAll(forgetting) })
	}
	w.feed.known = nil // terms that are written no more
	if err == nil {
		err = w.Commit(ctx)
	}
	if err != nil {
		return err
	}
	// The copy goes through a file, as an index may be larger than memory.
	return w.guard(ctx, func() error {
		if err := w.c.Exec("DROP TABLE temp.vocab; PRAGMA temp_store=FILE; VACUUM; PRAGMA temp_store=MEMORY"); err != nil {
			return err
		}
		// A reader elsewhere that stays in its transaction keeps the old pages for as
		// long; it must not make what is done a failure.
		w.c.WALCheckpoint("main", sqlite3.CHECKPOINT_TRUNCATE) //nolint:errcheck // see above
		return nil
	})
}
