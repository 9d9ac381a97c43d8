package archive

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"lookback"
)

// childEnv makes the test binary run one of the children below instead.
const childEnv = "LOOKBACK_ARCHIVE_TEST_CHILD"

func TestMain(m *testing.M) {
	if job, dir, ok := strings.Cut(os.Getenv(childEnv), "="); ok {
		if err := children[job](Open(dir)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

var children = map[string]func(*Archive) error{
	"save": saveForEver,
	"even": func(a *Archive) error { return summarise(a, 0) },
	"odd":  func(a *Archive) error { return summarise(a, 1) },
}

func child(t *testing.T, job string, a *Archive, out *os.File) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+job+"="+a.Dir())
	cmd.Stderr = os.Stderr
	if out != nil {
		cmd.Stdout = out
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// started waits until the child is about to work.
func started(t *testing.T, job string, a *Archive) *exec.Cmd {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cmd := child(t, job, a, w)
	w.Close()
	if _, err := r.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// saveForEver replaces five records again and again, singly and in batches.
func saveForEver(a *Archive) error {
	fmt.Print("!")
	for i := os.Getpid(); ; i++ {
		w, err := a.Lock(bg)
		if err != nil {
			return err
		}
		for k := range 1 + i%5 {
			r := record("s"+strconv.Itoa(k), 20+i%300)
			r.Name = strings.Repeat("n", i%1000)
			if _, err := w.Save(r); err != nil {
				return err
			}
		}
		if err := w.Close(); err != nil {
			return err
		}
	}
}

func TestKilledWriters(t *testing.T) {
	kills := 200
	if testing.Short() {
		kills = 20
	}
	a := newArchive(t)
	save(t, a, record("s0", 5))
	stop, failed := make(chan struct{}), make(chan error)
	go func() { failed <- readUntil(stop, a) }()
	// On a slow machine the first children may all die before they have written.
	for n := 0; n < kills || len(files(t, a)) < 3 && n < 20*kills; n++ {
		cmd := started(t, "save", a)
		time.Sleep(time.Duration(rand.IntN(20_000<<(n%4))) * time.Microsecond)
		cmd.Process.Kill()
		cmd.Wait()
	}
	close(stop)
	if err := <-failed; err != nil {
		t.Error(err)
	}
	save(t, a)
	problems, err := a.Verify()
	if len(problems) > 0 || err != nil {
		t.Errorf("%v, %v", problems, err)
	}
	if n := len(files(t, a)); n < 3 || n > 6 {
		t.Errorf("files: %q", files(t, a))
	}
}

// readUntil reads all records until stop is closed; none may ever be broken.
func readUntil(stop chan struct{}, a *Archive) error {
	for {
		select {
		case <-stop:
			return nil
		default:
		}
		for _, w := range a.All() {
			if w != nil {
				<-stop
				return errors.New(w.String())
			}
		}
	}
}

func summarise(a *Archive, rest int) error {
	for n := rest; n < 21; n += 2 {
		err := a.Edit(bg, NewID(session("s")), func(r *Record) error { write(r, "text", n); return nil })
		if err != nil {
			return err
		}
	}
	return nil
}

func TestTwoProcessesLoseNothing(t *testing.T) {
	a := newArchive(t)
	save(t, a, record("s", 64))
	even, odd := child(t, "even", a, nil), child(t, "odd", a, nil)
	for _, cmd := range []*exec.Cmd{even, odd} {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	r := load(t, a, NewID(session("s")))
	if all, n := r.Summaries(); all != 21 || n != 21 {
		t.Errorf("%d of %d summaries left", n, all)
	}
	if problems, err := a.Verify(); len(problems) > 0 || err != nil {
		t.Errorf("%v, %v", problems, err)
	}
}

func TestRecordsGoneWhileReading(t *testing.T) {
	a := newArchive(t)
	save(t, a, record("a", 1), record("b", 1), record("c", 1))
	n := 0
	for r, w := range a.All() {
		if w != nil {
			t.Error(w)
		}
		n++
		for _, name := range []string{"a", "b", "c"} {
			if id := NewID(session(name)); id != r.ID {
				if err := os.Remove(a.path(id + ext)); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if _, err := a.Load(NewID(lookback.SessionID{Agent: "pi", Native: "zz"})); n != 1 || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%d records, %v", n, err)
	}
}
