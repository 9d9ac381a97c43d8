package cli

import (
	"context"

	"github.com/spf13/cobra"

	"lookback/internal/service"
	"lookback/internal/tool"
)

// MCPSetup says what lookback mcp serves.
type MCPSetup struct {
	Service *service.Service
	Fault   error // why there is no service: every call says so
	Caller  tool.Caller
	Narrow  bool // the caller's conversation only
	Handoff bool // offer history_handoff
	Debug   bool
}

func (a *app) mcpCommand() *cobra.Command {
	var f callerFlags
	var s MCPSetup
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "serve the tools to an agent over MCP on standard input and output",
		Long: `Serves history_search, history_read and pbot_history to an agent over the Model Context
Protocol, until standard input ends. Standard output carries the protocol only.

pbot_history looks in the workspace given here and nowhere else. The conversation tools
need to know who is calling: by --session, or else by finding their own call in the
session files of the workspace. docs/tools.md says how to connect agents.`,
		Example: `  pi mcp add lookback --exposure direct -- lookback mcp`,
		Args:    args(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if s.Caller = a.caller(&f); s.Caller.Workspace == "" {
				return errGone
			}
			// A server that ends at once tells its client nothing.
			s.Service, s.Fault = a.open(cmd.Context())
			return a.c.MCP(cmd.Context(), s)
		},
	}
	f.add(cmd)
	cmd.Flags().BoolVar(&s.Narrow, "conversation-only", false, "do not offer pbot_history")
	cmd.Flags().BoolVar(&s.Handoff, "handoff", false, "offer history_handoff, which the host must carry out")
	cmd.Flags().BoolVar(&s.Debug, "debug", false, "log to standard error what happens")
	return cmd
}

// MCPServer runs lookback mcp.
type MCPServer = func(context.Context, MCPSetup) error
