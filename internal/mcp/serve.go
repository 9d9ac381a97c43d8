// Package mcp serves the tools of package tool over the Model Context Protocol on
// a pair of streams. It adds nothing to them: names, schemas, limits, texts and
// refusals are those of every other surface.
//
// The output stream carries the protocol and nothing else; what is to be logged
// goes elsewhere.
package mcp

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"lookback/internal/service"
	"lookback/internal/tool"
)

// Options says what is served, to whom, and over what.
type Options struct {
	Caller  tool.Caller // who is calling, as far as it is known at launch
	Narrow  bool        // the caller's conversation only: pbot_history is not offered
	Handoff bool        // offer history_handoff: the host on the other side carries it out
	Fault   error       // why there is no service: every call says so
	Version string
	In      io.ReadCloser
	Out     io.WriteCloser
	Log     io.Writer // nil for no log
	Debug   bool      // log every message's fate
}

// How long the end may take: a client expects its servers gone in two seconds.
const (
	answering = 900 * time.Millisecond // what was asked before the input ended
	syncGrace = 500 * time.Millisecond
	closing   = 500 * time.Millisecond
)

// Serve answers until the input ends or the context does. Both are a clean end.
func Serve(ctx context.Context, svc *service.Service, o Options) error {
	if o.Log == nil {
		o.Log = io.Discard
	}
	level := slog.LevelWarn
	if o.Debug {
		level = slog.LevelDebug
	}
	log := slog.New(slog.NewTextHandler(o.Log, &slog.HandlerOptions{Level: level}))
	set := tool.New(svc, tool.Options{Log: func(s string) { log.Error(s) }, Fault: o.Fault})
	h := &handler{set: set, o: o, log: log}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go watchParent(ctx, cancel)
	ended := make(chan error, 1)
	l := newLines(o.In, o.Out, log)
	go func() {
		ended <- h.server().Run(ctx, &mcp.IOTransport{Reader: l, Writer: answers{l}, MaxLineLength: -1})
	}()
	var err error
	select {
	case err = <-ended:
	case <-ctx.Done():
		// A read that waits for input cannot be interrupted; nothing depends on it.
		select {
		case err = <-ended:
		case <-time.After(closing):
		}
	}
	cancel()
	set.Close(syncGrace)
	if errors.Is(err, context.Canceled) || errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// handler turns requests into calls.
type handler struct {
	set *tool.Set
	o   Options
	log *slog.Logger
}

// server makes the server with what it offers.
func (h *handler) server() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "lookback", Title: "Lookback", Version: h.o.Version}, &mcp.ServerOptions{
		Instructions: "Finds and re-reads what was said earlier in this conversation and in other sessions of this workspace.\n" + tool.PromptSection,
		Logger:       h.log,
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}, Resources: &mcp.ResourceCapabilities{}},
	})
	for _, spec := range tool.Specs() {
		if spec.Wide && h.o.Narrow || spec.Ends && !h.o.Handoff {
			continue
		}
		s.AddTool(describe(spec), h.call)
	}
	if !h.o.Narrow {
		s.AddResourceTemplate(&mcp.ResourceTemplate{
			Name: "history", Title: "A session, exchange or summary", MIMEType: "text/plain", URITemplate: scheme + "{+ref}",
			Description: "What pbot_history reads, by the ref of a match: pi:SESSION, pi:SESSION@LEVEL:ENTRY or pi:SESSION#ENTRY.",
		}, h.resource)
	}
	return s
}

// describe gives a tool in the protocol's form, every annotation explicit, since
// what is left out is taken for the worst.
func describe(s tool.Spec) *mcp.Tool {
	no := false
	return &mcp.Tool{
		Name: s.Name, Title: s.Title, Description: s.Description, InputSchema: s.Input, OutputSchema: s.Output,
		Annotations: &mcp.ToolAnnotations{
			Title: s.Title, ReadOnlyHint: s.ReadOnly, IdempotentHint: s.ReadOnly, DestructiveHint: &no, OpenWorldHint: &no,
		},
	}
}
