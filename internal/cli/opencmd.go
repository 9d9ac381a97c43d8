package cli

import (
	"github.com/spf13/cobra"

	"lookback"
)

// openAround is how many neighbours open shows beside an entry.
const openAround = 5

func (a *app) openCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "open REF",
		Short: "show what a ref names in the best way there is",
		Long: `Open shows a session as a transcript, an entry among its neighbours, and an
exchange or summary in its tree.`,
		Args: oneArg("a ref"),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := lookback.ParseRef(args[0])
			if err != nil {
				return err
			}
			if r.Key != "" {
				svc, err := a.fresh(cmd.Context())
				if err != nil {
					return err
				}
				return a.tree(cmd.Context(), svc, r, &narrow{limit: defaultLimit})
			}
			o := readOptions{limit: maxRead}
			if r.Seq > 0 {
				o.around = openAround
			}
			return a.read(cmd.Context(), args, &o)
		},
	}
	return cmd
}
