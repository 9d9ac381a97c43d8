package archive

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"lookback"
	"lookback/internal/testkit"
)

func fixtures(t testing.TB) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(testkit.Root(t), "testdata", "archive", "*", "*.json"))
	if err != nil || len(list) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	return list
}

func TestFixturesRoundTrip(t *testing.T) {
	for _, path := range fixtures(t) {
		want := testkit.ReadFile(t, path)
		r, err := decode(strings.TrimSuffix(filepath.Base(path), ext), bytes.NewReader(want), false)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		older := strings.Contains(path, "file-field") || strings.Contains(path, "user-level")
		if r.Untidy() != older {
			t.Errorf("%s: untidy = %v", path, r.Untidy())
		}
		var got, plain map[string]any
		if json.Unmarshal(text(r), &got) != nil || json.Unmarshal(want, &plain) != nil {
			t.Fatalf("%s: no JSON:\n%s", path, text(r))
		}
		delete(plain, "file")
		delete(plain, "workspace")
		if !reflect.DeepEqual(got, plain) {
			t.Errorf("%s: written differently:\n%s", path, text(r))
		}
	}
}

func TestEncodeAwkwardText(t *testing.T) {
	words := "quote \" back \\ slash / tab\t nl\n cr\r \b\f \x00\x01\x1f\x7f <&> \u2028\u2029 é 漢 👨‍👩‍👧 \uFFFD"
	r := record("s", 1)
	r.Name = words
	r.Nodes[0].Text = words + "\xff\xc3("
	r.Nodes[0].From = time.Time{}
	b := text(r)
	if !json.Valid(b) || bytes.Contains(b, []byte("null")) || !bytes.Contains(b, []byte("<&>")) || !bytes.Contains(b, []byte("é 漢")) {
		t.Fatalf("bad JSON:\n%s", b)
	}
	var plain struct{ Name string }
	if err := json.Unmarshal(b, &plain); err != nil || plain.Name != words {
		t.Errorf("encoding/json reads %q, %v", plain.Name, err)
	}
	got, err := decode(r.ID, bytes.NewReader(b), false)
	if err != nil {
		t.Fatal(err)
	}
	if got.Name != words || got.Nodes[0].Text != words+"\uFFFD\uFFFD(" {
		t.Errorf("text changed: %q", got.Nodes[0].Text)
	}
	if !got.Nodes[0].From.IsZero() || !got.Nodes[0].To.Equal(r.Nodes[0].To) {
		t.Errorf("times changed: %v %v", got.Nodes[0].From, got.Nodes[0].To)
	}
}

