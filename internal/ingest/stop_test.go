package ingest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lookback"
	"lookback/internal/testkit"
)

// lay writes sessions of every kind a sync treats in its own way: one large, one
// of version 1, two files of one session, one in a workspace with an archive.
func (l *lab) lay() {
	past := time.Now().Add(-time.Hour).Truncate(time.Second)
	n := 0
	put := func(name, text string) {
		n++
		path, at := l.write(name, text), past.Add(time.Duration(n)*time.Second)
		if err := os.Chtimes(path, at, at); err != nil {
			l.t.Fatal(err)
		}
	}
	for i := range 6 {
		put(fmt.Sprintf("%d.jsonl", i), log(fmt.Sprint("s", i), "/srv/a", talk(fmt.Sprint("word", i), 5)...))
	}
	put("v1.jsonl", logV1("v1", "/srv/a", talk("old", 2)...))
	put("twin-a.jsonl", log("twin", "/srv/a", talk("both", 2)...))
	put("twin-b.jsonl", log("twin", "/srv/a", talk("both", 3)...))
	put("w.jsonl", log("w", l.workspace("w"), talk("there", 4)...))
	put("big.jsonl", log("big", "/srv/a", "big", strings.Repeat("a long text ", 1000)))
}

// more changes some of what lay wrote.
func (l *lab) more() {
	l.append("1.jsonl", turns(11, "appended", "here"))
	l.append("w.jsonl", turns(9, "appended", "there"))
	l.append("twin-a.jsonl", turns(5, append(talk("both", 3)[4:], "appended", "both")...))
	if err := os.Remove(l.native("2.jsonl")); err != nil {
		l.t.Fatal(err)
	}
}

// finished is the state after undisturbed syncs.
func finished(t *testing.T) string {
	l := newLab(t)
	l.lay()
	l.sync()
	l.more()
	l.sync()
	return l.state()
}

func TestInterruptedAnywhereGoesOn(t *testing.T) {
	want := finished(t)
	for _, point := range []string{"read", "put"} {
		for n := int64(1); n <= 11; n++ {
			t.Run(fmt.Sprint(point, " ", n), func(t *testing.T) {
				l := newLab(t)
				l.lay()
				l.interrupt(point, n)
				l.sync()
				l.more()
				l.interrupt(point, min(n, 3))
				l.sync()
				if got := l.state(); got != want {
					t.Errorf("another state:\n%s", difference(want, got))
				}
			})
		}
	}
}

// interrupt runs a sync that is cancelled after the n-th read or put.
func (l *lab) interrupt(point string, n int64) {
	l.t.Helper()
	ctx, cancel := context.WithCancel(l.t.Context())
	defer cancel()
	o := l.opts
	if point == "read" {
		start := l.src.reads.Load()
		l.src.after = func(total int64) {
			if total-start == n {
				cancel()
			}
		}
	} else {
		o.Progress = func(p Progress) {
			if int64(p.Done) == n {
				cancel()
			}
		}
	}
	_, err := Sync(ctx, l.db, o)
	l.src.after = nil
	if err != nil && !errors.Is(err, context.Canceled) {
		l.t.Fatalf("sync: %v", err)
	}
}

func difference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	var out []string
	for i := range max(len(a), len(b)) {
		x, y := "", ""
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if x != y {
			out = append(out, lookback.Clip("want "+x, 600), lookback.Clip(" got "+y, 600))
		}
	}
	return strings.Join(out[:min(len(out), 12)], "\n")
}

// The child of the tests below: it syncs a folder until it is done.
const childEnv = "LOOKBACK_TEST_SYNC"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childEnv); dir != "" {
		os.Exit(child(dir))
	}
	os.Exit(m.Run())
}

func child(dir string) int {
	// A testing.TB for a process of its own: only its Fatal is used.
	l := labAt(&childTB{ctx: context.Background()}, dir)
	defer l.db.Close()
	if _, err := Sync(context.Background(), l.db, l.opts); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

type childTB struct {
	testing.TB
	ctx context.Context
}

func (c *childTB) Helper()                  {}
func (c *childTB) Cleanup(func())           {}
func (c *childTB) Context() context.Context { return c.ctx }
func (c *childTB) Fatal(args ...any) {
	fmt.Fprintln(os.Stderr, args...)
	os.Exit(1)
}

func startSync(t *testing.T, dir string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+dir)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

func TestKilledAnywhereGoesOn(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a while")
	}
	want := finished(t)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 8 { // of four kills each
		l := newLab(t)
		l.lay()
		snap := testkit.Snapshot(t, filepath.Join(l.dir, "home"))
		start := time.Now()
		whole := 60 * time.Millisecond
		for range 3 {
			cmd := startSync(t, l.dir)
			time.Sleep(time.Duration(rng.Int64N(int64(whole))))
			cmd.Process.Kill()
			cmd.Wait()
			whole = max(whole, time.Since(start))
		}
		snap.Same(t)
		l.sync()
		l.more()
		cmd := startSync(t, l.dir)
		time.Sleep(time.Duration(rng.Int64N(int64(whole))))
		cmd.Process.Kill()
		cmd.Wait()
		l.sync()
		if got := l.state(); got != want {
			t.Fatalf("round %d: another state:\n%s", i, difference(want, got))
		}
	}
}

// D01, scaled down: two processes sync while a third searches.
func TestTwoProcessesAtOnce(t *testing.T) {
	want := finished(t)
	l := newLab(t)
	l.lay()
	for round := range 2 {
		a, b := startSync(t, l.dir), startSync(t, l.dir)
		done := make(chan struct{})
		go func() {
			defer close(done)
			for _, cmd := range []*exec.Cmd{a, b} {
				if err := cmd.Wait(); err != nil {
					t.Errorf("a process failed: %v", err)
				}
			}
		}()
		for searching := true; searching; {
			select {
			case <-done:
				searching = false
			default:
				l.hits(lookback.Everything(), "word1")
			}
		}
		if round == 0 {
			l.more()
		}
	}
	if got := l.state(); got != want {
		t.Errorf("another state:\n%s", difference(want, got))
	}
}
