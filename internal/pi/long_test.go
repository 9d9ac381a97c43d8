package pi

import (
	"bufio"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"lookback"
)

// writeLong writes a session with one record whose text is n bytes long, between
// before and after.
func writeLong(t testing.TB, before, after string, n int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "long.jsonl")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriter(f)
	w.WriteString(head + "\n" + user("u1", "", "before") + "\n" + before)
	for range n / 16 {
		w.WriteString(`0123456789abcd\n`)
	}
	w.WriteString(after + "\n" + answer("a9", "x", "after") + "\n")
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

const (
	open64 = `{"type":"message","id":"x","parentId":"u1","timestamp":"2026-03-10T09:01:00.000Z","message":{`
	size64 = 64 << 20
)

// TestLongLines proves that memory does not grow with what is not needed.
func TestLongLines(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 64 MiB files")
	}
	tests := map[string]struct{ before, after string }{
		"tool result":        {open64 + `"role":"toolResult","toolCallId":"c","toolName":"bash","content":[{"type":"text","text":"`, `"}],"isError":true}}`},
		"image":              {open64 + `"role":"user","content":[{"type":"image","data":"`, `","mimeType":"image/png"},{"type":"text","text":"see"}]}}`},
		"thinking":           {open64 + `"role":"assistant","content":[{"type":"thinking","thinking":"`, `"},{"type":"text","text":"see"}],"stopReason":"toolUse"}}`},
		"arguments":          {open64 + `"role":"assistant","content":[{"type":"toolCall","id":"c","name":"write","arguments":{"content":"`, `"}},{"type":"text","text":"see"}],"stopReason":"toolUse"}}`},
		"details":            {open64 + `"role":"toolResult","toolCallId":"c","toolName":"bash","content":[],"details":{"diff":"`, `"},"isError":true}}`},
		"a record of no use": {`{"type":"custom","id":"x","parentId":"u1","data":"`, `"}`},
		"system":             {open64 + `"role":"system","content":"`, `"}}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			path := writeLong(t, tt.before, tt.after, size64)
			s := testSource()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			b, err := s.Read(context.Background(), lookback.Place{Path: path}, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Fill(path, b.Log.Entries); err != nil {
				t.Fatal(err)
			}
			runtime.ReadMemStats(&after)
			if used := after.TotalAlloc - before.TotalAlloc; used > 2<<20 {
				t.Errorf("%d bytes were allocated", used)
			}
			if len(b.Log.Entries) != 3 || b.Log.Warnings != nil || b.Log.Entries[2].Parent != 2 || b.Log.Entries[1].Size < size64 {
				t.Errorf("%d entries, warnings %v", len(b.Log.Entries), b.Log.Warnings)
			}
			switch e := &b.Log.Entries[1]; {
			case e.Role == lookback.RoleTool && *e.Reply != lookback.Reply{Call: "c", Tool: "bash", Failed: true}:
				t.Errorf("reply %+v", *e.Reply)
			case e.Spoken() && !strings.Contains(e.Words(), "see"):
				t.Errorf("words %q", e.Words())
			}
		})
	}
}

// TestLongText reads a text of 64 MiB, resumes behind it, and repairs such a line.
func TestLongText(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 64 MiB files")
	}
	text := open64 + `"role":"user","content":[{"type":"text","text":"`
	path := writeLong(t, text, `capstan"}]}}`, size64)
	r := reader{t: t, s: testSource(), path: path}
	r.read()
	if words := r.entries[1].Words(); len(words) != size64/16*15+7 || !strings.HasSuffix(words, "\ncapstan") {
		t.Errorf("%d bytes of text", len(words))
	}
	r.grow([]byte(user("u2", "a9", "more") + "\n"))
	r.read()
	if r.last.Fresh || len(r.entries) != 4 {
		t.Errorf("fresh %v, %d entries", r.last.Fresh, len(r.entries))
	}
	path = writeLong(t, `{"type":"mess`+text, `capstan"}]}}`, size64)
	b := read(t, path)
	if len(b.Log.Entries) != 3 || !strings.HasSuffix(b.Log.Entries[1].Words(), "capstan") || kinds(b.Log.Warnings)[0] != "bad_line" {
		t.Errorf("%d entries, warnings %v", len(b.Log.Entries), b.Log.Warnings)
	}
}

// TestLineLengths moves the ends of lines across every edge of the buffer.
func TestLineLengths(t *testing.T) {
	for _, n := range []int{bufSize - blockSize, bufSize, 2*bufSize - blockSize, 3 * bufSize} {
		for d := -3; d <= 3; d++ {
			pad := strings.Repeat("x", n+d-len(user("u1", "", ""))-1)
			path := write(t, head, user("u1", "", pad), answer("a1", "u1", "two"), user("u2", "a1", pad), answer("a2", "u2", "four"))
			b := read(t, path)
			if got := shape(b.Log.Entries); len(got) != 1 || strings.Join(got[0], ",") != "u1 a1 +,u2 a2 +" || b.Log.Warnings != nil {
				t.Errorf("lines of %d bytes: %v %v", n+d, got, b.Log.Warnings)
			}
			if b.Log.Entries[2].Words() != pad {
				t.Errorf("lines of %d bytes: other words", n+d)
			}
			r := reader{t: t, s: testSource(), path: path}
			r.read()
			r.grow([]byte(user("u3", "a2", pad)))
			r.read()
			r.grow([]byte("\n" + answer("a3", "u3", "six") + "\n"))
			r.read()
			if err := r.sameAsFresh(); err != nil || r.last.Fresh {
				t.Errorf("lines of %d bytes: %v, fresh %v", n+d, err, r.last.Fresh)
			}
		}
	}
}
