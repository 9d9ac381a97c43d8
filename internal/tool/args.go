package tool

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// kind is the type of an argument.
type kind uint8

const (
	text     kind = iota
	integer       // a whole number
	integers      // a list of whole numbers
	choice        // one of a few words
)

// param is one argument of a tool. Schema and validation come from the same table,
// so they cannot differ.
type param struct {
	name     string
	of       string // the choice that it belongs to, "" for all
	kind     kind
	min, max int // of a number; of the length of a text in characters or of a list; no bound when both are 0
	def      string
	choices  []string
	required bool
	about    string
}

// maxEntry bounds entry numbers: sessions are numbered up to it.
const maxEntry = 1<<24 - 1

// values are the arguments of one call that passed validation.
type values map[string]any

func (v values) has(name string) bool { _, ok := v[name]; return ok }
func (v values) str(name string) string {
	s, _ := v[name].(string)
	return s
}

// num gives a number, or def when it was left out.
func (v values) num(name string, def int) int {
	if n, ok := v[name].(int); ok {
		return n
	}
	return def
}
func (v values) nums(name string) []int {
	n, _ := v[name].([]int)
	return n
}

// parse validates the arguments of a call.
func (t *definition) parse(raw json.RawMessage) (values, error) {
	given := map[string]json.RawMessage{}
	if raw = bytes.TrimSpace(raw); len(raw) > 0 && string(raw) != "null" {
		if err := json.Unmarshal(raw, &given); err != nil {
			return nil, fmt.Errorf("the arguments of %s must be one JSON object such as %s", t.Name, t.example)
		}
	}
	for _, name := range sortedKeys(given) {
		if !slices.ContainsFunc(t.params, func(p param) bool { return p.name == name }) {
			return nil, t.unknown(name)
		}
	}
	v := values{}
	mode := ""
	for _, p := range t.params {
		if p.of != "" && p.of != mode {
			continue
		}
		raw, ok := given[p.name]
		if !ok {
			if p.required {
				return nil, fmt.Errorf("argument %q is missing: %s", p.name, p.wants())
			}
			continue
		}
		x, err := p.read(raw)
		if err != nil {
			return nil, err
		}
		v[p.name] = x
		if p.kind == choice && mode == "" {
			mode = v.str(p.name)
		}
	}
	if t.lenient {
		return v, nil
	}
	for _, name := range sortedKeys(given) {
		if !v.has(name) {
			return nil, fmt.Errorf("argument %q does not belong to %s %q: leave it out", name, t.params[0].name, mode)
		}
	}
	return v, nil
}

func sortedKeys(m map[string]json.RawMessage) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (t *definition) unknown(name string) error {
	var names []string
	for _, p := range t.params {
		if !slices.Contains(names, p.name) {
			names = append(names, p.name)
		}
	}
	hint := ""
	for _, n := range names {
		if distance(strings.ToLower(name), strings.ToLower(n)) <= min(2, len(n)-3) {
			hint = fmt.Sprintf(" did you mean %q?", n)
			break
		}
	}
	return fmt.Errorf("unknown argument %q:%s %s takes %s", clip(name, 60), hint, t.Name, strings.Join(names, ", "))
}

// read reads one argument.
func (p *param) read(raw json.RawMessage) (any, error) {
	switch p.kind {
	case text:
		return p.readText(raw)
	case choice:
		s, err := p.readText(raw)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(p.choices, s) {
			return nil, fmt.Errorf("argument %q cannot be %q: %s", p.name, clip(s, 60), p.wants())
		}
		return s, nil
	case integer:
		return p.readInt(raw, p.min, p.max)
	}
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil || list == nil {
		return nil, p.wrong(raw)
	}
	if len(list) < p.min || len(list) > p.max {
		return nil, fmt.Errorf("argument %q has %d numbers: %s", p.name, len(list), p.wants())
	}
	out := make([]int, len(list))
	for i, x := range list {
		n, err := p.readInt(x, 1, maxEntry)
		if err != nil {
			return nil, err
		}
		out[i] = n
	}
	return out, nil
}

func (p *param) readText(raw json.RawMessage) (string, error) {
	if len(raw) == 0 || raw[0] != '"' {
		return "", p.wrong(raw)
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil { // lone surrogates come out as U+FFFD
		return "", p.wrong(raw)
	}
	n := utf8.RuneCountInString(s)
	if p.max > 0 && (n < p.min || n > p.max) {
		return "", fmt.Errorf("argument %q has %d characters: %s", p.name, n, p.wants())
	}
	return s, nil
}

func (p *param) readInt(raw json.RawMessage, low, high int) (int, error) {
	f, err := strconv.ParseFloat(string(raw), 64)
	switch {
	case len(raw) == 0 || raw[0] != '-' && (raw[0] < '0' || raw[0] > '9') || err != nil && !math.IsInf(f, 0):
		return 0, p.wrong(raw)
	case f != math.Trunc(f):
		return 0, fmt.Errorf("argument %q cannot be %s: %s", p.name, clip(string(raw), 40), p.wants())
	case f < float64(low) || f > float64(high):
		return 0, fmt.Errorf("argument %q cannot be %s: %s", p.name, clip(string(raw), 40), p.wants())
	}
	return int(f), nil
}

// wrong is the error about a value of another type.
func (p *param) wrong(raw json.RawMessage) error {
	what, fix := "that value", ""
	switch {
	case len(raw) == 0:
	case raw[0] == '"':
		what = "a string"
		if p.kind == integer {
			fix = ", without quotes"
		}
	case raw[0] == '[':
		what = "a list"
	case raw[0] == '{':
		what = "an object"
	case raw[0] == 'n':
		what, fix = "null", "; leave it out instead"
	case raw[0] == 't', raw[0] == 'f':
		what = "a boolean"
	default:
		what = "a number"
		if p.kind == integers {
			fix = ", such as [" + clip(string(raw), 20) + "]"
		}
	}
	return fmt.Errorf("argument %q cannot be %s: %s%s", p.name, what, p.wants(), fix)
}

// wants says what the argument must be.
func (p *param) wants() string {
	switch p.kind {
	case integer:
		if p.max == maxEntry || p.max == maxOffset {
			return fmt.Sprintf("it must be a whole number, at least %d", p.min)
		}
		return fmt.Sprintf("it must be a whole number from %d to %d", p.min, p.max)
	case integers:
		return fmt.Sprintf("it must be a list of %d to %d entry numbers", p.min, p.max)
	case choice:
		return "it must be " + quotedList(p.choices)
	}
	if p.max > 0 {
		return fmt.Sprintf("it must be a string of %d to %d characters", p.min, p.max)
	}
	return "it must be a string"
}

func quotedList(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = strconv.Quote(w)
	}
	return strings.Join(out, " or ")
}

// distance is the number of edits between two short words.
func distance(a, b string) int {
	if len(a) > 40 || len(b) > 40 {
		return len(a) + len(b)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			before, row[j] = row[j], min(row[j]+1, row[j-1]+1, before+cost)
		}
	}
	return row[len(b)]
}
