package pi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// pendingWindow is how far back from its end a file is searched for calls that
// wait. Only the results of calls of the same batch can follow one.
const pendingWindow = 16 << 20

// Pending hands each the tool calls that wait for a result in the session file at
// path: calls of the last assistant entry, if nothing was said after it, that no
// result names. Pi writes the entry before it runs the calls. The session's id and
// working directory and the entry's id come with each call. It reads the header
// and the end of the file only.
func (s *Source) Pending(path string, each func(session, cwd, entry, tool string, args []byte)) error {
	f, st, err := openFile(path)
	if err != nil {
		return err
	}
	defer f.Close()
	head, err := firstLine(f, st.Size)
	if err != nil {
		return fmt.Errorf("pi: %w", err)
	}
	var session struct{ Type, ID, Cwd string }
	if json.Unmarshal(head, &session) != nil || session.Type != "session" || session.ID == "" {
		return nil
	}
	from := max(0, st.Size-pendingWindow)
	b := make([]byte, st.Size-from)
	n, err := f.ReadAt(b, from)
	if err != nil && err != io.EOF {
		return fmt.Errorf("pi: %w", err)
	}
	for _, c := range waiting(b[:n]) {
		each(session.ID, session.Cwd, c.entry, c.tool, c.args)
	}
	return nil
}

// firstLine reads the first line that is not blank, as far as 64 KiB hold it.
func firstLine(f io.ReaderAt, size int64) ([]byte, error) {
	b := make([]byte, min(size, 64<<10))
	n, err := f.ReadAt(b, 0)
	if err != nil && err != io.EOF {
		return nil, err
	}
	line, _, _ := bytes.Cut(bytes.TrimLeft(bytes.TrimPrefix(b[:n], []byte("\uFEFF")), "\r\n \t"), []byte{'\n'})
	return line, nil
}

// waitingCall is a call without a result.
type waitingCall struct {
	entry, tool string
	args        []byte
}

// tailRecord is what matters of a record near the end.
type tailRecord struct {
	ID      string
	Message struct {
		Role       string
		ToolCallID string
		Content    json.RawMessage
	}
}

// waiting reads the end of a file backwards, line by line, to the last words of a
// user or assistant. Only the calls of an assistant's can wait: a steering message
// may come while they run, but Pi writes it when they are done.
func waiting(b []byte) []waitingCall {
	answered := map[string]bool{} // call ids that have a result
	for lines := 0; len(b) > 0 && lines < maxTail; lines++ {
		i := bytes.LastIndexByte(bytes.TrimRight(b, "\r\n"), '\n')
		line := b[i+1:]
		b = b[:i+1]
		var r tailRecord
		if json.Unmarshal(line, &r) != nil || r.ID == "" {
			continue
		}
		switch r.Message.Role {
		case "toolResult":
			answered[r.Message.ToolCallID] = true
		case "assistant":
			return callsOf(&r, answered)
		case "user":
			return nil
		}
	}
	return nil
}

// maxTail bounds the lines that are looked at.
const maxTail = 400

// callsOf lists the calls of an assistant entry that have no result.
func callsOf(r *tailRecord, answered map[string]bool) (out []waitingCall) {
	var blocks []struct {
		Type, ID, Name string
		Arguments      json.RawMessage
	}
	if json.Unmarshal(r.Message.Content, &blocks) != nil {
		return nil
	}
	for _, b := range blocks {
		if b.Type == "toolCall" && !answered[b.ID] {
			out = append(out, waitingCall{r.ID, b.Name, b.Arguments})
		}
	}
	return out
}
