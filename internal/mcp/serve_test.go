package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"lookback/internal/tool"
)

const oneID = "00000000-0000-4000-8000-00000000ab01"

func TestToolList(t *testing.T) {
	s := server{home: t.TempDir(), dir: "/srv/x"}.connect(t, nil)
	list, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, x := range list.Tools {
		names = append(names, x.Name)
		a := x.Annotations
		if a == nil || a.DestructiveHint == nil || a.OpenWorldHint == nil || !a.ReadOnlyHint || *a.OpenWorldHint || *a.DestructiveHint {
			t.Errorf("%s: annotations %+v", x.Name, a)
		}
	}
	if want := []string{tool.Read, tool.Search, tool.Pbot}; !slices.Equal(names, want) {
		t.Errorf("tools %v, want %v", names, want)
	}
	b, _ := json.Marshal(list)
	if len(b) > 12_000 {
		t.Errorf("the list has %d bytes", len(b))
	}
	t.Logf("the list has %d bytes", len(b))
	with := server{home: t.TempDir(), mode: "handoff", dir: "/srv/x"}.connect(t, nil)
	list, err = with.ListTools(t.Context(), nil)
	if err != nil || len(list.Tools) != 4 || list.Tools[0].Name != tool.Handoff || list.Tools[0].Annotations.ReadOnlyHint {
		t.Errorf("%v %+v", err, list)
	}
}

// TestResults holds structured results to the schemas that the list shows.
func TestResults(t *testing.T) {
	home := t.TempDir()
	path := put(t, home, "one", oneID, "/srv/x", "blue")
	s := server{home: home, file: path, dir: "/srv/x"}.connect(t, nil)
	list, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	schemas := map[string]*jsonschema.Resolved{}
	for _, x := range list.Tools {
		b, _ := json.Marshal(x.OutputSchema)
		var schema jsonschema.Schema
		if err := json.Unmarshal(b, &schema); err != nil {
			t.Fatal(err)
		}
		if schemas[x.Name], err = schema.Resolve(nil); err != nil {
			t.Fatal(err)
		}
	}
	for _, x := range []struct {
		name, args string
		wrong      string
	}{
		{tool.Search, `{"query":"blue"}`, ""}, {tool.Search, `{"query":"blue zebra"}`, ""}, {tool.Search, `{"query":"***"}`, ""},
		{tool.Read, `{"mode":"tail"}`, ""}, {tool.Read, `{"mode":"items","entries":[1,77],"around":2}`, ""}, {tool.Read, `{"mode":"range","from":1,"limit":1}`, ""},
		{tool.Pbot, `{"action":"search"}`, ""}, {tool.Pbot, `{"action":"search","query":"lamp","limit":1}`, ""}, {tool.Pbot, `{"action":"search","query":"blue zebra","match":"terms"}`, ""},
		{tool.Pbot, `{"action":"read","id":"pi:` + oneID + `"}`, ""}, {tool.Pbot, `{"action":"read","id":"pi:` + oneID + `@0:a1"}`, ""},
		{tool.Search, `{"query":"x","limit":"5"}`, `"limit"`}, {tool.Read, `{"mode":"tail","count":0}`, `"count"`}, {tool.Search, `{}`, `"query"`},
		{tool.Pbot, `{"action":"read","id":"zz"}`, "search again"}, {tool.Search, `{"query":"x","limti":1}`, "limti"},
	} {
		r := call(t, s, x.name, json.RawMessage(x.args))
		if x.wrong != "" {
			if !r.IsError || !strings.Contains(textOf(r), x.wrong) {
				t.Errorf("%s %s: %t %s", x.name, x.args, r.IsError, textOf(r))
			}
			continue
		}
		if r.IsError || !strings.Contains(textOf(r), "Quoted earlier conversation") {
			t.Errorf("%s %s: %s", x.name, x.args, textOf(r))
		}
		if err := schemas[x.name].Validate(r.StructuredContent); err != nil {
			t.Errorf("%s %s: the result does not match its schema: %v", x.name, x.args, err)
		}
	}
}

