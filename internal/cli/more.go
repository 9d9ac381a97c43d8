package cli

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"lookback"
	"lookback/internal/render"
)

// openAround is how many neighbours open shows beside an entry.
const openAround = 5

func (a *app) openCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "open REF",
		Short: "show what a ref names in the best way there is",
		Long: `Open shows a session as a transcript, an entry among its neighbours, and an
exchange or summary in its tree.`,
		Args: args(1, 1, "a ref"),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := lookback.ParseRef(args[0])
			if err != nil {
				return err
			}
			if r.Key != "" {
				return a.tree(cmd.Context(), r, &narrow{limit: defaultLimit})
			}
			o := readOptions{limit: maxRead}
			if r.Seq > 0 {
				o.around = openAround
			}
			return a.read(cmd.Context(), args, &o)
		},
	}
}

func (a *app) demoCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "a tour on sample sessions, in a temporary home",
		Long: `Demo writes a few sample sessions to a temporary home, runs real commands on
them and shows what they print. It touches nothing of yours and leaves nothing
behind. On a terminal it waits for Enter between steps; --no-input keeps it
from waiting.`,
		Args: args(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.c.Demo(cmd.Context(), a.c.Terminal.In && a.c.Terminal.Out && !a.g.noInput)
		},
	}
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "print the version",
		Args:  args(0, 0, ""),
		RunE: func(*cobra.Command, []string) error {
			if a.g.json {
				return a.print(doc{"version": a.c.Version, "go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH})
			}
			_, err := a.out.WriteString(a.versionLine())
			return err
		},
	}
}

func (a *app) versionLine() string {
	return fmt.Sprintf("lookback %s (%s %s/%s)\n", render.Clean(a.c.Version), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

func (a *app) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man",
		Short: "print the manual page",
		Example: `  lookback man | man -l -
  lookback man > ~/.local/share/man/man1/lookback.1`,
		Args: args(0, 0, ""),
		RunE: func(*cobra.Command, []string) error { return Manual(a.out, a.c.Version) },
	}
}
