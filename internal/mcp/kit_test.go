package mcp_test

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"lookback"
	"lookback/internal/mcp"
	"lookback/internal/pi"
	"lookback/internal/service"
	"lookback/internal/testkit"
	"lookback/internal/tool"
)

// The test binary is the server too: a child process of it with this variable set
// serves the home that it names.
const (
	homeEnv = "LOOKBACK_TEST_MCP_HOME"
	modeEnv = "LOOKBACK_TEST_MCP_MODE"
	fileEnv = "LOOKBACK_TEST_MCP_SESSION"
	dirEnv  = "LOOKBACK_TEST_MCP_WORKSPACE"
)

func TestMain(m *testing.M) {
	switch {
	case os.Getenv(homeEnv) == "":
		os.Exit(m.Run())
	case os.Getenv(modeEnv) == "parent":
		parent()
	}
	if err := serve(); err != nil {
		println(err.Error())
		os.Exit(1)
	}
	os.Exit(0)
}

// parent starts the server as its own child and waits to be killed.
func parent() {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), modeEnv+"=")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		os.Exit(1)
	}
	os.WriteFile(filepath.Join(os.Getenv(homeEnv), "pid"), []byte(json.Number(itoa(cmd.Process.Pid))), 0o600)
	cmd.Wait()
	os.Exit(0)
}

func itoa(n int) string { b, _ := json.Marshal(n); return string(b) }

func serve() error {
	home := os.Getenv(homeEnv)
	var src service.Source = pi.New(pi.Dirs{Home: home})
	if os.Getenv(modeEnv) == "faulty" {
		src = faulty{src}
	}
	ctx := context.Background()
	svc, err := service.Open(ctx, service.Config{Index: filepath.Join(home, "cache", "index.db"), Archive: filepath.Join(home, "archive"), Sources: []service.Source{src}})
	if err != nil {
		return err
	}
	defer svc.Close()
	return mcp.Serve(ctx, svc, mcp.Options{
		Caller:  tool.Caller{File: os.Getenv(fileEnv), Workspace: os.Getenv(dirEnv)},
		Handoff: os.Getenv(modeEnv) == "handoff", Version: "test", In: os.Stdin, Out: os.Stdout, Log: os.Stderr, Debug: true,
	})
}

// faulty panics or hangs on reading files of these names.
type faulty struct{ service.Source }

func (f faulty) Read(ctx context.Context, p lookback.Place, cursor []byte, prior []lookback.Entry) (lookback.Batch, error) {
	switch filepath.Base(p.Path) {
	case "panic.jsonl":
		panic("a fault of our own")
	case "hang.jsonl":
		<-ctx.Done()
		return lookback.Batch{}, ctx.Err()
	}
	return f.Source.Read(ctx, p, cursor, prior)
}

func (f faulty) Near(ctx context.Context, root string, folders []string, want func(string) bool) ([]lookback.Place, []lookback.Warning) {
	return f.Source.(*pi.Source).Near(ctx, root, folders, want)
}

// server describes a child process.
type server struct{ home, mode, file, dir string }

func (s server) command() *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), homeEnv+"="+s.home, modeEnv+"="+s.mode, fileEnv+"="+s.file, dirEnv+"="+s.dir)
	return cmd
}

// connect starts the server and the official SDK's client.
func (s server) connect(t *testing.T, o *sdk.ClientOptions) *sdk.ClientSession {
	t.Helper()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, o)
	session, err := client.Connect(t.Context(), &sdk.CommandTransport{Command: s.command()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

func call(t *testing.T, s *sdk.ClientSession, name string, args any) *sdk.CallToolResult {
	t.Helper()
	r, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		t.Fatalf("%s %v: %v", name, args, err)
	}
	return r
}

func textOf(r *sdk.CallToolResult) string {
	var b strings.Builder
	for _, c := range r.Content {
		if x, ok := c.(*sdk.TextContent); ok {
			b.WriteString(x.Text)
		}
	}
	return b.String()
}

// put writes a session file of one question, one answer and a compaction, with
// more lines after them.
func put(t *testing.T, home, name, id, cwd, word string, more ...string) string {
	t.Helper()
	head := func(id, parent string) string {
		return `{"id":"` + id + `","parentId":` + parent + `,"timestamp":"2026-03-10T09:00:00.000Z",`
	}
	lines := []string{
		`{"type":"session","version":3,"id":"` + id + `","timestamp":"2026-03-10T09:00:00.000Z","cwd":"` + cwd + `"}`,
		head("u1", "null") + `"type":"message","message":{"role":"user","content":"where is the ` + word + ` lamp"}}`,
		head("a1", `"u1"`) + `"type":"message","message":{"role":"assistant","stopReason":"stop","content":[{"type":"text","text":"the ` + word + ` lamp is here"}]}}`,
		head("k1", `"a1"`) + `"type":"compaction","summary":"s","firstKeptEntryId":"k1","tokensBefore":1}`,
	}
	path := filepath.Join(home, ".pi", "agent", "sessions", "--"+strings.ReplaceAll(strings.Trim(cwd, "/"), "/", "-")+"--", name+".jsonl")
	testkit.WriteFile(t, path, strings.Join(append(lines, more...), "\n")+"\n")
	return path
}

// pending is a line with a tool call that waits.
func pending(id, parent, tool, args string) string {
	return `{"id":"` + id + `","parentId":"` + parent + `","timestamp":"2026-03-10T09:05:00.000Z","type":"message","message":{"role":"assistant","stopReason":"toolUse","content":[{"type":"toolCall","id":"c` + id + `","name":"` + tool + `","arguments":` + args + `}]}}`
}

// raw talks to a server line by line.
type raw struct {
	t    *testing.T
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *json.Decoder
	pipe io.Reader
	end  chan error // how the process ended
}

func (s server) raw(t *testing.T) *raw {
	t.Helper()
	cmd := s.command()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	cmd.Stderr = &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	r := &raw{t, cmd, in, json.NewDecoder(out), out, make(chan error, 1)}
	t.Cleanup(func() {
		cmd.Process.Kill()
		r.ends(0)
		if t.Failed() {
			t.Log(log.String())
		}
	})
	return r
}

func (r *raw) send(line string) {
	r.t.Helper()
	if _, err := io.WriteString(r.in, line+"\n"); err != nil {
		r.t.Fatal(err)
	}
}

// answer reads messages up to the answer with the id. Whatever is no JSON-RPC
// message fails the test.
func (r *raw) answer(id int) map[string]any {
	r.t.Helper()
	for {
		var m map[string]any
		if err := r.out.Decode(&m); err != nil {
			r.t.Fatal(err)
		}
		if m["jsonrpc"] != "2.0" {
			r.t.Fatalf("not a message: %v", m)
		}
		if m["id"] == float64(id) {
			return m
		}
	}
}

// ends waits for the process to end by itself, once; 0 for as long as it takes.
func (r *raw) ends(within time.Duration) {
	r.t.Helper()
	if r.cmd == nil {
		return
	}
	cmd := r.cmd
	go func() {
		// Wait may close the pipe only when all is read.
		io.Copy(io.Discard, io.MultiReader(r.out.Buffered(), r.pipe))
		r.end <- cmd.Wait()
	}()
	var late <-chan time.Time
	if within > 0 {
		late = time.After(within)
	}
	select {
	case err := <-r.end:
		r.cmd = nil
		if within > 0 && err != nil {
			r.t.Errorf("exit: %v", err)
		}
	case <-late:
		r.t.Errorf("still there after %s", within)
		cmd.Process.Kill()
		<-r.end
		r.cmd = nil
	}
}