func TestResources(t *testing.T) {
	home := t.TempDir()
	put(t, home, "one", oneID, "/srv/x", "blue")
	put(t, home, "two", "00000000-0000-4000-8000-00000000ab02", "/srv/y", "red")
	s := server{home: home, dir: "/srv/x"}.connect(t, nil)
	list, err := s.ListResourceTemplates(t.Context(), nil)
	if err != nil || len(list.ResourceTemplates) != 1 {
		t.Fatal(err, list)
	}
	r := call(t, s, tool.Pbot, map[string]any{"action": "search", "query": "lamp"})
	links := 0
	for _, c := range r.Content {
		link, ok := c.(*sdk.ResourceLink)
		if !ok {
			continue
		}
		links++
		got, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: link.URI})
		if err != nil || !strings.Contains(got.Contents[0].Text, "blue lamp") {
			t.Errorf("%s: %v %+v", link.URI, err, got)
		}
	}
	if links != 1 {
		t.Errorf("%d links", links)
	}
	for _, ref := range []string{"pi:" + oneID, "pi:" + oneID + "#1", "pi:" + oneID + "#2"} {
		if _, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "lookback://" + ref}); err != nil {
			t.Errorf("%s: %v", ref, err)
		}
	}
	var answers []string
	for _, ref := range []string{"pi:00000000-0000-4000-8000-00000000ab02", "pi:00000000-0000-4000-8000-00000000ab03", "pi:..%2F..", "x"} {
		_, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "lookback://" + ref})
		if err == nil {
			t.Errorf("%s is read", ref)
			continue
		}
		answers = append(answers, strings.ReplaceAll(err.Error(), ref, ""))
	}
	if len(slices.Compact(answers)) != 1 {
		t.Errorf("answers differ: %v", answers)
	}
}

// TestVersions speaks every protocol version that clients may bring.
func TestVersions(t *testing.T) {
	home := t.TempDir()
	path := put(t, home, "one", oneID, "/srv/x", "blue")
	for _, v := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "1999-01-01"} {
		r := server{home: home, file: path, dir: "/srv/x"}.raw(t)
		r.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"` + v + `","capabilities":{},"clientInfo":{"name":"pi","version":"1.6.0"}}}`)
		got := r.answer(1)["result"].(map[string]any)["protocolVersion"]
		if v != "1999-01-01" && got != v {
			t.Errorf("%s: answered in %v", v, got)
		}
		r.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		r.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"history_search","arguments":{"query":"blue"}}}`)
		if b, _ := json.Marshal(r.answer(2)); !strings.Contains(string(b), "blue lamp") {
			t.Errorf("%s: %s", v, b)
		}
		r.in.Close()
		r.ends(2 * time.Second)
	}
	// The newest version knows no handshake: who calls stands in each request.
	r := server{home: home, file: path, dir: "/srv/x"}.raw(t)
	r.send(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"history_search","arguments":{"query":"blue"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"pi","version":"2"},"io.modelcontextprotocol/clientCapabilities":{}}}}`)
	if b, _ := json.Marshal(r.answer(3)); !strings.Contains(string(b), "blue lamp") {
		t.Errorf("2026-07-28: %s", b)
	}
}

// TestStdoutCarriesOnlyTheProtocol has a broken file, a log of everything, a fault
// of our own, and nonsense as input.
func TestStdoutCarriesOnlyTheProtocol(t *testing.T) {
	home := t.TempDir()
	put(t, home, "one", oneID, "/srv/x", "blue", "this is no JSON", `{"type":"message"`)
	path := put(t, home, "panic", "00000000-0000-4000-8000-00000000ab05", "/srv/y", "red")
	r := server{home: home, mode: "faulty", file: path, dir: "/srv/x"}.raw(t)
	r.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`)
	r.answer(1)
	r.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	r.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"history_read","arguments":{"mode":"tail"}}}`)
	if b, _ := json.Marshal(r.answer(2)); !strings.Contains(string(b), "fault of its own") || !strings.Contains(string(b), `"isError":true`) {
		t.Errorf("%s", b)
	}
	for i := range 30 {
		r.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"pbot_history","arguments":{"action":"search","query":"blue"}}}`, 10+i))
	}
	seen := 0
	for range 30 {
		var m map[string]any
		if err := r.out.Decode(&m); err != nil {
			t.Fatal(err)
		}
		if m["jsonrpc"] == "2.0" && m["result"] != nil {
			seen++
		}
	}
	if seen != 30 {
		t.Errorf("%d answers", seen)
	}
	r.send(`{"jsonrpc":"2.0","id":90,"method":"tools/call","params":{"name":"no_such_tool","arguments":{}}}`)
	if r.answer(90)["error"] == nil {
		t.Error("an unknown tool is no error")
	}
}

