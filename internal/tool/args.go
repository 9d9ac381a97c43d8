package tool

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// objectSchema is what a tool takes.
type objectSchema struct {
	Properties map[string]*schema
	Required   []string
}

// schema is what an argument must be: the part of JSON Schema that the tools use.
type schema struct {
	Type                 string
	Enum                 []string
	Items                *schema
	Minimum, Maximum     int
	MinLength, MaxLength int
	MinItems, MaxItems   int
	Default              any
}

// parse checks the arguments of a call against the tool's schema. It gives them
// back as JSON, with defaults, without what the call's action does not use.
func (t *definition) parse(raw json.RawMessage) ([]byte, error) {
	given := map[string]any{}
	if raw = bytes.TrimSpace(raw); len(raw) > 0 {
		d := json.NewDecoder(bytes.NewReader(raw))
		d.UseNumber()
		if !json.Valid(raw) || d.Decode(&given) != nil {
			return nil, fmt.Errorf("the arguments of %s must be one JSON object such as %s", t.Name, t.Example)
		}
	}
	names := slices.Sorted(maps.Keys(t.schema.Properties))
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if t.schema.Properties[name] == nil {
			return nil, fmt.Errorf("unknown argument %q: %s takes %s", clip(name, 60), t.Name, `"`+strings.Join(names, `", "`)+`"`)
		}
	}
	first := t.schema.Required[0] // of a tool with modes or actions, the one that says which
	mode, _ := given[first].(string)
	out := map[string]any{}
	for _, name := range append([]string{first}, names...) {
		s, of := t.schema.Properties[name], t.Of[name]
		v, ok := given[name]
		switch {
		case of != "" && of != mode:
			if ok && !t.Lenient {
				return nil, fmt.Errorf("argument %q does not belong to %s %q: leave it out", name, first, mode)
			}
		case ok:
			x, err := s.check(name, v)
			if err != nil {
				return nil, err
			}
			out[name] = x
		case name == first || slices.Contains(t.Needs[mode], name):
			return nil, fmt.Errorf("argument %q is missing: it must be %s", name, s.wants())
		case s.Default != nil:
			out[name] = s.Default
		}
	}
	return json.Marshal(out)
}

// check gives the value of an argument with whole numbers as such, however they
// were written. An error names the argument and the fix.
func (s *schema) check(name string, v any) (any, error) {
	what, fix := "a boolean", ""
	switch v := v.(type) {
	case nil:
		what, fix = "null", "; leave it out instead"
	case map[string]any:
		what = "an object"
	case string:
		n := utf8.RuneCountInString(v)
		switch {
		case s.Type == "integer":
			what, fix = "a string", ", without quotes"
		case s.Type != "string":
			what = "a string"
		case s.Enum != nil && !slices.Contains(s.Enum, v):
			what = strconv.Quote(clip(v, 60))
		case s.Enum == nil && (n < s.MinLength || n > s.MaxLength):
			what = fmt.Sprintf("%d characters long", n)
		default:
			return v, nil
		}
	case json.Number:
		f, _ := v.Float64() // infinite when it is out of range
		if s.Type == "integer" && f == math.Trunc(f) && f >= float64(s.Minimum) && f <= float64(s.Maximum) {
			return int(f), nil
		}
		what = clip(v.String(), 40)
		if s.Type != "integer" {
			what = "a number"
		}
		if s.Type == "array" {
			fix = ", such as [" + clip(v.String(), 20) + "]"
		}
	case []any:
		if s.Type == "array" && len(v) >= s.MinItems && len(v) <= s.MaxItems {
			return s.checkItems(name, v)
		}
		what = fmt.Sprintf("a list of %d", len(v))
	}
	return nil, fmt.Errorf("argument %q cannot be %s: it must be %s%s", name, what, s.wants(), fix)
}

func (s *schema) checkItems(name string, list []any) (_ any, err error) {
	for i := range list {
		if list[i], err = s.Items.check(name, list[i]); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// wants says what the argument must be.
func (s *schema) wants() string {
	switch {
	case s.Type == "integer" && s.Maximum >= unbounded:
		return fmt.Sprintf("a whole number, at least %d", s.Minimum)
	case s.Type == "integer":
		return fmt.Sprintf("a whole number from %d to %d", s.Minimum, s.Maximum)
	case s.Type == "array":
		return fmt.Sprintf("a list of %d to %d whole numbers", s.MinItems, s.MaxItems)
	case s.Enum != nil:
		return `"` + strings.Join(s.Enum, `" or "`) + `"`
	}
	return fmt.Sprintf("a string of %d to %d characters", s.MinLength, s.MaxLength)
}

// unbounded is a maximum that is there for clients only: entry numbers and offsets
// do not reach it.
const unbounded = 1<<24 - 1