func TestAgentIsWrittenOnlyForOthers(t *testing.T) {
	for agent, want := range map[string]bool{"pi": false, "claude": true} {
		r := record("s", 1)
		r.Session.Agent = agent
		b := text(r)
		if has := bytes.Contains(b, []byte(`"agent"`)); has != want {
			t.Errorf("%s: agent written = %v", agent, has)
		}
		got, err := decode(r.ID, bytes.NewReader(b), false)
		if err != nil || got.Session != r.Session {
			t.Errorf("%s: %v, %v", agent, got, err)
		}
		h, err := decode(r.ID, bytes.NewReader(b[:200]), true)
		if err != nil || h.Session != r.Session || h.Name != r.Name || h.Nodes != nil {
			t.Errorf("%s: head %+v, %v", agent, h, err)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	node := `{"id":"a:0:x","kind":"exchange","level":0,"entryIds":["x"],"children":[],"parents":[],"text":"t","ready":true,"completed":true}`
	rec := func(nodes string) string { return `{"id":"a","sessionId":"s","name":"n","nodes":[` + nodes + `]}` }
	edit := func(old, new string) string { return rec(strings.Replace(node, old, new, 1)) }
	if _, err := decode("a", strings.NewReader(rec(node)), false); err != nil {
		t.Fatalf("the good one: %v", err)
	}
	for name, text := range map[string]string{
		"empty":           ``,
		"zero bytes":      "\x00\x00\x00",
		"half":            rec(node)[:60],
		"tail":            rec(node) + `{}`,
		"list":            `[]`,
		"other id":        strings.Replace(rec(""), `"a"`, `"b"`, 1),
		"no session":      `{"id":"a","nodes":[]}`,
		"bad agent":       `{"id":"a","sessionId":"s","agent":"../x","nodes":[]}`,
		"unknown kind":    edit(`exchange`, `thing`),
		"wrong level":     edit(`"level":0`, `"level":1`),
		"broken level":    edit(`"level":0`, `"level":0.5`),
		"foreign node":    edit(`a:0:x`, `b:0:x`),
		"double node":     rec(node + "," + node),
		"empty entry id":  edit(`["x"]`, `[""]`),
		"text a number":   edit(`"t"`, `7`),
		"raw newline":     edit(`"t"`, "\"a\nb\""),
		"bad escape":      edit(`"t"`, `"\q"`),
		"deep":            `{"id":"a","sessionId":"s","x":` + strings.Repeat("[", 99999) + strings.Repeat("]", 99999) + `}`,
		"newer":           `{"format":2,"id":"a","sessionId":"s","nodes":[]}`,
		"trailing comma":  `{"id":"a","sessionId":"s","nodes":[],}`,
		"node is a list":  rec(`[]`),
		"too long an id":  edit(`["x"]`, `["`+strings.Repeat("x", maxKey+1)+`"]`),
		"leading zero":    edit(`"level":0`, `"level":00`),
		"level too large": edit(`"level":0`, `"level":99999999999999999999`),
	} {
		if r, err := decode("a", strings.NewReader(text), false); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
}

func TestDecodeTolerates(t *testing.T) {
	text := "{\"sessionId\":\"s\",\"x\":{\"y\":[1,-2.5e+3,true,null]},\"nodes\":[" +
		`{"kind":"exchange","id":"a:0:x","level":0,"text":"A\/\ud83d\ude80\ud800z","from":"yesterday","to":"2026-01-02T03:04:05+01:00","children":null,"parents":["a","a:1:gone"],"ready":true},` +
		`{"kind":"summary","id":"a:1:y","level":1,"text":"","ready":true,"children":["a:0:gone","a:0:x"]}` +
		"],\"ID\":\"b\",\"id\":\"a\"} \n"
	r, err := decode("a", strings.NewReader(text), false)
	if err != nil {
		t.Fatal(err)
	}
	x, y := r.Nodes[0], r.Nodes[1]
	if x.Text != "A/🚀\uFFFDz" || !x.From.IsZero() || x.To.Hour() != 2 {
		t.Errorf("exchange: %+v", x)
	}
	if y.Ready || len(y.Children) != 1 || len(x.Parents) != 0 || len(r.untidy) != 3 {
		t.Errorf("links: %+v %+v %q", x, y, r.untidy)
	}
}

func TestNewID(t *testing.T) {
	a, b := NewID(session("x")), NewID(lookback.SessionID{Agent: "claude", Native: "x"})
	if a != "94eb92f2-b4ed-5499-869a-a7aae06f4094" {
		t.Errorf("the id of a session changed: %s", a) // every archive would get second records
	}
	if a == b || !SafeID(a) || len(a) != 36 || a[14] != '5' {
		t.Errorf("%s %s", a, b)
	}
}

func TestSafeID(t *testing.T) {
	for _, id := range []string{"a", "4738b5ad-8dba-44bb-855d-da327b8ed18f", "A_b.c-1", "console", "com", "com10", strings.Repeat("x", 128)} {
		if !SafeID(id) {
			t.Errorf("%q is refused", id)
		}
	}
	for _, id := range []string{"", ".", "..", "../x", "a/b", `a\b`, ".hidden", "dot.", "a:b", "a b", "é", "a\x00", "CON", "con", "nul.x", "Com1", "LPT9.json", strings.Repeat("x", 300)} {
		if SafeID(id) {
			t.Errorf("%q is taken", id)
		}
	}
}

func FuzzLoad(f *testing.F) {
	for _, path := range fixtures(f) {
		b, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte(`{"id":"a","sessionId":"s","nodes":[{"kind":"session","id":"a","level":-1,"text":"\ud800\u0000"}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		var head struct{ ID string }
		json.Unmarshal(b, &head)
		decode(head.ID, bytes.NewReader(b), true)
		r, err := decode(head.ID, bytes.NewReader(b), false)
		if err != nil {
			if !errors.Is(err, ErrDamaged) {
				t.Fatalf("error of another kind: %v", err)
			}
			return
		}
		if !json.Valid(b) {
			t.Fatal("took what is no JSON")
		}
		out := text(r)
		again, err := decode(r.ID, bytes.NewReader(out), false)
		if err != nil || !json.Valid(out) {
			t.Fatalf("cannot read what was written: %v", err)
		}
		if !same(r, again) {
			t.Fatalf("changed:\n%+v\n%+v", r, again)
		}
		for i := range r.Nodes {
			Parts(&r.Nodes[i])
		}
	})
}
