package pi

import (
	"context"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"lookback"
)

// TestDamage lists damaged lines: each stands between a question and the next, and
// ids are those of the entries that are found.
func TestDamage(t *testing.T) {
	u1, a1, u2 := user("u1", "", "one"), answer("a1", "u1", "two"), user("u2", "a1", "three")
	nul := strings.Repeat("\x00", 300)
	tests := map[string]struct {
		line     string
		ids      string
		warnings []string
	}{
		"none":                         {a1, "u1 a1 u2", nil},
		"blank":                        {" \t\r\n" + a1, "u1 a1 u2", nil},
		"not JSON":                     {"junk\n" + a1, "u1 a1 u2", []string{"bad_line"}},
		"another value":                {"[1,2]\n" + a1, "u1 a1 u2", []string{"bad_line"}},
		"two glued":                    {a1 + user("x", "a1", "x"), "u1 a1 x u2", nil},
		"two glued with blanks":        {a1 + " \t" + user("x", "a1", "x") + " ", "u1 a1 x u2", nil},
		"cut and whole":                {a1[:60] + a1, "u1 a1 u2", []string{"bad_line"}},
		"whole and cut":                {a1 + a1[:60], "u1 a1 u2", []string{"bad_line"}},
		"cut, whole, cut, whole":       {a1[:60] + a1 + u2[:70] + user("x", "a1", "x"), "u1 a1 x u2", []string{"bad_line"}},
		"a header glued to a record":   {head + a1, "u1 a1 u2", nil},
		"a fragment is no record":      {`{"type":"message","id":"z","message":{"content":[{"type":"text","id":"q","text":"x"}` + "\n" + a1, "u1 a1 u2", []string{"bad_line"}},
		"an unknown type is no record": {`x{"type":"future","id":"q"}` + "\n" + a1, "u1 a1 u2", []string{"bad_line"}},
		"no id is no record":           {`x{"type":"label","targetId":"u1"}` + "\n" + a1, "u1 a1 u2", []string{"bad_line"}},
		"glued to a fragment":          {a1 + `{"type":"text","text":"x"}`, "u1 a1 u2", []string{"bad_line"}},
		"NUL bytes before":             {nul + a1, "u1 a1 u2", []string{"nul_bytes"}},
		"NUL bytes behind":             {a1 + nul, "u1 a1 u2", []string{"nul_bytes"}},
		"NUL bytes between":            {a1 + nul + user("x", "a1", "x"), "u1 a1 x u2", []string{"nul_bytes"}},
		"NUL bytes alone":              {nul + "\n" + a1, "u1 a1 u2", []string{"nul_bytes"}},
		"a NUL byte in a string":       {strings.Replace(a1, "two", "t\x00o", 1), "u1 u2", []string{"bad_line"}},
		"a tab in a string":            {strings.Replace(a1, "two", "t\to", 1), "u1 u2", []string{"bad_line"}},
		"an escape that is none":       {strings.Replace(a1, "two", `t\qo`, 1), "u1 u2", []string{"bad_line"}},
		"an escaped NUL":               {strings.Replace(a1, "two", `t\u0000o`, 1), "u1 a1 u2", nil},
		"a lone surrogate":             {strings.Replace(a1, "two", `t\ud83do`, 1), "u1 a1 u2", nil},
		"not UTF-8":                    {strings.Replace(a1, "two", "t\xffo", 1), "u1 a1 u2", []string{"invalid_utf8"}},
		"CR at the end":                {a1 + "\r", "u1 a1 u2", nil},
		"the same again":               {a1 + "\n" + a1 + "\n" + u1, "u1 a1 u2", nil},
		"no id":                        {`{"type":"label"}` + "\n" + a1, "u1 a1 u2", []string{"bad_entry"}},
		"an id that is a number":       {`{"type":"label","id":7}` + "\n" + a1, "u1 a1 u2", []string{"bad_entry"}},
		"no message":                   {`{"type":"message","id":"x","parentId":"u1"}` + "\n" + a1, "u1 x a1 u2", []string{"bad_entry"}},
		"no type":                      {`{"id":"x","parentId":"u1"}` + "\n" + a1, "u1 x a1 u2", []string{"bad_entry"}},
		"content that is a number":     {strings.Replace(a1, `[{"type":"text","text":"two"}]`, "5", 1), "u1 a1 u2", []string{"bad_entry"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			res := read(t, write(t, head, u1, tt.line, u2))
			var ids []string
			for _, e := range res.Log.Entries {
				ids = append(ids, e.ID)
			}
			if got := strings.Join(ids, " "); got != tt.ids {
				t.Errorf("entries %s, want %s", got, tt.ids)
			}
			if got := kinds(res.Log.Warnings); !slices.Equal(got, tt.warnings) {
				t.Errorf("warnings %v, want %v", got, tt.warnings)
			}
			sound(t, res.Log.Entries)
			for _, w := range res.Log.Warnings {
				if w.Line != 3 || w.Detail == "" || w.File == "" {
					t.Errorf("warning %+v", w)
				}
			}
		})
	}
}

