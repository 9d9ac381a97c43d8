package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"lookback/internal/cli"
)

// output is a buffer that a running command writes and the test reads.
type output struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.Write(p)
}

// wait waits until the output has n lines.
func (o *output) wait(t *testing.T, n int) string {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		o.mu.Lock()
		s := o.buf.String()
		o.mu.Unlock()
		if strings.Count(s, "\n") >= n {
			return s
		}
	}
	t.Fatalf("no line %d in %q", n, o.buf.String())
	return ""
}

// Watching syncs when a log is made in a folder that did not exist and when it
// grows; being interrupted is its normal end.
func TestWatch(t *testing.T) {
	l := newLab(t)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	var out, errs output
	done := make(chan int)
	go func() {
		done <- cli.Run(ctx, cli.Config{
			Args: []string{"sync", "--watch", "--json"}, Out: &out, Err: &errs, Getenv: l.w.getenv, Dir: l.home,
			Places: l.w.places, Open: l.w.open, Inspect: l.w.inspect, Watch: l.w.watch,
		})
	}()
	out.wait(t, 1)
	l.session("a.jsonl", piSession("s", "/srv/x", "one", "two"))
	if got := out.wait(t, 2); !strings.Contains(got, `"entries":2`) {
		t.Fatalf("a new file: %s", got)
	}
	f, err := os.OpenFile(filepath.Join(l.sessions(), "a.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	more := piSession("s", "/srv/x", "one", "two", "three")
	if _, err := f.Write(more[len(piSession("s", "/srv/x", "one", "two")):]); err != nil {
		t.Fatal(err)
	}
	if got := out.wait(t, 3); !strings.Contains(got, `"entries":1,`) {
		t.Fatalf("an appended line: %s", got)
	}
	stop()
	if code := <-done; code != 0 {
		t.Errorf("code %d: %s", code, errs.buf.String())
	}
}

// An interrupted command says nothing more and ends with 130.
func TestInterrupted(t *testing.T) {
	l := newLab(t)
	l.session("a.jsonl", piSession("s", "/srv/x", "one", "two"))
	ctx, stop := context.WithCancel(context.Background())
	stop()
	for _, args := range [][]string{{"sync"}, {"search", "--all", "one"}, {"doctor"}} {
		if stdout, _, code := l.runIn(ctx, nil, args...); code != 130 || stdout != "" {
			t.Errorf("%q: code %d, want 130; %q", args, code, stdout)
		}
	}
}

// On a terminal forget asks, and anything but yes changes nothing.
func TestConfirm(t *testing.T) {
	l := newLab(t)
	l.session("a.jsonl", piSession("s", "/srv/x", "zeppelin", "two"))
	l.term = cli.Terminal{In: true, Out: true, Err: true, Cols: 80}
	for _, tt := range []struct {
		answer string
		code   int
	}{{"", 1}, {"n\n", 1}, {"yes\n", 0}} {
		l.in = tt.answer
		_, stderr, code := l.run("forget", "pi:s")
		if code != tt.code || !strings.Contains(stderr, "Forget it for good?") {
			t.Errorf("answer %q: code %d, want %d: %s", tt.answer, code, tt.code, stderr)
		}
	}
	if stdout, _, _ := l.run("search", "--all", "zeppelin"); stdout != "" {
		t.Errorf("still found: %s", stdout)
	}
}
