// Package tool holds the four tools that a model calls: history_search,
// history_read and history_handoff over the caller's own conversation, and
// pbot_history over a workspace. There is one implementation for every surface:
// schemas, descriptions, limits, validation, results and quoting are here, and the
// surfaces pass them on.
//
// Who is calling comes from the host, never from an argument. What was said
// earlier is quoted in a frame that nothing inside can close. Every fault that a
// model can mend is a result that names the argument and the fix.
package tool

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"lookback/internal/service"
)

// Names of the tools.
const (
	Search  = "history_search"
	Read    = "history_read"
	Handoff = "history_handoff"
	Pbot    = "pbot_history"
)

// Caller says who is calling. It is made by the host; nothing in it comes from a
// model. Its zero value has no conversation and no workspace.
type Caller struct {
	File      string // the session's native file
	Session   string // the session's native id; checked against the file's when both are given
	Leaf      string // id of the entry that the caller stands at; "" for the last one
	Workspace string // the directory that pbot_history looks in
	Client    string // the name that the client gives itself; "pi" gets shorter texts
	Detect    bool   // without a session, look for the call itself in the sessions of Workspace
}

// Result is what a call gives. Structured matches the tool's output schema and is
// nil for an error. Text says the same for a model to read.
type Result struct {
	Structured any    `json:"structured"`
	Text       string `json:"text"`
	IsError    bool   `json:"isError"`
	Links      []Link `json:"-"` // things that the result names
}

// Link names a thing that can be read as a resource.
type Link struct {
	Ref  string // as lookback.ParseRef reads it
	Name string // what a person calls it
}

// Options says how a Set answers.
type Options struct {
	CatchUp time.Duration  // how long a call waits for the index to catch up; 0 means 200 ms
	Log     func(s string) // told about faults that are ours; nil for nobody
	Fault   error          // why there is no service: every call gives it
}

// Set answers calls. It may be used by several goroutines at once.
type Set struct {
	svc    *service.Service
	o      Options
	ctx    context.Context // of syncs, which outlive the call that began them
	cancel context.CancelFunc
	mu     sync.Mutex
	syncs  map[string]*running
}

// New makes the tools over a service. Close the set before the service.
func New(svc *service.Service, o Options) *Set {
	o.CatchUp = cmp.Or(o.CatchUp, 200*time.Millisecond)
	s := &Set{svc: svc, o: o, syncs: map[string]*running{}}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s
}

// Call carries out one call. What goes wrong is a Result with IsError, whatever it
// is, so that the model that called learns of it.
func (s *Set) Call(ctx context.Context, c Caller, name string, args json.RawMessage) (r Result) {
	defer func() {
		if p := recover(); p != nil {
			s.log(name, p)
			r = failed(errors.New("lookback failed on this call through a fault of its own; other calls still work"))
		}
	}()
	r, err := s.call(ctx, c, name, args)
	switch {
	case err == nil:
		return r
	case ctx.Err() != nil:
		err = errors.New("the call was cancelled")
	case errors.Is(err, service.ErrBusy):
		err = errors.New("the index is being written by another process: try again in a moment")
	}
	return failed(err)
}

func (s *Set) call(ctx context.Context, c Caller, name string, args json.RawMessage) (Result, error) {
	if s.o.Fault != nil {
		return Result{}, fmt.Errorf("lookback cannot open its index: %w", s.o.Fault)
	}
	t := definitions[name]
	if t == nil {
		return Result{}, fmt.Errorf("no tool is called %q: the tools are %s", clip(name, 60), strings.Join(Names(), ", "))
	}
	checked, err := t.parse(args)
	if err == nil && c.Detect && c.File == "" && c.Session == "" && !t.Wide && !t.Ends {
		c, err = s.detect(ctx, c, name, args)
	}
	if err != nil {
		return Result{}, err
	}
	return t.run(s, ctx, c, checked)
}

// log tells about a fault of ours.
func (s *Set) log(what string, fault any) {
	if s.o.Log != nil {
		s.o.Log(fmt.Sprintf("%s: %v\n%s", what, fault, debug.Stack()))
	}
}

// failed makes the result of an error.
func failed(err error) Result {
	return Result{Text: defuse(valid(err.Error())), IsError: true}
}
