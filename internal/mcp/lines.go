package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxLine bounds a message, in bytes.
const maxLine = 16 << 20

// lines stands between the streams and the SDK, whose transport ends at the first
// line that is no message, and drops what is not answered when the input ends.
// Lines passes messages on, refuses every other line, and holds the end of the
// input back until the requests before it are answered.
type lines struct {
	io.Closer // the input
	in        *bufio.Reader
	rest      []byte // of the message that the SDK is reading
	waiting   atomic.Int64
	log       *slog.Logger

	mu  sync.Mutex // a line is written whole
	out io.WriteCloser
}

func newLines(in io.ReadCloser, out io.WriteCloser, log *slog.Logger) *lines {
	return &lines{Closer: in, in: bufio.NewReader(in), out: out, log: log}
}

// Read gives the next message.
func (l *lines) Read(p []byte) (int, error) {
	for len(l.rest) == 0 {
		line, err := l.line()
		if len(bytes.TrimSpace(line)) > 0 && l.take(line) {
			l.rest = line
		} else if err != nil {
			for end := time.Now().Add(answering); l.waiting.Load() > 0 && time.Now().Before(end); {
				time.Sleep(5 * time.Millisecond)
			}
			return 0, err
		}
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// line reads a line, of one that is too long only the beginning.
func (l *lines) line() ([]byte, error) {
	var b []byte
	for {
		part, err := l.in.ReadSlice('\n')
		if len(b) <= maxLine {
			b = append(b, part...)
		}
		if err != bufio.ErrBufferFull {
			return b, err
		}
	}
}

// take reports whether a line is a message, and refuses it when it is none.
func (l *lines) take(line []byte) bool {
	code, why := jsonrpc.CodeInvalidRequest, `not a JSON-RPC message: one object with "jsonrpc":"2.0"`
	switch {
	case len(line) > maxLine:
		why = fmt.Sprintf("a message of more than %d bytes", maxLine)
	case !json.Valid(line):
		code, why = jsonrpc.CodeParseError, "not JSON"
	default:
		msg, err := jsonrpc.DecodeMessage(line)
		if err != nil {
			break
		}
		if r, ok := msg.(*jsonrpc.Request); ok && r.IsCall() {
			l.waiting.Add(1)
		}
		return true
	}
	l.log.Warn("a line of the input is left out", "why", why)
	_ = l.write(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":%q}}`+"\n", code, why))
	return false
}

func (l *lines) write(b []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err := l.out.Write(b)
	return err
}

// answers is the output as the SDK sees it, one message each write.
type answers struct{ *lines }

func (a answers) Write(b []byte) (int, error) {
	if err := a.write(b); err != nil {
		return 0, err
	}
	if msg, err := jsonrpc.DecodeMessage(b); err == nil {
		if _, ok := msg.(*jsonrpc.Response); ok {
			a.waiting.Add(-1)
		}
	}
	return len(b), nil
}

func (a answers) Close() error { return a.out.Close() }
