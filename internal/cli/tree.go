package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"lookback"
	"lookback/internal/render"
	"lookback/internal/service"
)

func (a *app) treeCommand() *cobra.Command {
	var o narrow
	cmd := &cobra.Command{
		Use:   "tree REF",
		Short: "browse from a node to its parents and children",
		Long: `Tree shows one node of a session's tree with the refs of its neighbours: the
summaries that cover it above, what it covers below. The session is the root,
the exchanges are the leaves. The ref of an entry means the exchange that
holds it.`,
		Example: `  lookback tree pi:0198c1de
  lookback tree pi:0198c1de#12`,
		Args: args(1, 1, "a ref"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.checkPage(cmd, &o); err != nil {
				return err
			}
			r, err := lookback.ParseRef(args[0])
			if err != nil {
				return err
			}
			return a.tree(cmd.Context(), r, &o)
		},
	}
	o.pageFlags(cmd)
	return cmd
}

func (a *app) tree(ctx context.Context, r lookback.Ref, o *narrow) error {
	if err := a.fresh(ctx); err != nil {
		return err
	}
	r, err := a.complete(ctx, r)
	if err != nil {
		return err
	}
	v, err := a.svc.Browse(ctx, lookback.Everything(), service.BrowseRequest{Ref: r, Offset: o.offset, Limit: o.limit})
	if err != nil {
		return err
	}
	if a.g.json {
		return a.print(treeJSON(&v))
	}
	if a.human() {
		return a.paged(ctx, func(w io.Writer) error {
			a.screen(w).tree(&v, o)
			return nil
		})
	}
	row := func(relation string, n *lookback.Node) {
		a.row(relation, lookback.NodeRef(v.Session.ID, n.ID), n.Kind, n.Level, n.From, n.To, n.Completed, n.Ready, a.screen(nil).preview(n))
	}
	row("self", &v.Node)
	for i := range v.Parents {
		row("parent", &v.Parents[i])
	}
	for i := range v.Children {
		row("child", &v.Children[i])
	}
	return nil
}

// preview is the beginning of a node's text on one row.
func (s screen) preview(n *lookback.Node) string {
	if n.Kind == lookback.KindSummary && !n.Ready {
		return s.Labels.Pending
	}
	const chars = 300
	return lookback.Flatten(s.Labels.Archived(n.Text), chars)
}

func (s screen) tree(v *service.NodeView, o *narrow) {
	n := &v.Node
	self := lookback.NodeRef(v.Session.ID, n.ID).String()
	s.session(&v.Session)
	when := s.Minute(n.From)
	if to := s.Minute(n.To); to != when {
		when += " – " + to
	}
	s.rows(0, plain(s.node(n)), plain(when))
	s.rows(0, s.whole(self))
	switch {
	case n.Kind == lookback.KindSummary && !n.Ready:
		s.blank()
		s.rows(0, plain(s.Labels.Pending))
	case n.Kind != lookback.KindSession:
		fmt.Fprintf(s.w, "\n%s\n", render.CleanLines(s.Labels.Archived(n.Text)))
	}
	if len(v.Parents) > 0 {
		s.blank()
		s.rows(0, s.bold("parents"))
		s.neighbours("↑", v.Session.ID, v.Parents)
	}
	if v.Total == 0 {
		return
	}
	end := v.Offset + len(v.Children)
	head := fmt.Sprintf("children %d–%d of %d", v.Offset+1, end, v.Total)
	if len(v.Children) == 0 {
		head = fmt.Sprintf("no children from %d on; there are %d", v.Offset+1, v.Total)
	}
	s.blank()
	s.rows(0, s.bold(head))
	s.neighbours("↓", v.Session.ID, v.Children)
	if end < v.Total && len(v.Children) > 0 {
		next := fmt.Sprintf("lookback tree %s --offset %d", self, end)
		if o.limit != defaultLimit {
			next += fmt.Sprintf(" --limit %d", o.limit)
		}
		s.blank()
		s.rows(0, plain("next page:"))
		s.rows(2, s.whole(next))
	}
}

// neighbours writes nodes in two rows or more each: what it is, and its ref.
func (s screen) neighbours(arrow string, id lookback.SessionID, nodes []lookback.Node) {
	for i := range nodes {
		n := &nodes[i]
		head := arrow + " " + s.node(n)
		for _, more := range []string{s.Minute(n.From), s.preview(n)} {
			if more != "" {
				head += "  " + more
			}
		}
		s.rows(2, plain(head))
		s.rows(4, s.whole(lookback.NodeRef(id, n.ID).String()))
	}
}
