package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
)

// log writes a session as Pi does, in the shapes that the rows need.
type log struct {
	w    *bufio.Writer
	last string // id of the entry written last, "" for none
	n    int
	size int64
	err  error
}

type object = map[string]any

func newLog(w io.Writer, id string) *log {
	l := &log{w: bufio.NewWriterSize(w, 1<<20)}
	l.line(object{"type": "session", "version": 3, "id": id, "timestamp": stamp(0), "cwd": "/srv/demo/bench"})
	return l
}

func stamp(n int) string {
	return time.Date(2026, 3, 10, 0, 0, 0, 0, time.UTC).Add(time.Duration(n) * time.Millisecond).Format("2006-01-02T15:04:05.000Z")
}

func (l *log) line(o object) {
	data, err := json.Marshal(o)
	if err == nil {
		var n int
		n, err = l.w.Write(append(data, '\n'))
		l.size += int64(n)
	}
	if l.err == nil {
		l.err = err
	}
}

func (l *log) message(m object) string {
	l.n++
	id := fmt.Sprintf("%08x", l.n)
	m["timestamp"] = 1773100800000 + l.n
	o := object{"type": "message", "id": id, "parentId": nil, "timestamp": stamp(l.n), "message": m}
	if l.last != "" {
		o["parentId"] = l.last
	}
	l.line(o)
	l.last = id
	return id
}

func (l *log) user(text string) string { return l.message(object{"role": "user", "content": text}) }

var usage = object{"input": 1, "output": 1, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 2,
	"cost": object{"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0}}

func (l *log) assistant(stop string, content ...object) string {
	return l.message(object{"role": "assistant", "content": content, "api": "demo", "provider": "demo", "model": "demo-1", "usage": usage, "stopReason": stop})
}

func (l *log) answer(text string) string {
	return l.assistant("stop", object{"type": "text", "text": text})
}

// exchange writes a question, steps with a tool's result of so many bytes each,
// and the answer.
func (l *log) exchange(question, answer string, steps, bytes int) {
	l.user(question)
	for i := range steps {
		call := fmt.Sprintf("call_%d_%d", l.n, i)
		l.assistant("toolUse", object{"type": "text", "text": "Let me look at that."},
			object{"type": "toolCall", "id": call, "name": "bash", "arguments": object{"command": "go test ./..."}})
		l.message(object{"role": "toolResult", "toolCallId": call, "toolName": "bash", "isError": false,
			"content": []object{{"type": "text", "text": strings.Repeat("\tif err != nil {\n\t\treturn fmt.Errorf(\"read: %w\", err)\n\t}\n", bytes/56)}}})
	}
	l.answer(answer)
}

func (l *log) flush() error {
	if err := l.w.Flush(); l.err == nil {
		l.err = err
	}
	return l.err
}

// The large sessions of the specification's rows.

// chain is one branch of so many entries.
func (l *log) chain(entries int) {
	for i := 0; i < entries; i += 2 {
		l.user(fmt.Sprintf("Question %d", i))
		l.answer(fmt.Sprintf("Answer %d", i))
	}
}

// fan is a beginning of so many exchanges, shared by so many branches of one
// exchange each.
func (l *log) fan(shared, tips int) {
	l.chain(2 * shared)
	root := l.last
	for i := range tips {
		l.last = root
		l.user(fmt.Sprintf("Tip question %d", i))
		l.answer(fmt.Sprintf("Tip answer %d", i))
	}
}

// words is a branch of so many entries of words alone, until size is reached.
func (l *log) words(size int64, entries int) {
	pad := strings.Repeat(" lorem", max(1, int(size/int64(entries)-330)/6))
	for i := 0; i < entries; i += 2 {
		l.user(fmt.Sprintf("Question %d%s", i, pad))
		l.answer(fmt.Sprintf("Answer %d%s", i, pad))
	}
}

// work is a branch as agents write them, most of it tool results, until size is
// reached.
func (l *log) work(size int64) {
	for i := 0; l.size < size; i++ {
		l.exchange(fmt.Sprintf("Question %d: why does the test of the parser fail on the second line?", i),
			fmt.Sprintf("Answer %d: the reader stops at the carriage return. I changed it to skip that. ", i)+strings.Repeat("All tests pass now. ", 10), 4, 6000)
	}
}
