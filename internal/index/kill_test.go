package index

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// killSessions are what the killed children write: each in two steps, with a fork
// now and then.
func killSessions() (steps [][2]Update) {
	r := rand.New(rand.NewPCG(7, 7))
	for i := range 60 {
		s, entries := grownSession(r, fmt.Sprintf("s%d", i), 6+r.IntN(20))
		if i%5 == 4 {
			s.Parent = fmt.Sprintf("/logs/s%d.jsonl", i-1)
		}
		half := len(entries) / 2
		steps = append(steps, [2]Update{update(s, entries[:half], 1), update(s, entries, half+1)})
	}
	return steps
}

// writeLikeSync puts what the index does not have yet, committing now and then.
func writeLikeSync(ctx context.Context, db *DB) error {
	files, err := db.Files(ctx)
	if err != nil {
		return err
	}
	w, err := db.Writer(ctx, true)
	if err != nil {
		return err
	}
	defer w.Close()
	for step := range 2 {
		for i, u := range killSessions() {
			had := files[u[1].File.Path].Stamp
			if had == u[1].File.Stamp || step == 0 && had == u[0].File.Stamp {
				continue
			}
			if err := w.Put(ctx, u[step]); err != nil {
				return err
			}
			if i%3 == 0 {
				if err := w.Commit(ctx); err != nil {
					return err
				}
			}
		}
	}
	return w.Close()
}

// TestKillChild is the process that TestKill kills.
func TestKillChild(t *testing.T) {
	path := os.Getenv("LOOKBACK_KILL")
	if path == "" {
		t.Skip("runs as a child only")
	}
	db := openAt(t, path, Options{})
	for {
		if err := writeLikeSync(t.Context(), db); err != nil {
			t.Fatal(err)
		}
		for _, u := range killSessions()[:20] { // begin again
			write(t, db, func(w *Writer) error { return w.Remove(t.Context(), u[0].Session.ID) })
		}
	}
}

// Whenever a writer is killed, the index opens, is sound, and the next run ends
// where an undisturbed one does.
func TestKill(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	whole := open(t)
	if err := writeLikeSync(t.Context(), whole); err != nil {
		t.Fatal(err)
	}
	want := dump(t, whole)
	path := filepath.Join(t.TempDir(), "cache", "index.db")
	r := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	kills := 20
	if testing.Short() {
		kills = 5
	}
	for range kills {
		child := exec.Command(program, "-test.run=^TestKillChild$")
		child.Env = append(os.Environ(), "LOOKBACK_KILL="+path)
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(10+r.IntN(150)) * time.Millisecond)
		child.Process.Kill()
		child.Wait()
		db, err := Open(t.Context(), path, Options{})
		if err != nil || db.Notice() != "" {
			t.Fatalf("after a kill: %v, %q", err, db.Notice())
		}
		mustBeSound(t, db)
		db.Close()
	}
	db := openAt(t, path, Options{})
	if err := writeLikeSync(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	mustBeSound(t, db)
	same(t, "after kills", dump(t, db), want)
}
