package cli

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"lookback"
	"lookback/internal/service"
)

// sureID is how many bytes of a session id do for --yes: a slip of the finger in
// fewer could name another session.
const sureID = 8

func (a *app) forgetCommand() *cobra.Command {
	var yes, dry bool
	cmd := &cobra.Command{
		Use:   "forget REF",
		Short: "remove a session for good",
		Long: `Forget removes a session from the index and from every known archive,
summaries included, and leaves a mark so that no sync brings it back. The
index is written anew to leave no trace, which takes a while if it is large.
The agent's own log stays as it is. It asks before it does anything; without a
terminal it needs --yes, and then the whole id or at least 8 letters of it.`,
		Args: args(1, 1, "the ref of a session"),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := lookback.ParseRef(args[0])
			if err != nil {
				return err
			}
			if r.Seq > 0 || r.Key != "" {
				return usage(fmt.Sprintf("%s is part of a session", r), "only a whole session can be forgotten: "+lookback.SessionRef(r.Session).String())
			}
			if err := a.fresh(cmd.Context()); err != nil {
				return err
			}
			typed := r.Session
			if r, err = a.complete(cmd.Context(), r); err != nil {
				return err
			}
			if yes && r.Session != typed && len(typed.Native) < sureID {
				return usage(lookback.SessionRef(typed).String()+" is too short to forget a session without asking", "write the whole ref: "+r.String())
			}
			what, err := a.svc.Forget(cmd.Context(), r, true)
			if err != nil {
				return err
			}
			if !dry {
				if err := a.confirm(&what, yes); err != nil {
					return err
				}
				if what, err = a.svc.Forget(cmd.Context(), r, false); err != nil {
					return err
				}
			}
			return a.forgotten(&what)
		},
	}
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask")
	cmd.Flags().BoolVar(&dry, "dry-run", false, "only say what would go")
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
	a.goes(a.c.Err, what)
	a.talk("Forget it for good? [y/N] ")
	line, _ := bufio.NewReader(a.c.In).ReadString('\n')
	if s := strings.ToLower(strings.TrimSpace(line)); s != "y" && s != "yes" {
		a.talk("Nothing was changed.\n")
		return exitCode(codeFailed)
	}
	return nil
}

// goes says what forgetting removes.
func (a *app) goes(w io.Writer, f *service.Forgotten) {
	s := a.screen(w)
	s.say("session", "%s  %s", f.Ref, f.Name)
	s.say("index", "%s, %s", count(f.Exchanges, "exchange", "exchanges"), count(f.Summaries, "summary", "summaries"))
	for _, dir := range f.Archives {
		s.say("archive", "%s", a.dir(dir))
	}
	if f.Source != "" {
		s.say("stays", "%s", a.dir(f.Source))
	}
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
	fmt.Fprintln(a.out, head)
	a.goes(a.out, f)
	return nil
}