func TestCancelAndProgress(t *testing.T) {
	home := t.TempDir()
	path := put(t, home, "hang", "00000000-0000-4000-8000-00000000ab06", "/srv/y", "red")
	put(t, home, "one", oneID, "/srv/x", "blue")
	told := make(chan float64, 10)
	s := server{home: home, mode: "faulty", file: path, dir: "/srv/x"}.connect(t, &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) { told <- r.Params.Progress },
	})
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	began := time.Now()
	if _, err := s.CallTool(ctx, &sdk.CallToolParams{Name: tool.Read, Arguments: map[string]any{"mode": "tail"}}); err == nil || time.Since(began) > 3*time.Second {
		t.Errorf("%v after %s", err, time.Since(began))
	}
	p := &sdk.CallToolParams{Name: tool.Pbot, Arguments: map[string]any{"action": "search", "query": "blue"}}
	p.SetProgressToken("token")
	if r, err := s.CallTool(t.Context(), p); err != nil || r.IsError {
		t.Fatal(err, r)
	}
	last := -1.0
	for range 2 {
		select {
		case got := <-told:
			if got <= last {
				t.Errorf("progress went from %v to %v", last, got)
			}
			last = got
		case <-time.After(2 * time.Second):
			t.Fatal("no progress")
		}
	}
}

// TestClientGoesAway closes the input, in quiet and in the middle of a call, and
// kills the client.
func TestClientGoesAway(t *testing.T) {
	home := t.TempDir()
	hang := put(t, home, "hang", "00000000-0000-4000-8000-00000000ab07", "/srv/x", "red")
	for i := range 6 {
		r := server{home: home, mode: "faulty", file: hang, dir: "/srv/x"}.raw(t)
		r.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`)
		r.answer(1)
		switch i % 3 {
		case 1:
			r.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"history_read","arguments":{"mode":"tail"}}}`)
		case 2:
			r.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"pbot_history","arguments":{"action":"search"}}}`)
		}
		time.Sleep(time.Duration(i) * 30 * time.Millisecond)
		r.in.Close()
		r.ends(2 * time.Second)
	}
}

// TestBadLines sends what is no message and goes on.
func TestBadLines(t *testing.T) {
	r := server{home: t.TempDir(), dir: "/srv/x"}.raw(t)
	for line, code := range map[string]float64{
		"garbage": -32700, `{"jsonrpc":"2.0"`: -32700, "{} {}": -32700, "{}": -32600, "[]": -32600, "null": -32600, "1": -32600,
		`{"jsonrpc":"1.0","id":1,"method":"ping"}`: -32600, `{"jsonrpc":"2.0","id":{},"method":"ping"}`: -32600,
		`{"jsonrpc":"2.0","id":1,"method":2}`: -32600, strings.Repeat("x", 17<<20): -32600,
	} {
		r.send(line)
		var m struct{ Error struct{ Code float64 } }
		if err := r.out.Decode(&m); err != nil || m.Error.Code != code {
			t.Fatalf("%.40s: %v %+v", line, err, m)
		}
	}
	r.send("\n\r")
	r.send(`{"jsonrpc":"2.0","id":9}`)
	r.send(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	r.answer(2)
	r.in.Close()
	r.ends(2 * time.Second)
}

// TestAnswersAfterTheEnd closes the input right behind its requests.
func TestAnswersAfterTheEnd(t *testing.T) {
	home := t.TempDir()
	put(t, home, "one", oneID, "/srv/x", "blue")
	r := server{home: home, dir: "/srv/x"}.raw(t)
	r.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"pbot_history","arguments":{"action":"search","query":"blue"}}}`)
	r.in.Close()
	r.answer(1)
	if b, _ := json.Marshal(r.answer(2)); !strings.Contains(string(b), "blue lamp") {
		t.Errorf("%s", b)
	}
	r.ends(2 * time.Second)
}

