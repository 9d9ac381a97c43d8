package cli

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"lookback"
	"lookback/internal/render"
	"lookback/internal/service"
)

func (a *app) forgetCommand() *cobra.Command {
	var yes, dry bool
	cmd := &cobra.Command{
		Use:   "forget REF",
		Short: "remove a session for good",
		Long: `Forget removes a session from the index and from every known archive, summaries
included, and leaves a mark so that no sync brings it back. The agent's own log
stays as it is. It asks before it does anything; without a terminal it needs --yes.`,
		Args: oneArg("the ref of a session"),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := lookback.ParseRef(args[0])
			if err != nil {
				return err
			}
			if r.Seq > 0 || r.Key != "" {
				return usage(fmt.Sprintf("%s is part of a session", r), "only a whole session can be forgotten: "+lookback.SessionRef(r.Session).String())
			}
			svc, err := a.fresh(cmd.Context())
			if err != nil {
				return err
			}
			if r, err = a.complete(cmd.Context(), svc, r); err != nil {
				return err
			}
			what, err := svc.Forget(cmd.Context(), r, true)
			if err != nil {
				return err
			}
			if !dry {
				if err := a.confirm(&what, yes); err != nil {
					return err
				}
				if what, err = svc.Forget(cmd.Context(), r, false); err != nil {
					return err
				}
			}
			return a.forgotten(&what)
		},
	}
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask")
	cmd.Flags().BoolVar(&dry, "dry-run", false, "only say what would go")
	exclusive(cmd, "yes", "dry-run")
	return cmd
}

// confirm asks on a terminal. Without one, only --yes is consent.
func (a *app) confirm(what *service.Forgotten, yes bool) error {
	if yes {
		return nil
	}
	if !a.c.Terminal.In || !a.c.Terminal.Err || a.g.noInput {
		return usage("forgetting a session needs consent", "see what goes with --dry-run, then add --yes")
	}
	for _, l := range goes(a, what) {
		fmt.Fprintln(a.c.Err, render.Clean(l))
	}
	fmt.Fprint(a.c.Err, "Forget it for good? [y/N] ")
	line, _ := bufio.NewReader(a.c.In).ReadString('\n')
	if s := strings.ToLower(strings.TrimSpace(line)); s != "y" && s != "yes" {
		fmt.Fprintln(a.c.Err, "Nothing was changed.")
		return exitCode(codeFailed)
	}
	return nil
}

// goes says what forgetting removes.
func goes(a *app, f *service.Forgotten) []string {
	out := []string{
		fmt.Sprintf("session   %s  %s", f.Ref, f.Name),
		fmt.Sprintf("index     %s, %s", count(f.Exchanges, "exchange", "exchanges"), count(f.Summaries, "summary", "summaries")),
	}
	for _, dir := range f.Archives {
		out = append(out, "archive   "+a.dir(dir))
	}
	if f.Source != "" {
		out = append(out, "stays     "+a.dir(f.Source))
	}
	return out
}

func (a *app) forgotten(f *service.Forgotten) error {
	if a.g.json {
		f.Archives = list(f.Archives)
		return a.print(f)
	}
	head := "forgotten:"
	if !f.Done {
		head = "would be forgotten:"
	}
	rows := append([]string{head}, goes(a, f)...)
	for i, r := range rows {
		rows[i] = render.Clean(r)
	}
	_, err := fmt.Fprint(a.c.Out, indent(0, rows...))
	return err
}
