package tool

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"
)

// maxHandoff bounds the text of a handoff, in characters.
const maxHandoff = 100_000

// HandoffResult is what an accepted history_handoff gives. The host that passes it
// on ends the round and starts the new context with the text of the arguments.
type HandoffResult struct {
	Accepted   bool `json:"accepted"`
	Characters int  `json:"characters"`
}

func handoffTool() *definition {
	return &definition{
		Spec: Spec{
			Name: Handoff, Title: "Hand over to a fresh context", Ends: true,
			Description: "End this round and go on in a fresh context whose first user message is `text`. Nothing else of the current " +
				"context is kept there, nothing is lost: every entry stays stored. Write a complete continuation: the goal, where " +
				"things stand, decisions and their reasons, open items, the files that matter, the next step. Afterwards do not guess " +
				"what the text leaves out: find it with history_search and history_read (mode tail shows the entries right before the " +
				"handoff). Other calls of the same batch still finish; input that waits arrives in the new context. text: 1 to 100,000 " +
				"characters.",
			Output: object(props{"accepted": typed("boolean"), "characters": typed("integer")}, []string{"accepted", "characters"}),
			Guidelines: []string{
				"Use history_handoff when a piece of work is finished or the context is crowded with what is no longer needed.",
			},
		},
		example: `{"text":"Goal: … State: … Decisions: … Open: … Files: …"}`,
		params: []param{{name: "text", kind: text, min: 1, max: maxHandoff, required: true,
			about: "The first user message of the new context, 1 to 100,000 characters."}},
		run: func(_ *Set, _ context.Context, _ Caller, v values) (Result, error) {
			if strings.TrimSpace(v.str("text")) == "" {
				return Result{}, errors.New(`argument "text" is blank: write the complete continuation`)
			}
			return Result{
				Structured: HandoffResult{Accepted: true, Characters: utf8.RuneCountInString(v.str("text"))},
				Text:       "Handed over: this round ends after the other calls of this batch, and a new context begins with the text.",
			}, nil
		},
	}
}