// TestWhoIsCalling has two sessions of one directory. The other one wrote last.
func TestWhoIsCalling(t *testing.T) {
	home := t.TempDir()
	search := "mcp__lookback__history_search"
	script := func(id, code string) string { return pending(id, "k1", "codemode", `{"code":`+code+`}`) }
	put(t, home, "one", oneID, "/srv/x", "blue", pending("p1", "k1", search, `{"query":"lamp","limit":3}`))
	put(t, home, "two", "00000000-0000-4000-8000-00000000ac02", "/srv/x", "red", pending("p2", "k1", search, `{"query":"lamp","limit":4}`))
	put(t, home, "three", "00000000-0000-4000-8000-00000000ac03", "/srv/x", "green", script("p3", `"await tools.mcp__lookback__history_search({ query: 'lamp', limit: 5 })"`))
	put(t, home, "four", "00000000-0000-4000-8000-00000000ac04", "/srv/x", "black", pending("p4", "k1", "tool_call", `{"name":"mcp__lookback__history_search","arguments":{"query":"lamp","limit":6}}`))
	put(t, home, "done", "00000000-0000-4000-8000-00000000ac05", "/srv/x", "white", pending("p5", "k1", search, `{"query":"lamp","limit":7}`),
		`{"id":"r5","parentId":"p5","timestamp":"2026-03-10T09:06:00.000Z","type":"message","message":{"role":"toolResult","toolCallId":"cp5","toolName":"x","content":[]}}`)
	put(t, home, "over", "00000000-0000-4000-8000-00000000ac06", "/srv/x", "brown", pending("p6", "k1", search, `{"query":"lamp","limit":8}`),
		`{"id":"a6","parentId":"p6","timestamp":"2026-03-10T09:06:00.000Z","type":"message","message":{"role":"user","content":"never mind"}}`)
	for i, id := range []string{"7", "8"} {
		put(t, home, "same"+id, "00000000-0000-4000-8000-00000000ac0"+id, "/srv/x", "grey", pending("p"+itoa(i), "k1", search, `{"query":"lamp","limit":9}`))
	}
	put(t, home, "elsewhere", "00000000-0000-4000-8000-00000000ac09", "/srv/x/below", "pink", pending("p9", "k1", search, `{"query":"lamp","limit":10}`))
	s := server{home: home, dir: "/srv/x"}.connect(t, nil)
	for limit, word := range map[int]string{3: "blue", 4: "red", 5: "green", 6: "black"} {
		r := call(t, s, tool.Search, map[string]any{"query": "lamp", "limit": limit})
		if text := textOf(r); r.IsError || !strings.Contains(text, word) || strings.Count(text, "lamp") != 2 {
			t.Errorf("limit %d, want %s: %s", limit, word, text)
		}
	}
	for _, limit := range []int{7, 8, 9, 10, 11} {
		r := call(t, s, tool.Search, map[string]any{"query": "lamp", "limit": limit})
		if text := textOf(r); !r.IsError || !strings.Contains(text, "--session") || strings.Contains(text, "lamp is") {
			t.Errorf("limit %d is not refused: %s", limit, text)
		}
	}
}
