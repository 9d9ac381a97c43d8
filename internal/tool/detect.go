package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// codeTool is the tool by which Pi runs scripts that call other tools; the calls
// inside a script are not recorded before it ends.
const codeTool = "codemode"

// detect finds out who is calling by the call itself: agents write a call into
// their session before they run it. It must be the only one of its kind that waits
// in the workspace; the newest file alone proves nothing.
func (s *Set) detect(ctx context.Context, c Caller, name string, args json.RawMessage) (Caller, error) {
	if c.Workspace == "" {
		return c, errNoCaller
	}
	if len(bytes.TrimSpace(args)) == 0 {
		args = json.RawMessage("{}")
	}
	// The entry is on disk before the call comes, but not where a file system is slow.
	for try := range 4 {
		if try > 0 {
			select {
			case <-ctx.Done():
				return c, ctx.Err()
			case <-time.After(40 * time.Millisecond):
			}
		}
		found, err := s.svc.Waiting(ctx, c.Workspace, func(tool string, recorded []byte) bool { return sameCall(name, args, tool, recorded) })
		switch {
		case err != nil:
			return c, err
		case len(found) == 1:
			c.File, c.Session, c.Leaf = found[0].File, found[0].Session, found[0].Entry
			return c, nil
		case len(found) > 1:
			return c, fmt.Errorf("%d sessions of this directory wait for this same call, so lookback cannot tell which one is calling: "+
				"call again with other arguments. To end this, %s", len(found), howToConnect)
		}
	}
	return c, errNoCaller
}

// sameCall reports whether a recorded call is this one: by name, with or without
// the prefix that clients give to a server's tools, and by arguments; or a script
// that shows both; or a call of a tool that calls tools.
func sameCall(name string, args json.RawMessage, tool string, recorded []byte) bool {
	var x, y any
	if json.Unmarshal(args, &x) != nil || json.Unmarshal(recorded, &y) != nil {
		return false
	}
	if isName(name, tool) {
		return reflect.DeepEqual(x, y)
	}
	call, ok := y.(map[string]any)
	if !ok {
		return false
	}
	if code, ok := call["code"].(string); ok && tool == codeTool {
		return inCode(name, code) && shows(code, x)
	}
	named, holds := false, false
	for _, v := range call {
		s, ok := v.(string)
		named = named || ok && isName(name, s)
		holds = holds || reflect.DeepEqual(v, x)
	}
	return named && holds
}

// isName reports whether a client's name for a tool means the tool with this name.
func isName(name, client string) bool {
	return client == name || strings.HasPrefix(client, "mcp__") && strings.HasSuffix(client, "__"+name)
}

// inCode reports whether a script names the tool as a whole word, or as the end of
// a name that a client made of it.
func inCode(name, code string) bool {
	for from := 0; ; {
		i := strings.Index(code[from:], name)
		if i < 0 {
			return false
		}
		from += i
		after := code[from+len(name):]
		before := code[:from]
		if (after == "" || !isWord(rune(after[0]))) && (before == "" || !isWord(rune(before[len(before)-1])) || strings.HasSuffix(before, "__")) {
			return true
		}
		from += len(name)
	}
}

func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// shows reports whether the text of a script shows every value of the arguments.
func shows(code string, v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for _, x := range v {
			if !shows(code, x) {
				return false
			}
		}
		return true
	case []any:
		for _, x := range v {
			if !shows(code, x) {
				return false
			}
		}
		return true
	case string:
		if strings.Contains(code, v) {
			return true
		}
		q := strconv.Quote(v)
		return strings.Contains(code, q[1:len(q)-1])
	case float64:
		return strings.Contains(code, strconv.FormatFloat(v, 'f', -1, 64))
	}
	return true
}
