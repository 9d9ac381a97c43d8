package pi

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"lookback"
	"lookback/internal/testkit"
)

// reader reads one growing file the way ingest does.
type reader struct {
	t       testing.TB
	s       *Source
	path    string
	entries []lookback.Entry
	last    lookback.Batch
}

func (r *reader) read() {
	r.t.Helper()
	res, err := r.s.Read(context.Background(), lookback.Place{Path: r.path}, r.last.Cursor, bare(r.entries))
	if err != nil {
		r.t.Fatal(err)
	}
	r.entries = merge(r.entries, &r.last, &res)
	r.last = res
}

// grow appends to the file, as its agent does.
func (r *reader) grow(b []byte) {
	r.t.Helper()
	f, err := os.OpenFile(r.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.Write(b)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		r.t.Fatal(err)
	}
}

// sameAsFresh compares what resuming gave with a reading of the whole file.
func (r *reader) sameAsFresh() error {
	res, err := r.s.Read(context.Background(), lookback.Place{Path: r.path}, nil, nil)
	if err != nil {
		return err
	}
	if len(res.Log.Entries) != len(r.entries) {
		return fmt.Errorf("%d entries, fresh %d", len(r.entries), len(res.Log.Entries))
	}
	for i := range r.entries {
		if !reflect.DeepEqual(r.entries[i], res.Log.Entries[i]) {
			return fmt.Errorf("entry %d: %+v, fresh %+v", i+1, r.entries[i], res.Log.Entries[i])
		}
	}
	if got, want := r.last.Log.Warnings, res.Log.Warnings; !reflect.DeepEqual(got, want) {
		return fmt.Errorf("warnings %v, fresh %v", got, want)
	}
	if got, want := r.last.Log.Session, res.Log.Session; got != want {
		return fmt.Errorf("session %+v, fresh %+v", got, want)
	}
	if r.last.None != res.None {
		return fmt.Errorf("no session: %v, fresh %v", r.last.None, res.None)
	}
	return nil
}

// TestResumeEqualsFresh lets every fixture grow in random steps.
func TestResumeEqualsFresh(t *testing.T) {
	files := append(sessions(t, repoFile(t, "pi")), sessions(t, repoFile(t, "cases/files"))...)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data := testkit.ReadFile(t, file)
			rng := rand.New(rand.NewPCG(1, uint64(len(data))))
			for range 12 {
				r := reader{t: t, s: testSource(), path: filepath.Join(t.TempDir(), "s.jsonl")}
				for at := 0; ; {
					n := rng.IntN(len(data)/2 + 2)
					if rng.IntN(3) == 0 { // as real writers do, up to the end of a line
						for at+n < len(data) && at+n > 0 && data[at+n-1] != '\n' {
							n++
						}
					}
					n = min(n, len(data)-at)
					r.grow(data[at : at+n])
					at += n
					r.read()
					if err := r.sameAsFresh(); err != nil {
						t.Fatalf("after %d of %d bytes: %v", at, len(data), err)
					}
					if at == len(data) {
						break
					}
				}
			}
		})
	}
}

// TestResume proves that appends are not read as a whole, and lists what must be.
func TestResume(t *testing.T) {
	base := []string{head, user("u1", "", "one"), answer("a1", "u1", "two")}
	tests := map[string]struct {
		more  string
		fresh bool
	}{
		"an append":                        {user("u2", "a1", "three") + "\n", false},
		"a second append of the same":      {base[1] + "\n", false},
		"an id again with other words":     {user("u1", "a1", "other") + "\n", false},
		"an unterminated line":             {user("u2", "a1", "three"), false},
		"half a line":                      {`{"type":"mess`, false},
		"an unknown parent":                {user("u2", "gone", "three") + "\n", false},
		"a later parent, all of it new":    {user("u2", "x", "three") + "\n" + user("x", "a1", "four") + "\n", false},
		"no time at a new root":            {`{"type":"message","id":"n","parentId":null,"message":{"role":"user","content":"x"}}` + "\n", true},
		"no time below what has one":       {`{"type":"message","id":"n","parentId":"a1","message":{"role":"user","content":"x"}}` + "\n", true},
		"a name":                           {`{"type":"session_info","id":"i","parentId":"a1","timestamp":"2026-03-10T09:01:00.000Z","name":" Lamp "}` + "\n", false},
		"a line that is no JSON":           {"junk\n", false},
		"a second header":                  {head + "\n", false},
		"a record without an id":           {`{"type":"label"}` + "\n", false},
		"a header that comes again, glued": {head + user("u9", "a1", "x") + "\n", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := reader{t: t, s: testSource(), path: write(t, base...)}
			r.read()
			r.grow([]byte(tt.more))
			r.read()
			if r.last.Fresh != tt.fresh {
				t.Errorf("fresh: %v", r.last.Fresh)
			}
			if err := r.sameAsFresh(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestStartOver lists the changes after which what was read before is void.
func TestStartOver(t *testing.T) {
	base := head + "\n" + user("u1", "", "one") + "\n" + answer("a1", "u1", "two") + "\n"
	var orphans strings.Builder
	for i := range maxPending + 1 {
		orphans.WriteString(user("o"+strconv.Itoa(i), "gone"+strconv.Itoa(i), "x") + "\n")
	}
	orphan := base + user("u2", "later", "three") + "\n"
	tests := map[string]struct{ before, after string }{
		"shrunk":                       {base, head + "\n" + user("u1", "", "one") + "\n"},
		"rewritten and longer":         {base, head + "\n" + user("u1", "", "ONE") + "\n" + answer("a1", "u1", "two") + "\n" + user("u2", "a1", "x") + "\n"},
		"same size, other words":       {base, head + "\n" + user("u1", "", "ono") + "\n" + answer("a1", "u1", "two") + "\n"},
		"an unknown parent comes":      {orphan, orphan + user("later", "a1", "four") + "\n"},
		"the header's id changes":      {base, `{"type":"session","version":3,"id":"s-2"}` + "\n" + base[len(head)+1:] + user("u2", "a1", "x") + "\n"},
		"version 1 grows":              {headV1 + "\n", headV1 + "\n" + `{"type":"message","timestamp":"2026-03-10T09:00:00.000Z","message":{"role":"user","content":"x"}}` + "\n"},
		"no header yet":                {"junk\n", "junk\n" + base},
		"too many unknown parents":     {base + orphans.String(), base + orphans.String() + user("u2", "a1", "x") + "\n"},
		"a tail that is none":          {base + `{"type":"new","id":"n"}`, base + `{"type":"new","id":"n"} x`},
		"a tail that others depend on": {orphan + user("later", "a1", "four"), orphan + user("later", "a1", "fourth") + "\n"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := reader{t: t, s: testSource(), path: filepath.Join(t.TempDir(), "s.jsonl")}
			testkit.WriteFile(t, r.path, tt.before)
			r.read()
			testkit.WriteFile(t, r.path, tt.after)
			r.read()
			if !r.last.Fresh {
				t.Error("only the end was read")
			}
			if err := r.sameAsFresh(); err != nil {
				t.Error(err)
			}
		})
	}
}
