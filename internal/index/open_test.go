package index

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lookback/internal/testkit"
)

func filled(t testing.TB, path string) {
	t.Helper()
	db := openAt(t, path, Options{})
	for i := range 40 {
		s, entries := session(fmt.Sprintf("s%d", i), "u apple "+strings.Repeat("pie ", 400*(i%3)), "a pear "+strings.Repeat("tart cake ", 100*(i%5)))
		put(t, db, update(s, entries, 1))
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

func count(t testing.TB, db *DB) int {
	t.Helper()
	st, err := db.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return st.Sessions
}

func TestOpenKeeps(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b", "index.db")
	filled(t, path)
	db := openAt(t, path, Options{})
	if db.Notice() != "" || count(t, db) != 40 {
		t.Errorf("notice %q, %d sessions", db.Notice(), count(t, db))
	}
	list, _ := os.ReadDir(filepath.Dir(path))
	for _, f := range list {
		if strings.Contains(f.Name(), ".new") {
			t.Errorf("%s was left behind", f.Name())
		}
	}
}

func TestModes(t *testing.T) {
	for _, mask := range []int{0, 0o022, 0o077} {
		dir := filepath.Join(t.TempDir(), "cache")
		path := filepath.Join(dir, "index.db")
		testkit.WithUmask(t, mask, func() {
			db := openAt(t, path, Options{})
			s, entries := session("one", "u apple")
			put(t, db, update(s, entries, 1))
			match(t, db, "apple")
			w, err := db.Writer(t.Context(), false)
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			err = filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
				if err != nil {
					return err
				}
				info, err := d.Info()
				want := os.FileMode(0o600)
				if d.IsDir() {
					want = 0o700
				}
				if err == nil && info.Mode().Perm() != want {
					t.Errorf("umask %03o: %s has %o", mask, d.Name(), info.Mode().Perm())
				}
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
}

func TestOtherVersions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	set := func(sql string) {
		t.Helper()
		c, err := connect(t.Context(), path, 6)
		if err != nil {
			t.Fatal(err)
		}
		defer c.close()
		if err := c.Exec(sql); err != nil {
			t.Fatal(err)
		}
	}
	filled(t, path)
	set(fmt.Sprintf("PRAGMA user_version=%d", schemaVersion+1))
	before := testkit.Snapshot(t, filepath.Dir(path))
	if _, err := Open(t.Context(), path, Options{}); !errors.Is(err, ErrNewer) || !strings.Contains(err.Error(), "newer lookback") {
		t.Errorf("newer: %v", err)
	}
	before.Same(t)
	for _, sql := range []string{"PRAGMA user_version=0", "PRAGMA application_id=1"} {
		set(sql)
		db := openAt(t, path, Options{})
		if db.Notice() != errOlder.Error() || count(t, db) != 0 {
			t.Errorf("%s: notice %q, %d sessions", sql, db.Notice(), count(t, db))
		}
		db.Close()
		filled(t, path)
	}
}

func TestDamagedHeader(t *testing.T) {
	for _, damage := range []string{"no database at all, but quite some text " + strings.Repeat("x", 5000), "SQLite format 3\x00" + strings.Repeat("\xff", 8000)} {
		path := filepath.Join(t.TempDir(), "index.db")
		if err := os.WriteFile(path, []byte(damage), 0o644); err != nil {
			t.Fatal(err)
		}
		db := openAt(t, path, Options{})
		if db.Notice() == "" || count(t, db) != 0 {
			t.Errorf("notice %q", db.Notice())
		}
		filled(t, path)
	}
}

// Damage in the middle shows when it is met: by a look-up or a write, once; then
// the index is empty and works.
func TestDamagedMiddle(t *testing.T) {
	for _, where := range []string{"read", "write", "check"} {
		path := filepath.Join(t.TempDir(), "index.db")
		filled(t, path)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := 40 * 4096; i < len(data); i++ {
			data[i] = byte(i * 7)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		db, err := Open(t.Context(), path, Options{})
		if err == nil {
			t.Cleanup(func() { db.Close() })
			switch s, entries := session("s1", "u apple"); where {
			case "read":
				for row := int64(1); row <= 40 && err == nil; row++ {
					_, err = db.Log(t.Context(), row)
				}
			case "check":
				_, err = db.Check(t.Context())
			default:
				var w *Writer
				if w, err = db.Writer(t.Context(), true); err == nil {
					err = w.Put(t.Context(), update(s, entries, 1))
					if cerr := w.Close(); cerr != nil {
						t.Errorf("%s: close: %v", where, cerr)
					}
				}
			}
			if !errors.Is(err, ErrRebuilt) {
				t.Fatalf("%s: %v", where, err)
			}
		}
		if db.Notice() != errBroken.Error() {
			t.Errorf("%s: notice %q", where, db.Notice())
		}
		s, entries := session("s1", "u apple")
		put(t, db, update(s, entries, 1))
		if count(t, db) != 1 || match(t, db, "apple") == "" {
			t.Errorf("%s: the new index does not work", where)
		}
		mustBeSound(t, db)
	}
}

// A database that another process has put in the place of ours is noticed.
func TestReplacedByAnother(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	filled(t, path)
	db := openAt(t, path, Options{})
	if count(t, db) != 40 {
		t.Fatal("not filled")
	}
	other := openAt(t, path, Options{})
	l, err := lockFile(t.Context(), path, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := other.replace(t.Context(), other.generation(), true); err != nil {
		t.Fatal(err)
	}
	l.Close()
	if n := count(t, db); n != 0 {
		t.Errorf("%d sessions of the file that is gone", n)
	}
	s, entries := session("s1", "u apple")
	put(t, db, update(s, entries, 1))
	if count(t, other) != 1 {
		t.Error("the two do not stand on one file")
	}
}

// Deleting the index costs a sync and nothing else, also under a process that has
// it open.
func TestDeletedWhileOpen(t *testing.T) {
	for _, first := range []string{"read", "write"} {
		path := filepath.Join(t.TempDir(), "cache", "index.db")
		filled(t, path)
		db := openAt(t, path, Options{})
		if err := os.RemoveAll(filepath.Dir(path)); err != nil {
			t.Fatal(err)
		}
		if first == "read" && count(t, db) != 0 {
			t.Error("the old file is still read")
		}
		s, entries := session("s1", "u apple")
		put(t, db, update(s, entries, 1))
		if count(t, db) != 1 || db.Notice() != "" {
			t.Errorf("%s: %d sessions, %q", first, count(t, db), db.Notice())
		}
		mustBeSound(t, db)
	}
}

func TestReadOnlyFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	path := filepath.Join(dir, "index.db")
	filled(t, path)
	testkit.Unprivileged(t, dir, func() {
		if err := errors.Join(os.Chmod(path, 0o400), os.Chmod(dir, 0o500)); err != nil {
			t.Fatal(err)
		}
		defer os.Chmod(dir, 0o700)
		before := testkit.Snapshot(t, dir)
		db := openAt(t, path, Options{})
		if db.Notice() != noticeReadOnly || count(t, db) != 40 || match(t, db, "apple") == "" {
			t.Errorf("notice %q, %d sessions", db.Notice(), count(t, db))
		}
		if _, err := db.Writer(t.Context(), true); !errors.Is(err, ErrReadOnly) {
			t.Errorf("writer: %v", err)
		}
		before.Same(t)
		db.Close()
		db = openAt(t, filepath.Join(dir, "other", "index.db"), Options{})
		if db.Notice() != noticeTemporary {
			t.Errorf("notice %q", db.Notice())
		}
		s, entries := session("s1", "u apple")
		put(t, db, update(s, entries, 1))
		if match(t, db, "apple") == "" {
			t.Error("the temporary index does not answer")
		}
		temporary := filepath.Dir(db.Path())
		db.Close()
		if _, err := os.Stat(temporary); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the temporary index stays: %v", err)
		}
	})
}

// Where the log cannot be used, a rollback journal serves.
func TestRollbackJournal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	db := openAt(t, path, Options{Rollback: true})
	w, err := db.Writer(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	done := make(chan error)
	go func() {
		for i := range 200 {
			s, entries := session(fmt.Sprintf("s%d", i), "u apple")
			err := w.Put(ctx, update(s, entries, 1))
			if err == nil && i%10 == 0 {
				err = w.Commit(ctx)
			}
			if err != nil {
				done <- err
				return
			}
		}
		done <- w.Close()
	}()
	for {
		select {
		case err := <-done:
			if err != nil || count(t, db) != 200 {
				t.Errorf("%d sessions, %v", count(t, db), err)
			}
			if mode := rows(t, db, "PRAGMA journal_mode")[0]; mode == "wal" {
				t.Errorf("journal %s", mode)
			}
			return
		default:
			count(t, db)
		}
	}
}
