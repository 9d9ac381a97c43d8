package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ncruces/go-sqlite3"

	"lookback/internal/testkit"
)

// command makes a process of the real program in the lab's home.
func (l *lab) command(args ...string) *exec.Cmd {
	l.t.Helper()
	cmd := exec.Command("lookback", args...)
	cmd.Dir = l.home
	cmd.Env = []string{"HOME=" + l.home, "USERPROFILE=" + l.home, "PATH=" + os.Getenv("PATH"), "TZ=UTC", "LANG=C.UTF-8",
		"LOOKBACK_CACHE_DIR=" + filepath.Dir(l.w.places.Index), "LOOKBACK_DATA_DIR=" + filepath.Dir(l.w.places.Archive),
		"LOOKBACK_CONFIG_DIR=" + filepath.Dir(l.w.places.Settings)}
	return cmd
}

// process gives what a process of the real program prints and its exit code.
func (l *lab) process(args ...string) (stdout, stderr string, code int) {
	l.t.Helper()
	cmd := l.command(args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		l.t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// some writes n sessions with a question about the word in each.
func (l *lab) some(word string, n int) {
	l.t.Helper()
	for i := range n {
		id := fmt.Sprintf("%s-%d", word, i)
		l.session(id+".jsonl", piSession(id, "/srv/a", "the "+word, fmt.Sprint("is number ", i), "and then?", strings.Repeat("more words ", 50)))
	}
}

func (l *lab) hits(word string) int {
	l.t.Helper()
	out, errs, code := l.process("search", "--all", "--limit", "1000", word)
	if code != 0 {
		l.t.Errorf("search: exit code %d, %s", code, errs)
	}
	return strings.Count(out, "\n")
}

// D01: two processes write, a third one searches.
func TestTwoWritersAndAReader(t *testing.T) {
	l := newLab(t)
	for round := range 3 {
		l.some(fmt.Sprint("zeppelin", round), 30)
		var writers []*exec.Cmd
		var said [2]bytes.Buffer
		for i := range said {
			cmd := l.command("sync", "--wait")
			cmd.Stderr = &said[i]
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			writers = append(writers, cmd)
		}
		for range 3 {
			_, errs, code := l.process("search", "--all", "zeppelin0")
			if code != 0 || strings.Contains(errs, "locked") {
				t.Errorf("search: exit code %d, %s", code, errs)
			}
		}
		for i, cmd := range writers {
			if err := cmd.Wait(); err != nil {
				t.Errorf("sync: %v", err)
			}
			if strings.Contains(said[i].String(), "locked") {
				t.Errorf("a writer said %s", said[i].String())
			}
		}
	}
	for round := range 3 {
		if n := l.hits(fmt.Sprint("zeppelin", round)); n != 30 {
			t.Errorf("round %d: %d hits, want 30", round, n)
		}
	}
}

// D02, scaled down: a reader that stays keeps the log from being cut, not for good.
func TestLogIsCutWhenTheReaderEnds(t *testing.T) {
	l := newLab(t)
	l.some("first", 1)
	l.process("sync")
	reader, err := sqlite3.Open("file:" + filepath.ToSlash(l.w.places.Index) + "?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if err := reader.Exec("BEGIN; SELECT count(*) FROM session"); err != nil {
		t.Fatal(err)
	}
	var words strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&words, "word%d ", i)
	}
	for round := range 3 {
		id := fmt.Sprint("big", round)
		l.session(id+".jsonl", piSession(id, "/srv/a", id, words.String()+id, "and "+id, words.String()))
		if _, errs, code := l.process("sync"); code != 0 {
			t.Fatalf("sync: %s", errs)
		}
	}
	size := func() int64 {
		info, err := os.Stat(l.w.places.Index + "-wal")
		if err != nil {
			return 0
		}
		return info.Size()
	}
	held := size()
	if err := reader.Exec("COMMIT"); err != nil {
		t.Fatal(err)
	}
	reader.Close()
	l.some("last", 1)
	l.process("sync")
	if n := size(); n > 4<<20 {
		t.Errorf("the log holds %d bytes, %d while it was held", n, held)
	}
}

