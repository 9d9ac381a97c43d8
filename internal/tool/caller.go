package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"lookback/internal/service"
)

// codeTool is the tool by which Pi runs scripts that call other tools; the calls
// inside a script are not recorded before it ends.
const codeTool = "codemode"

// howToConnect tells a person how to say who is calling.
const howToConnect = "start lookback with the session: lookback mcp --session FILE [--session-id ID] [--leaf ENTRYID], or LOOKBACK_SESSION in " +
	"its environment; the Pi extension does this by itself"

// errNoCaller is the answer where nobody said which conversation is calling.
var errNoCaller = errors.New("lookback does not know which conversation is calling, so there is nothing it may show. To connect it, " + howToConnect)

// conversation reads the conversation of the caller.
func (s *Set) conversation(ctx context.Context, c Caller) (*service.Conversation, error) {
	if c.File == "" && c.Session == "" {
		return nil, errNoCaller
	}
	return s.svc.Conversation(ctx, service.ConversationRequest{File: c.File, ID: c.Session, Leaf: c.Leaf})
}

// detect finds out who is calling by the call itself: agents write a call into
// their session before they run it. It must be the only one of its kind that waits
// in the workspace; the newest file alone proves nothing.
func (s *Set) detect(ctx context.Context, c Caller, name string, args json.RawMessage) (Caller, error) {
	if c.Workspace == "" {
		return c, errNoCaller
	}
	var asked any
	if err := json.Unmarshal(args, &asked); err != nil {
		return c, err
	}
	// The entry is on disk before the call comes, but not where a file system is slow.
	for range 4 {
		found, err := s.svc.Waiting(ctx, c.Workspace, func(tool string, recorded []byte) bool { return sameCall(name, asked, tool, recorded) })
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
		select {
		case <-ctx.Done():
			return c, ctx.Err()
		case <-time.After(40 * time.Millisecond):
		}
	}
	return c, errNoCaller
}

// sameCall reports whether a recorded call is the one that was asked for: by name
// and arguments; or a call of a tool that calls tools, with both among its values;
// or a script that shows both.
func sameCall(name string, asked any, tool string, recorded []byte) bool {
	var args any
	if json.Unmarshal(recorded, &args) != nil {
		return false
	}
	if isName(name, tool) {
		return reflect.DeepEqual(asked, args)
	}
	outer, _ := args.(map[string]any)
	if code, ok := outer["code"].(string); ok && tool == codeTool {
		return strings.Contains(code, name) && shows(code, asked)
	}
	named, holds := false, false
	for _, v := range outer {
		s, _ := v.(string)
		named = named || isName(name, s)
		holds = holds || reflect.DeepEqual(v, asked)
	}
	return named && holds
}

// isName reports whether a client's name for a tool means the tool with this name:
// clients put a prefix before the names of a server's tools.
func isName(name, client string) bool {
	return client == name || strings.HasPrefix(client, "mcp__") && strings.HasSuffix(client, "__"+name)
}

// shows reports whether the text of a script shows every value of the arguments.
func shows(code string, v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return shows(code, slices.Collect(maps.Values(v)))
	case []any:
		return !slices.ContainsFunc(v, func(x any) bool { return !shows(code, x) })
	case string:
		quoted := strconv.Quote(v)
		return strings.Contains(code, v) || strings.Contains(code, quoted[1:len(quoted)-1])
	case float64:
		return strings.Contains(code, strconv.FormatFloat(v, 'f', -1, 64))
	}
	return true
}
