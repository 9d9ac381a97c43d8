package pi

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const pendingHead = `{"type":"session","version":3,"id":"S","cwd":"/srv/x"}` + "\n" + `{"type":"message","id":"u1","parentId":null,"message":{"role":"user","content":"go"}}` + "\n"

func callLine(id, parent string, calls ...string) string {
	var blocks []string
	for _, c := range calls {
		blocks = append(blocks, `{"type":"toolCall","id":"`+c+`","name":"T","arguments":{"q":"`+c+`"}}`)
	}
	return `{"type":"message","id":"` + id + `","parentId":"` + parent + `","message":{"role":"assistant","content":[` + strings.Join(blocks, ",") + `]}}` + "\n"
}

func resultLine(id, parent, call string) string {
	return `{"type":"message","id":"` + id + `","parentId":"` + parent + `","message":{"role":"toolResult","toolCallId":"` + call + `","content":[]}}` + "\n"
}

func TestPending(t *testing.T) {
	said := `{"type":"message","id":"a9","parentId":"a1","message":{"role":"assistant","content":[]}}` + "\n"
	for name, x := range map[string]struct{ tail, want string }{
		"one":             {callLine("a1", "u1", "c1"), `a1 T {"q":"c1"}`},
		"no line end":     {strings.TrimSuffix(callLine("a1", "u1", "c1"), "\n"), `a1 T {"q":"c1"}`},
		"two, one done":   {callLine("a1", "u1", "c1", "c2") + resultLine("r1", "a1", "c1"), `a1 T {"q":"c2"}`},
		"all done":        {callLine("a1", "u1", "c1") + resultLine("r1", "a1", "c1"), ""},
		"left behind":     {callLine("a1", "u1", "c1") + said, ""},
		"other branch":    {callLine("a1", "u1", "c1") + callLine("a2", "u1", "c2"), `a2 T {"q":"c2"}`}, // the other one was left behind
		"label after":     {callLine("a1", "u1", "c1") + `{"type":"label","id":"l1","parentId":"a1","targetId":"u1","label":"x"}` + "\n", `a1 T {"q":"c1"}`},
		"followed":        {callLine("a1", "u1", "c1") + `{"type":"message","id":"u2","parentId":"a1","message":{"role":"user","content":"no"}}` + "\n", ""},
		"damaged between": {callLine("a1", "u1", "c1") + "nonsense\n\n{\n", `a1 T {"q":"c1"}`},
		"nothing":         {"", ""},
	} {
		path := filepath.Join(t.TempDir(), "s.jsonl")
		if err := os.WriteFile(path, []byte(pendingHead+x.tail), 0o600); err != nil {
			t.Fatal(err)
		}
		var got []string
		err := New(Dirs{}).Pending(path, func(session, cwd, entry, tool string, args []byte) {
			if session != "S" || cwd != "/srv/x" {
				t.Errorf("%s: session %q in %q", name, session, cwd)
			}
			got = append(got, entry+" "+tool+" "+string(args))
		})
		if err != nil || strings.Join(got, " ") != x.want {
			t.Errorf("%s: %v %q, want %q", name, err, got, x.want)
		}
	}
	if err := New(Dirs{}).Pending(filepath.Join(t.TempDir(), "none"), nil); err == nil {
		t.Error("a file that is gone gives no error")
	}
}

// TestNear lists what belongs to one workspace and looks at nothing else.
func TestNear(t *testing.T) {
	home := t.TempDir()
	sessions := filepath.Join(home, ".pi", "agent", "sessions")
	write := func(path string) string {
		os.MkdirAll(filepath.Dir(path), 0o700)
		if err := os.WriteFile(path, []byte(pendingHead), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	mine := write(filepath.Join(sessions, "--srv-x--", "a.jsonl"))
	below := write(filepath.Join(sessions, "--srv-x-below--", "b.jsonl"))
	write(filepath.Join(sessions, "--srv-y--", "c.jsonl"))
	flat := write(filepath.Join(home, "flat", "d.jsonl"))
	write(filepath.Join(home, "flat", "other.jsonl"))
	sub := write(filepath.Join(home, "subs", "e.jsonl"))
	ref := filepath.Join(home, ".pi", "agent", "pbot", "subagents", "1")
	os.MkdirAll(ref, 0o700)
	os.WriteFile(filepath.Join(ref, "session-ref.json"), []byte(`{"file":"`+filepath.ToSlash(sub)+`"}`), 0o600)
	os.WriteFile(filepath.Join(ref, "record.json"), []byte(`{"workspace":"/srv/x"}`), 0o600)
	places, warnings := New(Dirs{Home: home}).Near(t.Context(), "/srv/x", []string{filepath.Join(home, "flat")}, func(path string) bool {
		return filepath.Base(path) != "other.jsonl"
	})
	got := map[string]string{}
	for _, p := range places {
		got[p.Path] = p.Workspace
	}
	for _, want := range []string{mine, below, flat, sub} {
		if _, ok := got[want]; !ok {
			t.Errorf("%s is not listed", want)
		}
	}
	if len(got) != 4 || got[sub] != "/srv/x" || len(warnings) != 0 {
		t.Errorf("%v %v", got, warnings)
	}
}
