package tool

import (
	"context"
	"errors"

	"lookback/internal/service"
)

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
