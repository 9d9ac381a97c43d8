package mcp

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"lookback/internal/tool"
)

// scheme begins the URIs of resources; what follows is a ref.
const scheme = "lookback://"

// maxLinks bounds the resource links of one result: each costs the model a line.
const maxLinks = 10

// piClient is the name under which Pi calls. It shows links as text, which would
// only repeat what the result says.
const piClient = "pi"

// call carries out a call of any tool.
func (h *handler) call(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	c := h.caller(req.ClientInfo())
	h.progress(ctx, req, 0, "looking up")
	r := h.set.Call(ctx, c, req.Params.Name, req.Params.Arguments)
	h.progress(ctx, req, 1, "done")
	if err := ctx.Err(); err != nil {
		return nil, err // nobody waits for the result
	}
	out := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: r.Text}}, StructuredContent: r.Structured, IsError: r.IsError}
	if c.Client == piClient {
		return out, nil
	}
	for _, l := range r.Links[:min(len(r.Links), maxLinks)] {
		out.Content = append(out.Content, &mcp.ResourceLink{URI: scheme + l.Ref, Name: l.Name, MIMEType: "text/plain"})
	}
	return out, nil
}

// caller is who is calling: what is known since launch, and the client's name.
func (h *handler) caller(client *mcp.Implementation) tool.Caller {
	c := h.o.Caller
	c.Detect = true
	if client != nil {
		c.Client = client.Name
	}
	return c
}

// progress tells how far a call is, if its client asked.
func (h *handler) progress(ctx context.Context, req *mcp.CallToolRequest, done float64, message string) {
	token := req.Params.GetProgressToken()
	if token == nil {
		return
	}
	err := req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: done, Total: 1, Message: message})
	if err != nil {
		h.log.Debug("progress was not sent", "error", err)
	}
}

// resource reads what a link names, in the same scope and form as pbot_history.
func (h *handler) resource(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	ref := strings.TrimPrefix(req.Params.URI, scheme)
	args, err := json.Marshal(map[string]any{"action": "read", "id": ref})
	if err != nil {
		return nil, err
	}
	r := h.set.Call(ctx, h.caller(req.ClientInfo()), tool.Pbot, args)
	if r.IsError {
		h.log.Debug("resource not read", "uri", req.Params.URI, "why", r.Text)
		return nil, mcp.ResourceNotFoundError(req.Params.URI)
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, MIMEType: "text/plain", Text: r.Text}}}, nil
}