// TestParents covers ids that name nothing, or something odd.
func TestParents(t *testing.T) {
	tests := map[string]struct {
		lines    []string
		parents  []int
		warnings []string
	}{
		"nearest earlier": {[]string{user("x", "", "1"), user("x", "", "2"), user("y", "x", "3")}, []int{0, 0, 2}, []string{"duplicate_id"}},
		"a later one":     {[]string{user("a", "b", "1"), user("b", "", "2")}, []int{2, 0}, nil},
		"the first later": {[]string{user("a", "b", "1"), user("b", "", "2"), user("b", "", "3")}, []int{2, 0, 0}, []string{"duplicate_id"}},
		"a ring of two":   {[]string{user("a", "b", "1"), user("b", "a", "2")}, []int{0, 1}, []string{"cycle"}},
		"itself":          {[]string{user("a", "a", "1")}, []int{0}, []string{"cycle"}},
		"a ring of three": {[]string{user("a", "c", "1"), user("b", "a", "2"), user("c", "b", "3")}, []int{0, 1, 2}, []string{"cycle"}},
		"backwards":       {[]string{user("a", "b", "1"), user("b", "c", "2"), user("c", "", "3")}, []int{2, 3, 0}, nil},
		"unknown":         {[]string{user("a", "", "1"), user("b", "x", "2")}, []int{0, 0}, []string{"missing_parent"}},
		"unknown after a bad line": {[]string{user("a", "", "1"), "junk", user("b", "x", "2"), user("c", "y", "3")},
			[]int{0, 1, 0}, []string{"bad_line", "missing_parent"}},
		"unknown after NUL bytes":      {[]string{user("a", "", "1"), "\x00\x00", user("b", "x", "2")}, []int{0, 1}, []string{"nul_bytes"}},
		"known after a bad line":       {[]string{user("a", "", "1"), user("b", "a", "2"), "junk", user("c", "a", "3")}, []int{0, 1, 1}, []string{"bad_line"}},
		"a root after a bad line":      {[]string{user("a", "", "1"), "junk", user("b", "", "2")}, []int{0, 0}, []string{"bad_line"}},
		"unknown and first":            {[]string{"junk", user("b", "x", "2")}, []int{0}, []string{"bad_line", "missing_parent"}},
		"later, after a bad line":      {[]string{user("a", "", "1"), "junk", user("b", "c", "2"), user("c", "", "3")}, []int{0, 3, 0}, []string{"bad_line"}},
		"a ring through the line lost": {[]string{user("a", "c", "1"), user("b", "a", "2"), "junk", user("c", "x", "3")}, []int{3, 1, 0}, []string{"missing_parent", "bad_line"}},
		"a parent that is a number":    {[]string{user("a", "", "1"), strings.Replace(user("b", "", "2"), "null", "7", 1)}, []int{0, 0}, []string{"bad_entry"}},
		"an empty parent id is a root": {[]string{user("a", "", "1"), strings.Replace(user("b", "", "2"), "null", `""`, 1)}, []int{0, 0}, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			res := read(t, write(t, append([]string{head}, tt.lines...)...))
			var parents []int
			for _, e := range res.Log.Entries {
				parents = append(parents, e.Parent)
			}
			got := kinds(res.Log.Warnings)
			slices.Sort(got)
			slices.Sort(tt.warnings)
			if !slices.Equal(parents, tt.parents) || !slices.Equal(got, tt.warnings) {
				t.Errorf("parents %v warnings %v, want %v %v", parents, got, tt.parents, tt.warnings)
			}
		})
	}
}

// TestTail covers the line that may still be in the middle of being written.
func TestTail(t *testing.T) {
	u := user("u", "", "one")
	tests := map[string]struct {
		tail     string
		entries  int
		settled  int
		warnings []string // once the file was left alone
		again    bool
	}{
		"a whole record":     {u, 1, 0, nil, false},
		"half a record":      {u[:50], 0, 0, []string{"truncated_tail"}, true},
		"a record and half":  {u + u[:50], 1, 0, []string{"bad_line"}, true},
		"half and a record":  {u[:50] + u, 1, 0, []string{"bad_line"}, false},
		"NUL bytes":          {"\x00\x00", 0, 0, []string{"nul_bytes"}, false},
		"blanks":             {" \t", 0, 0, nil, false},
		"a record and an LF": {u + "\n", 1, 1, nil, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			path := write(t, head)
			r := reader{t: t, s: testSource(), path: path}
			r.grow([]byte(tt.tail))
			r.read()
			if len(r.entries) != tt.entries || r.last.Settled != tt.settled {
				t.Errorf("%d entries, %d settled", len(r.entries), r.last.Settled)
			}
			if got := kinds(r.last.Log.Warnings); !slices.Equal(got, tt.warnings) {
				t.Errorf("warnings %v, want %v", got, tt.warnings)
			}
			if !r.last.Again.IsZero() {
				t.Errorf("to be read again at %v", r.last.Again)
			}
			young := testSource()
			young.now = time.Now
			b, err := young.Read(context.Background(), lookback.Place{Path: path}, nil, nil)
			if err != nil || !b.Again.IsZero() != tt.again {
				t.Errorf("to be read again at %v: %v", b.Again, err)
			}
			if got := kinds(b.Log.Warnings); tt.again && got != nil {
				t.Errorf("a line that may still grow gives %v", got)
			}
			if info, _ := os.Stat(path); tt.again && !b.Again.Equal(info.ModTime().Add(still)) {
				t.Errorf("to be read again at %v", b.Again)
			}
		})
	}
}

// TestHostileLine has to end soon: every brace could be the start of a record that
// goes on to the end of the line.
func TestHostileLine(t *testing.T) {
	began := cpuTime()
	line := strings.Repeat(`{"type":"message","a":`, 1<<16)
	res := read(t, write(t, head, line, user("u", "", "one")))
	if len(res.Log.Entries) != 1 || !reflect.DeepEqual(kinds(res.Log.Warnings), []string{"bad_line"}) {
		t.Errorf("%d entries, %v", len(res.Log.Entries), res.Log.Warnings)
	}
	if took := cpuTime() - began; took > 5*time.Second {
		t.Errorf("took %v", took)
	}
}
