//go:build unix

package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A read that waits ends with its context.
func TestInput(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	in := input{ctx, r}
	w.WriteString("word")
	b := make([]byte, 9)
	if n, err := in.Read(b); string(b[:n]) != "word" || err != nil {
		t.Errorf("%q %v", b[:n], err)
	}
	if _, err := in.Read(b); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

// TestDemoEnds ends the demo early in several ways: its home is gone each time.
func TestDemoEnds(t *testing.T) {
	for _, how := range []string{"timeout -s INT 0.05 lookback demo", "timeout -s HUP 0.05 lookback demo", "lookback demo | head -1"} {
		dir := t.TempDir()
		cmd := exec.Command("sh", "-c", how)
		cmd.Env = append(os.Environ(), "TMPDIR="+dir)
		_ = cmd.Run() // how it ends is the shell's affair
		for range 100 {
			if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) == 0 {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
			t.Errorf("%s: %v is left", how, left)
		}
	}
}

// TestGoneDirectory runs where the working directory was removed.
func TestGoneDirectory(t *testing.T) {
	for args, want := range map[string]string{
		"version": "lookback ", "search x": "the working directory is gone", "inspect x": "the working directory is gone", "archive here": "the working directory is gone",
	} {
		cmd := exec.Command("sh", "-c", "rmdir ../gone && lookback "+args)
		cmd.Dir = filepath.Join(t.TempDir(), "gone")
		if err := os.Mkdir(cmd.Dir, 0o700); err != nil {
			t.Fatal(err)
		}
		cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
		if out, _ := cmd.CombinedOutput(); !strings.Contains(string(out), want) {
			t.Errorf("%s: %s", args, out)
		}
	}
}
