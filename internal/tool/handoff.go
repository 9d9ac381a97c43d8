package tool

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"
)

// HandoffResult is what an accepted history_handoff gives. The host that passes it
// on ends the round and starts the new context with the text of the arguments.
type HandoffResult struct {
	Accepted   bool `json:"accepted"`
	Characters int  `json:"characters"`
}

type handoffArgs struct{ Text string }

func (s *Set) handoff(_ context.Context, _ Caller, a handoffArgs) (Result, error) {
	if strings.TrimSpace(a.Text) == "" {
		return Result{}, errors.New(`argument "text" is blank: write the complete continuation`)
	}
	return Result{
		Structured: HandoffResult{Accepted: true, Characters: utf8.RuneCountInString(a.Text)},
		Text:       "Handed over: this round ends after the other calls of this batch, and a new context begins with the text.",
	}, nil
}
