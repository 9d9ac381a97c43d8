package tool_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"lookback/internal/tool"
)

// TestWrongArguments gives every argument wrong. The error names it and the fix.
func TestWrongArguments(t *testing.T) {
	w := newWorld(t)
	path := w.put("s", "/srv/x", session("00000000-0000-4000-8000-00000000bb01", "/srv/x", append(chat(3, "lamp"), compaction("k", "k"))...))
	c := tool.Caller{File: path, Workspace: "/srv/x"}
	long := strings.Repeat("é", 501)
	for _, x := range []struct {
		tool, args string
		words      []string
	}{
		{tool.Search, `{"query":"x","limit":"5"}`, []string{`"limit"`, "string", "without quotes"}},
		{tool.Search, `{"query":"x","limit":0}`, []string{`"limit"`, "0", "1 to 20"}},
		{tool.Search, `{"query":"x","limit":-1}`, []string{`"limit"`, "-1", "1 to 20"}},
		{tool.Search, `{"query":"x","limit":21}`, []string{`"limit"`, "1 to 20"}},
		{tool.Search, `{"query":"x","limit":1e9}`, []string{`"limit"`, "1 to 20"}},
		{tool.Search, `{"query":"x","limit":1e999}`, []string{`"limit"`, "1 to 20"}},
		{tool.Search, `{"query":"x","limit":null}`, []string{`"limit"`, "leave it out"}},
		{tool.Search, `{"query":"x","limit":[5]}`, []string{`"limit"`, "list"}},
		{tool.Search, `{"query":"x","limit":{}}`, []string{`"limit"`, "object"}},
		{tool.Search, `{"query":"x","limit":true}`, []string{`"limit"`, "boolean"}},
		{tool.Search, `{"query":"x","before":1.5}`, []string{`"before"`, "1.5", "whole number"}},
		{tool.Search, `{"query":"x","before":0}`, []string{`"before"`, "at least 1"}},
		{tool.Search, `{"query":"x","before":999}`, []string{`"before"`, "999", "no entry"}},
		{tool.Search, `{"query":["x"]}`, []string{`"query"`, "list"}},
		{tool.Search, `{"query":5}`, []string{`"query"`, "number"}},
		{tool.Search, `{"query":""}`, []string{`"query"`, "1 to 500"}},
		{tool.Search, `{"query":" \t"}`, []string{`"query"`, "blank"}},
		{tool.Search, `{"query":"` + long + `"}`, []string{`"query"`, "501", "500"}},
		{tool.Search, `{}`, []string{`"query"`, "missing"}},
		{tool.Search, ``, []string{`"query"`, "missing"}},
		{tool.Search, `[]`, []string{"one JSON object"}},
		{tool.Search, `{"query":"x"`, []string{"one JSON object"}},
		{tool.Search, `{"query":"x","limti":3}`, []string{`"limti"`, `"limit"`}},
		{tool.Search, `{"query":"x","sessionId":"y"}`, []string{`"sessionId"`, `takes "before", "limit", "query"`}},
		{tool.Search, `{"query":"x","</history>":1}`, []string{"‹/history>"}},
		{tool.Read, `{}`, []string{`"mode"`, "missing"}},
		{tool.Read, `{"mode":"all"}`, []string{`"mode"`, `"all"`, `"items" or "range" or "tail"`}},
		{tool.Read, `{"mode":3}`, []string{`"mode"`, "number"}},
		{tool.Read, `{"mode":"items"}`, []string{`"entries"`, "missing"}},
		{tool.Read, `{"mode":"items","entries":[]}`, []string{`"entries"`, "1 to 20"}},
		{tool.Read, `{"mode":"items","entries":5}`, []string{`"entries"`, "[5]"}},
		{tool.Read, `{"mode":"items","entries":["5"]}`, []string{`"entries"`, "string"}},
		{tool.Read, `{"mode":"items","entries":[1.5]}`, []string{`"entries"`, "1.5"}},
		{tool.Read, `{"mode":"items","entries":[0]}`, []string{`"entries"`, "0"}},
		{tool.Read, `{"mode":"items","entries":null}`, []string{`"entries"`, "null"}},
		{tool.Read, `{"mode":"items","entries":[999]}`, []string{`"entries"`, "999"}},
		{tool.Read, `{"mode":"items","entries":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21]}`, []string{`"entries"`, "21", "1 to 20"}},
		{tool.Read, `{"mode":"items","entries":[1],"around":6}`, []string{`"around"`, "0 to 5"}},
		{tool.Read, `{"mode":"items","entries":[1],"around":-1}`, []string{`"around"`, "0 to 5"}},
		{tool.Read, `{"mode":"items","entries":[1],"count":3}`, []string{`"count"`, "items"}},
		{tool.Read, `{"mode":"range"}`, []string{`"from"`, "missing"}},
		{tool.Read, `{"mode":"range","from":999}`, []string{`"from"`, "999"}},
		{tool.Read, `{"mode":"range","from":1,"to":999}`, []string{`"to"`, "999"}},
		{tool.Read, `{"mode":"range","from":3,"to":2}`, []string{`"from"`, `"to"`, "swap"}},
		{tool.Read, `{"mode":"range","from":1,"limit":51}`, []string{`"limit"`, "1 to 50"}},
		{tool.Read, `{"mode":"range","cursor":""}`, []string{`"cursor"`, "1 to 200"}},
		{tool.Read, `{"mode":"range","cursor":"forged"}`, []string{`"cursor"`, "begin again"}},
		{tool.Read, `{"mode":"tail","count":0}`, []string{`"count"`, "1 to 20"}},
		{tool.Read, `{"mode":"tail","count":21}`, []string{`"count"`, "1 to 20"}},
		{tool.Handoff, `{}`, []string{`"text"`, "missing"}},
		{tool.Handoff, `{"text":""}`, []string{`"text"`}},
		{tool.Handoff, `{"text":" "}`, []string{`"text"`, "blank"}},
		{tool.Pbot, `{}`, []string{`"action"`, "missing"}},
		{tool.Pbot, `{"action":"find"}`, []string{`"action"`, `"search" or "read"`}},
		{tool.Pbot, `{"action":"search","limit":51}`, []string{`"limit"`, "1 to 50"}},
		{tool.Pbot, `{"action":"search","match":"regex"}`, []string{`"match"`, `"text" or "terms"`}},
		{tool.Pbot, `{"action":"search","offset":-1}`, []string{`"offset"`, "at least 0"}},
		{tool.Pbot, `{"action":"search","from":"soon"}`, []string{`"from"`, "soon", "ISO"}},
		{tool.Pbot, `{"action":"search","from":"2026-13-45"}`, []string{`"from"`, "2026-13-45"}},
		{tool.Pbot, `{"action":"search","to":"7d"}`, []string{`"to"`, "7d"}},
		{tool.Pbot, `{"action":"search","from":"2026-04-01","to":"2026-03-01"}`, []string{"2026-04-01", "2026-03-01"}},
		{tool.Pbot, `{"action":"search","tz":"Mars/Base"}`, []string{`"tz"`, "Mars/Base"}},
		{tool.Pbot, `{"action":"search","tz":""}`, []string{`"tz"`}},
		{tool.Pbot, `{"action":"search","tz":"../../etc/passwd"}`, []string{`"tz"`}},
		{tool.Pbot, `{"action":"search","cursor":"forged"}`, []string{`"cursor"`}},
		{tool.Pbot, `{"action":"read"}`, []string{`"id"`, "missing"}},
		{tool.Pbot, `{"action":"read","id":"nope"}`, []string{`"id"`, "search again"}},
		{tool.Pbot, `{"action":"read","id":"x","limit":24001}`, []string{`"limit"`, "1 to 24000"}},
		{tool.Pbot, `{"action":"read","id":"x","childrenOffset":-1}`, []string{`"childrenOffset"`}},
		{"history_delete", `{}`, []string{"history_delete", "history_search"}},
	} {
		w.bad(c, x.tool, x.args, x.words...)
	}
	// What belongs to the other action is passed over, whatever it is.
	var found tool.Found
	w.good(c, tool.Pbot, `{"action":"search","query":"lamp","id":5,"childrenOffset":"x"}`, &found)
	// Numbers that are whole are whole numbers, however they are written.
	var r tool.ReadResult
	w.good(c, tool.Read, `{"mode":"tail","count":2.0}`, &r)
	if len(r.Entries) != 2 {
		t.Errorf("%+v", r)
	}
}