// D03: what is damaged is built again, and said once.
func TestDamagedIndexIsSaidOnce(t *testing.T) {
	l := newLab(t)
	l.some("zeppelin", 30)
	l.process("sync")
	archive := testkit.Snapshot(t, l.w.places.Archive)
	data := testkit.ReadFile(t, l.w.places.Index)
	middle := len(data) / 2
	copy(data[middle:min(middle+12_000, len(data))], bytes.Repeat([]byte{0xa5}, 12_000))
	for at := 4096 * 3; at+4096 <= len(data); at += 4096 * 2 { // and what a search is sure to meet
		copy(data[at:at+4096], bytes.Repeat([]byte{0xa5}, 4096))
	}
	if err := os.WriteFile(l.w.places.Index, data, 0o600); err != nil {
		t.Fatal(err)
	}
	os.Remove(l.w.places.Index + "-wal")
	told := 0
	for range 3 {
		out, errs, code := l.process("search", "--all", "--limit", "1000", "zeppelin")
		if code != 0 || strings.Count(out, "\n") != 30 {
			t.Errorf("exit code %d, %d hits, %s", code, strings.Count(out, "\n"), errs)
		}
		told += strings.Count(errs, "damaged")
	}
	if told != 1 {
		t.Errorf("told %d times", told)
	}
	archive.Same(t)
	if _, errs, code := l.process("doctor"); code != 0 {
		t.Errorf("doctor: exit code %d, %s", code, errs)
	}
}

// D07: a newer index is refused and left alone; an older one is built again, once.
func TestIndexOfAnotherVersion(t *testing.T) {
	l := newLab(t)
	l.some("zeppelin", 10)
	l.process("sync")
	version := func(add uint32) []byte {
		data := testkit.ReadFile(t, l.w.places.Index)
		binary.BigEndian.PutUint32(data[60:], binary.BigEndian.Uint32(data[60:])+add)
		if err := os.WriteFile(l.w.places.Index, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return data
	}
	version(1)
	l.some("kayak", 10)
	snap := testkit.Snapshot(t, l.home)
	for _, args := range [][]string{{"search", "--all", "zeppelin"}, {"sync"}, {"sync", "--rescan"}, {"doctor"}, {"sessions"}} {
		_, errs, code := l.process(args...)
		if code == 0 || !strings.Contains(errs, "newer lookback") {
			t.Errorf("%v: exit code %d, %s", args, code, errs)
		}
	}
	snap.Same(t)
	version(^uint32(0) - 1) // two less: one below ours
	var both []*exec.Cmd
	for range 2 {
		cmd := l.command("sync", "--wait")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		both = append(both, cmd)
	}
	for _, cmd := range both {
		if err := cmd.Wait(); err != nil {
			t.Errorf("sync: %v", err)
		}
	}
	if n := l.hits("zeppelin"); n != 10 {
		t.Errorf("%d hits", n)
	}
	if n := l.hits("kayak"); n != 10 {
		t.Errorf("%d hits", n)
	}
	items, err := os.ReadDir(filepath.Dir(l.w.places.Index))
	if err != nil {
		t.Fatal(err)
	}
	for _, item := range items {
		if strings.Contains(item.Name(), ".new") {
			t.Errorf("left behind: %s", item.Name())
		}
	}
}

// D12: a home that cannot be written, with an index in it and without one.
func TestReadOnlyHome(t *testing.T) {
	for _, indexed := range []bool{false, true} {
		t.Run(fmt.Sprint("with an index: ", indexed), func(t *testing.T) {
			l := newLab(t)
			l.some("zeppelin", 5)
			if indexed {
				if _, errs, code := l.run("sync"); code != 0 {
					t.Fatal(errs)
				}
				l.some("kayak", 5)
			}
			shut(t, l.home)
			var out, errs string
			var code int
			testkit.Unprivileged(t, l.home, func() { out, errs, code = l.run("search", "--all", "zeppelin") })
			if code != 0 || strings.Count(out, "\n") != 5 {
				t.Errorf("exit code %d, output %q, %s", code, out, errs)
			}
			want := "slow"
			if indexed {
				want = "since the last sync"
			}
			if strings.Count(errs, "cannot be written") == 0 || !strings.Contains(errs, want) {
				t.Errorf("said %q", errs)
			}
		})
	}
}

// shut takes the right to write from everything below dir until the test ends.
func shut(t *testing.T, dir string) {
	t.Helper()
	change := func(mode func(os.FileMode) os.FileMode) {
		filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if info, err := d.Info(); err == nil {
				os.Chmod(path, mode(info.Mode().Perm()))
			}
			return nil
		})
	}
	change(func(m os.FileMode) os.FileMode { return m &^ 0o222 })
	t.Cleanup(func() { change(func(m os.FileMode) os.FileMode { return m | 0o200 }) })
}

