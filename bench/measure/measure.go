// Package measure counts what a process and its children use: processor time and
// memory, not the clock, since machines are shared.
package measure

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Used is what one run of a program used.
type Used struct {
	CPU    time.Duration // user and system
	Wall   time.Duration
	Memory int64 // most bytes held at a time, 0 where the system does not say
	Code   int   // exit code
	Out    []byte
	Err    []byte
}

// Program is a program to run again and again.
type Program struct {
	Path string
	Dir  string
	Env  []string // in place of the own
}

// Run runs the program to its end. An exit code other than 0 is an error.
//
// Between the two stands a small process of this program's own, which must call
// Helper: Linux counts into a program's peak memory what its parent held when it
// was started.
func (p *Program) Run(ctx context.Context, args ...string) (Used, error) {
	self, err := os.Executable()
	if err != nil {
		return Used{}, err
	}
	cmd := exec.CommandContext(ctx, self, append([]string{HelperFlag, p.Path}, args...)...)
	cmd.Dir, cmd.Env = p.Dir, p.Env
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	if err := cmd.Run(); err != nil {
		return Used{}, fmt.Errorf("%s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(problems.String()))
	}
	var u Used
	if err := json.Unmarshal(out.Bytes(), &u); err != nil {
		return u, err
	}
	if u.Code != 0 {
		return u, fmt.Errorf("%s: exit code %d: %s", strings.Join(args, " "), u.Code, strings.TrimSpace(string(u.Err)))
	}
	return u, nil
}

// HelperFlag is the first argument with which Run starts this program.
const HelperFlag = "-measure"

// Helper runs a program and writes what it used to standard output as JSON. args
// are what followed HelperFlag.
func Helper(args []string) error {
	cmd := exec.Command(args[0], args[1:]...)
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	from := time.Now()
	err := cmd.Run()
	u := Used{Wall: time.Since(from), Out: out.Bytes(), Err: problems.Bytes()}
	if cmd.ProcessState == nil {
		return err
	}
	u.CPU = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	u.Memory, u.Code = peak(cmd.ProcessState), cmd.ProcessState.ExitCode()
	return json.NewEncoder(os.Stdout).Encode(u)
}

// Scan reads files from start to end and counts their lines: the least that any
// reader of them does. It gives the processor time and the bytes.
func Scan(paths []string) (cpu time.Duration, size int64, err error) {
	buf := make([]byte, 1<<20)
	lines := 0
	from := CPU()
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			return 0, 0, err
		}
		for {
			n, err := f.Read(buf)
			lines += bytes.Count(buf[:n], []byte{'\n'})
			size += int64(n)
			if err == io.EOF {
				break
			}
			if err != nil {
				f.Close()
				return 0, 0, err
			}
		}
		f.Close()
	}
	if size > 0 && lines == 0 {
		return 0, 0, fmt.Errorf("%d bytes without a line", size)
	}
	return CPU() - from, size, nil
}
