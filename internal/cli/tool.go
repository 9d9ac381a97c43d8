package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lookback/internal/tool"
)

// callerFlags say who is calling. The environment says it where they do not.
type callerFlags struct{ session, id, leaf, workspace string }

func (f *callerFlags) add(cmd *cobra.Command) {
	s := cmd.Flags()
	s.StringVar(&f.session, "session", "", "session `FILE` of the conversation that calls (LOOKBACK_SESSION)")
	s.StringVar(&f.id, "session-id", "", "its session `ID` (LOOKBACK_SESSION_ID)")
	s.StringVar(&f.leaf, "leaf", "", "id of the `ENTRY` that the caller stands at; the last one when left out (LOOKBACK_LEAF)")
	s.StringVarP(&f.workspace, "workspace", "w", "", "`DIR` that pbot_history looks in; the working directory when left out (LOOKBACK_WORKSPACE)")
	_ = cmd.MarkFlagDirname("workspace")
	_ = cmd.MarkFlagFilename("session", "jsonl")
}

// caller settles who is calling.
func (a *app) caller(f *callerFlags) tool.Caller {
	pick := func(flag, env string) string {
		if flag != "" {
			return flag
		}
		return a.c.Getenv(env)
	}
	c := tool.Caller{
		File: pick(f.session, "LOOKBACK_SESSION"), Session: pick(f.id, "LOOKBACK_SESSION_ID"),
		Leaf: pick(f.leaf, "LOOKBACK_LEAF"), Workspace: pick(f.workspace, "LOOKBACK_WORKSPACE"),
	}
	if c.Workspace == "" {
		c.Workspace = a.c.Dir
	}
	c.Workspace = a.absolute(c.Workspace)
	if c.File != "" {
		c.File = a.absolute(c.File)
	}
	return c
}

// maxToolInput bounds the arguments of one call, in bytes.
const maxToolInput = 4 << 20

// toolGrace is how long a call may stay, after its answer is out, to finish a sync
// that took longer than an answer may wait.
const toolGrace = 5 * time.Second

func (a *app) toolCommand() *cobra.Command {
	var f callerFlags
	cmd := &cobra.Command{
		Use:   "tool NAME",
		Short: "call a tool as a model does: JSON in, JSON out",
		Long: `Calls one of the tools that models have: ` + strings.Join(tool.Names(), ", ") + `.

The arguments are one JSON object on standard input. The answer is one line on standard
output: {"structured": …, "text": "…", "isError": false}. A call that a model can mend is an
answer with isError true and exit code 0. docs/tools.md describes tools and limits.
lookback tool list prints the names, descriptions and schemas.`,
		Example: `  echo '{"query":"retry backoff"}' | lookback tool history_search --session FILE`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("tool takes one name", "use one of "+strings.Join(tool.Names(), ", "))
			}
			return nil
		},
		ValidArgs: append(tool.Names(), "list"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if args[0] == "list" {
				return a.print(toolDocs())
			}
			return a.runTool(cmd, &f, args[0])
		},
	}
	f.add(cmd)
	return cmd
}

func (a *app) runTool(cmd *cobra.Command, f *callerFlags, name string) error {
	caller := a.caller(f)
	if caller.Workspace == "" {
		return errGone
	}
	in, err := io.ReadAll(io.LimitReader(a.c.In, maxToolInput+1))
	if err != nil {
		return fmt.Errorf("read the arguments from standard input: %w", err)
	}
	if len(in) > maxToolInput {
		return a.print(tool.Result{Text: "the arguments are too long", IsError: true})
	}
	// The caller is a program that passes the answer on to a model, faults too.
	a.svc, err = a.c.Open(cmd.Context(), a.setup())
	set := tool.New(a.svc, tool.Options{Log: a.note, Fault: err})
	err = a.print(set.Call(cmd.Context(), caller, name, json.RawMessage(in)))
	if c, ok := a.c.Out.(io.Closer); ok && !a.c.Terminal.Out {
		err = errors.Join(err, c.Close()) // whoever waits for the answer need not wait for the sync
	}
	set.Close(toolGrace)
	return err
}

// toolDocs describes the tools to hosts that are not MCP clients.
func toolDocs() any {
	return struct {
		Tools  []tool.Spec `json:"tools"`
		Prompt string      `json:"prompt"`
	}{tool.Specs(), tool.PromptSection}
}