// F01: exit code 3 for sync and doctor, 0 for what answers a question.
func TestExitCodesWithAnUnreadableFile(t *testing.T) {
	l := newLab(t)
	l.some("zeppelin", 3)
	if err := os.Chmod(filepath.Join(l.sessions(), "zeppelin-1.jsonl"), 0); err != nil {
		t.Fatal(err)
	}
	testkit.Unprivileged(t, l.home, func() {
		for _, c := range []struct {
			args []string
			code int
		}{{[]string{"sync"}, 3}, {[]string{"search", "--all", "zeppelin"}, 0}, {[]string{"doctor"}, 3}, {[]string{"read", "pi:zeppelin-0"}, 0}} {
			out, errs, code := l.runIn(context.Background(), nil, c.args...)
			if code != c.code {
				t.Errorf("%v: exit code %d, want %d: %s", c.args, code, c.code, errs)
			}
			if c.args[0] == "sync" && (!strings.Contains(errs, "zeppelin-1.jsonl") || !strings.Contains(errs, "permission")) {
				t.Errorf("sync said %q", errs)
			}
			if c.args[0] == "search" && strings.Count(out, "\n") != 2 {
				t.Errorf("search found %q", out)
			}
		}
	})
}

// R04: nothing found is an empty list.
func TestNothingIsAnEmptyList(t *testing.T) {
	l := newLab(t)
	l.some("zeppelin", 1)
	out, _, code := l.run("search", "--all", "--json", "marlinspike")
	if code != 0 || !strings.Contains(out, `"hits":[]`) || strings.Contains(out, "null") && strings.Contains(out, `"related":null`) {
		t.Errorf("exit code %d, %s", code, out)
	}
	if out, _, _ := l.run("sessions", "--json", "-w", t.TempDir()); !strings.Contains(out, `"sessions":[]`) {
		t.Errorf("sessions: %s", out)
	}
	if _, errs, _ := l.run("search", "--all", "--role", "assistant", "zeppelin"); !strings.Contains(errs, "filters") {
		t.Errorf("said %q, want it to name the filters", errs)
	}
}

// R09: a relative date means the same with and without a sign.
func TestRelativeDates(t *testing.T) {
	l := newLab(t)
	l.some("zeppelin", 2)
	var outs []string
	for _, when := range []string{"36500d", "-36500d"} {
		out, errs, code := l.run("search", "--all", "--after="+when, "zeppelin")
		if code != 0 || strings.Count(out, "\n") != 2 {
			t.Errorf("--after=%s: exit code %d, %q, %s", when, code, out, errs)
		}
		outs = append(outs, out)
		if out, _, _ := l.run("search", "--all", "--before="+when, "zeppelin"); out != "" {
			t.Errorf("--before=%s found %q", when, out)
		}
	}
	if !slices.Equal(outs[:1], outs[1:]) {
		t.Errorf("outputs differ: %q", outs)
	}
	if _, errs, code := l.run("search", "--all", "--after=1d", "--before=7d", "zeppelin"); code != 2 {
		t.Errorf("an inverted range: exit code %d, %s", code, errs)
	}
}
