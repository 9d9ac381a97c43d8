package mcp_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestParentDies kills the process that started the server while somebody else
// keeps the server's input open.
func TestParentDies(t *testing.T) {
	home := t.TempDir()
	cmd := server{home: home, mode: "parent", dir: "/srv/x"}.command()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer write.Close()
	cmd.Stdin = read
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var pid int
	for range 100 {
		if b, err := os.ReadFile(filepath.Join(home, "pid")); err == nil && len(b) > 0 {
			pid, _ = strconv.Atoi(string(b))
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	time.Sleep(300 * time.Millisecond)
	if pid == 0 || syscall.Kill(pid, 0) != nil {
		t.Fatalf("no server, pid %d", pid)
	}
	cmd.Process.Kill()
	cmd.Wait()
	for range 40 {
		if b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err != nil || strings.Contains(string(b), ") Z ") {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	syscall.Kill(pid, syscall.SIGKILL)
	t.Error("the server outlives its parent")
}
