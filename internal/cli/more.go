package cli

import (
	"fmt"
	"io"
	"runtime"

	"github.com/spf13/cobra"

	"lookback/internal/render"
)

func (a *app) demoCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "a tour on sample sessions, in a temporary home",
		Long: `Demo writes a few sample sessions to a temporary home, runs real commands on them
and shows what they print. It touches nothing of yours and leaves nothing behind.
On a terminal it waits for Enter between steps; --no-input keeps it from waiting.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.c.Demo(cmd.Context(), a.c.Terminal.In && a.c.Terminal.Out && !a.g.noInput)
		},
	}
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "print the version",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			if a.g.json {
				return a.print(map[string]string{"version": a.c.Version, "go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH})
			}
			_, err := fmt.Fprintf(a.c.Out, "lookback %s (%s %s/%s)\n", render.Clean(a.c.Version), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}

func completionCommand() *cobra.Command {
	shells := map[string]func(*cobra.Command, io.Writer) error{
		"bash":       func(c *cobra.Command, w io.Writer) error { return c.GenBashCompletionV2(w, true) },
		"zsh":        func(c *cobra.Command, w io.Writer) error { return c.GenZshCompletion(w) },
		"fish":       func(c *cobra.Command, w io.Writer) error { return c.GenFishCompletion(w, true) },
		"powershell": func(c *cobra.Command, w io.Writer) error { return c.GenPowerShellCompletionWithDesc(w) },
	}
	names := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "print a completion script for bash, zsh, fish or powershell",
		Example: `  source <(lookback completion bash)
  lookback completion zsh > "${fpath[1]}/_lookback"
  lookback completion fish > ~/.config/fish/completions/lookback.fish`,
		ValidArgs: names,
		Args:      oneArg("a shell"),
		RunE: func(cmd *cobra.Command, args []string) error {
			gen := shells[args[0]]
			if gen == nil {
				hint := "use bash, zsh, fish or powershell"
				if near := nearest(args[0], names); near != "" {
					hint = "did you mean " + near + " ?"
				}
				return usage(fmt.Sprintf("no completion for %q", args[0]), hint)
			}
			return gen(cmd.Root(), cmd.OutOrStdout())
		},
	}
}

func (a *app) manCommand() *cobra.Command {
	var markdown bool
	cmd := &cobra.Command{
		Use:   "man",
		Short: "print the manual page",
		Example: `  lookback man | man -l -
  lookback man > ~/.local/share/man/man1/lookback.1`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if markdown {
				return ManualMarkdown(a.c.Out)
			}
			return Manual(a.c.Out, a.c.Version)
		},
	}
	cmd.Flags().BoolVar(&markdown, "markdown", false, "print it as Markdown, as in docs/cli.md")
	return cmd
}
