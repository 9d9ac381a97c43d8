package index

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"lookback"
)

func TestOneWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	db, other := openAt(t, path, Options{}), openAt(t, path, Options{})
	w, err := db.Writer(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	for _, second := range []*DB{db, other} {
		if _, err := second.Writer(t.Context(), false); !errors.Is(err, ErrBusy) {
			t.Errorf("a second writer: %v", err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 80*time.Millisecond)
		if _, err := second.Writer(ctx, true); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a second writer that waits: %v", err)
		}
		cancel()
	}
	got := make(chan error)
	go func() {
		w, err := other.Writer(t.Context(), true)
		if err == nil {
			err = w.Close()
		}
		got <- err
	}()
	if err := errors.Join(w.Close(), w.Close(), <-got); err != nil {
		t.Error(err)
	}
	if err := w.Put(t.Context(), Update{}); !errors.Is(err, ErrClosed) {
		t.Errorf("put after close: %v", err)
	}
	db.Close()
	if _, err := db.SessionByRow(t.Context(), 1); !errors.Is(err, ErrClosed) {
		t.Errorf("read after close: %v", err)
	}
}

// Readers never meet a lock, nor a state in between, while writers of two
// processes take turns and segments of the word index are merged under them.
func TestReadersWhileWriting(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	var dbs []*DB
	for range 3 {
		dbs = append(dbs, openAt(t, path, Options{}))
	}
	s, entries := session("stable", "u apple", "a zebra")
	put(t, dbs[0], update(s, entries, 1))
	stop := make(chan struct{})
	var readers, writers sync.WaitGroup
	for i := range 4 {
		readers.Go(func() {
			db := dbs[i%len(dbs)]
			for {
				select {
				case <-stop:
					return
				default:
				}
				log, err := db.Log(context.Background(), 1)
				if err != nil || len(log) != 2 {
					t.Errorf("log: %d entries, %v", len(log), err)
					return
				}
				err = db.read(context.Background(), func(c *conn) error {
					docs, err := c.number("SELECT count(*) FROM doc")
					if err != nil {
						return err
					}
					found, err := c.number("SELECT count(*) FROM words WHERE words MATCH 'apple'")
					kinds, kerr := c.number("SELECT count(*) FROM words WHERE words MATCH ?", "scope : \"\x02k0\"")
					if docs != 2*kinds || found != docs {
						err = fmt.Errorf("%d docs, %d found, %d sessions", docs, found, kinds)
					}
					return errors.Join(err, kerr)
				})
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for i := range 2 {
		writers.Go(func() {
			for k := range 60 {
				w, err := dbs[i].Writer(context.Background(), true)
				if err != nil {
					t.Error(err)
					return
				}
				s, entries := session(fmt.Sprintf("w%d-%d", i, k), "u apple", "a done")
				if err := errors.Join(w.Put(context.Background(), update(s, entries, 1)), w.Close()); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	writers.Wait()
	close(stop)
	readers.Wait()
	mustBeSound(t, dbs[2])
	if n := count(t, dbs[2]); n != 121 {
		t.Errorf("%d sessions", n)
	}
}

// A change that is cut off leaves nothing of itself, and the writer goes on.
func TestPutInterrupted(t *testing.T) {
	db := open(t)
	s, entries := session("one", "u apple")
	s2, entries2 := session("two", "u pear")
	write(t, db, func(w *Writer) error {
		if err := errors.Join(w.Put(t.Context(), update(s, entries, 1)), w.Commit(t.Context())); err != nil {
			return err
		}
		ctx, cancel := context.WithCancel(t.Context())
		bad := update(s2, entries2, 1)
		bad.Docs[0].Users = []int{7} // there is no such entry
		if err := w.Put(ctx, bad); err == nil {
			t.Error("a doc without its entries is taken")
		}
		cancel()
		if err := w.Put(ctx, update(s2, entries2, 1)); !errors.Is(err, context.Canceled) {
			t.Errorf("put: %v", err)
		}
		return w.Put(t.Context(), update(s2, entries2, 1))
	})
	if count(t, db) != 2 || match(t, db, "pear") == "" || match(t, db, "apple") == "" {
		t.Error("something is lost")
	}
	mustBeSound(t, db)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	err := db.read(ctx, func(c *conn) error {
		_, err := c.number("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT sum(i) FROM n")
		return err
	})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("an endless query: %v", err)
	}
}

// The log stays small however much is written, once nobody reads an old state.
func TestLogStaysBounded(t *testing.T) {
	db := open(t)
	reader, err := db.acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := reader.run("BEGIN"); err != nil {
		t.Fatal(err)
	}
	if _, err := reader.number("SELECT count(*) FROM doc"); err != nil {
		t.Fatal(err)
	}
	size := func() int64 {
		info, err := os.Stat(db.path + logSuffix)
		if err != nil {
			return 0
		}
		return info.Size()
	}
	blob := make([]byte, 1<<20)
	write(t, db, func(w *Writer) error {
		for i := range 120 {
			if i == 60 {
				if size() < 50<<20 {
					t.Errorf("the log has %d bytes while it is held", size())
				}
				db.release(reader)
				if err := reader.run("COMMIT"); err != nil {
					return err
				}
			}
			err := w.SetFile(t.Context(), File{Path: fmt.Sprint(i), Cursor: blob}, 0, nil)
			if err := errors.Join(err, w.Commit(t.Context())); err != nil {
				return err
			}
		}
		if size() > logHard+logSoft {
			t.Errorf("the log has %d bytes", size())
		}
		return nil
	})
	if size() > logAtRest {
		t.Errorf("%d bytes of log stay", size())
	}
}

func TestFilesAndRecords(t *testing.T) {
	db := open(t)
	s, entries := session("one", "u apple")
	u := update(s, entries, 1)
	u.Session.Archive, u.Session.Record = "/arch", "r1"
	u.Warnings = []lookback.Warning{{Kind: lookback.BadLine, Line: 3, Count: 2, Detail: "no JSON"}}
	write(t, db, func(w *Writer) error {
		return errors.Join(
			w.PutRecord(t.Context(), "/arch", "r1", "a", s.ID), // the session comes later
			w.SetFolder(t.Context(), "/arch", "f1"),
			w.Put(t.Context(), u),
			w.PutRecord(t.Context(), "/more", "r2", "b", s.ID),
			w.SetFile(t.Context(), File{Path: "/logs/none", Stamp: "x"}, 0, []lookback.Warning{{Kind: lookback.NoHeader, Count: 1}}),
			w.AddWarning(t.Context(), lookback.Warning{Kind: lookback.DuplicateSession, File: u.File.Path, Count: 1}),
			w.Synced(t.Context(), s.Started),
		)
	})
	check := func(what string, got, want any) {
		t.Helper()
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	files, err := db.Files(t.Context())
	check("files", fmt.Sprint(files, err), "map[/logs/none:{x 0 false} /logs/one.jsonl:{1 1 false}] <nil>")
	warnings, _ := db.Warnings(t.Context())
	check("warnings", warnings, "[/logs/none: no_header /logs/one.jsonl:3: bad_line: no JSON /logs/one.jsonl: duplicate_session]")
	dirs, _ := db.RecordDirs(t.Context(), 1)
	check("record dirs", dirs, "[/arch /more]")
	records, _ := db.Records(t.Context(), "/arch")
	check("records", records, "map[r1:{a 1}]")
	folders, _ := db.RecordFolders(t.Context())
	check("folders", folders, "map[/arch:f1]")
	st, _ := db.Stats(t.Context())
	check("synced", st.Synced, s.Started)
	cursor, _ := db.Cursor(t.Context(), u.File.Path)
	check("cursor", cursor, []byte{1})
	write(t, db, func(w *Writer) error {
		return errors.Join(w.MarkGone(t.Context(), []string{u.File.Path, "/logs/unknown"}), w.DropFile(t.Context(), "/logs/none"),
			w.DropRecord(t.Context(), "/more", "r2"), w.SetFolder(t.Context(), "/arch", ""))
	})
	files, _ = db.Files(t.Context())
	check("files", files, "map[/logs/one.jsonl:{ 1 true}]")
	warnings, _ = db.Warnings(t.Context())
	check("warnings", len(warnings), 0)
	stamp, _ := db.Stamp(t.Context(), u.File.Path)
	check("stamp", stamp, "")
	if got, _ := db.SessionByID(t.Context(), s.ID); got == nil || !got.Gone {
		t.Errorf("session %+v", got)
	}
	put(t, db, u)
	if got, _ := db.SessionByRow(t.Context(), 1); got == nil || got.Gone || got.Record != "r1" {
		t.Errorf("session %+v", got)
	}
}