func TestHandoffText(t *testing.T) {
	w := newWorld(t)
	for n, ok := range map[int]bool{1: true, 99_999: true, 100_000: true, 100_001: false} {
		args := map[string]any{"text": strings.Repeat("🚀", n)}
		if !ok {
			w.bad(tool.Caller{}, tool.Handoff, args, `"text"`, "100001", "100000")
			continue
		}
		var r tool.HandoffResult
		w.good(tool.Caller{}, tool.Handoff, args, &r)
		if !r.Accepted || r.Characters != n {
			t.Errorf("%d: %+v", n, r)
		}
	}
}

// TestSchemas holds the list of tools to what strict clients accept.
func TestSchemas(t *testing.T) {
	total := 0
	for _, s := range tool.Specs() {
		if n := len(strings.Fields(s.Description)); n > 120 {
			t.Errorf("%s: the description has %d words", s.Name, n)
		}
		var in struct {
			Type                 string
			AdditionalProperties *bool
			Properties           map[string]map[string]any
			Required             []string
		}
		if err := json.Unmarshal(s.Input, &in); err != nil {
			t.Fatal(err)
		}
		if in.Type != "object" || in.AdditionalProperties == nil || *in.AdditionalProperties {
			t.Errorf("%s: the input schema is not strict: %s", s.Name, s.Input)
		}
		for _, schema := range []json.RawMessage{s.Input, s.Output} {
			for _, word := range []string{"oneOf", "anyOf", "allOf", "$ref"} {
				if strings.Contains(string(schema), word) {
					t.Errorf("%s: the schema uses %s", s.Name, word)
				}
			}
			b, _ := json.Marshal(schema)
			total += len(b)
		}
		var out struct{ Type string }
		if json.Unmarshal(s.Output, &out); out.Type != "object" {
			t.Errorf("%s: the output schema has type %q", s.Name, out.Type)
		}
		for name, p := range in.Properties {
			if p["type"] == "integer" && (p["minimum"] == nil || p["maximum"] == nil) {
				t.Errorf("%s: %s has no limits", s.Name, name)
			}
			if d, _ := p["description"].(string); d == "" {
				t.Errorf("%s: %s has no description", s.Name, name)
			}
			if strings.Contains(strings.ToLower(name), "session") && s.Name != tool.Pbot {
				t.Errorf("%s takes %s", s.Name, name)
			}
		}
		total += len(s.Description) + len(s.Name) + len(s.Title) + 200
	}
	if total > 12_000 {
		t.Errorf("the list has about %d bytes", total)
	}
	if n := len(strings.Fields(tool.PromptSection)); n > 60 {
		t.Errorf("the prompt section has %d words", n)
	}
	if !slices.IsSorted(tool.Names()) {
		t.Error("the tools are not sorted")
	}
	t.Logf("about %d bytes", total)
}
