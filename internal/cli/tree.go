package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"
	"time"

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
summaries that cover it above, what it covers below. The session is the root, the
exchanges are the leaves. The ref of an entry means the exchange that holds it.`,
		Example: `  lookback tree pi:0198c1de
  lookback tree pi:0198c1de#12`,
		Args: oneArg("a ref"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.checkPage(&o, cmd.Flags().Changed("limit")); err != nil {
				return err
			}
			r, err := lookback.ParseRef(args[0])
			if err != nil {
				return err
			}
			svc, err := a.fresh(cmd.Context())
			if err != nil {
				return err
			}
			return a.tree(cmd.Context(), svc, r, &o)
		},
	}
	o.pageFlags(cmd, true)
	return cmd
}

// oneArg wants exactly one argument.
func oneArg(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 1 {
			return nil
		}
		return usage(fmt.Sprintf("%s needs %s, not %d arguments", cmd.CommandPath(), what, len(args)), cmd.CommandPath()+" --help shows examples")
	}
}

func (a *app) tree(ctx context.Context, svc *service.Service, r lookback.Ref, o *narrow) error {
	r, err := a.complete(ctx, svc, r)
	if err != nil {
		return err
	}
	v, err := svc.Browse(ctx, lookback.Everything(), service.BrowseRequest{Ref: r, Offset: o.offset, Limit: o.limit})
	if err != nil {
		return err
	}
	switch {
	case a.g.json:
		return a.print(treeJSON(&v))
	case a.human():
		return a.paged(ctx, func(w io.Writer) error { return a.treeScreen(w, &v, o) })
	}
	return a.treeRows(&v)
}

// treeRows writes the node and its neighbours as rows; docs/scripting.md names
// the columns.
func (a *app) treeRows(v *service.NodeView) error {
	w := bufio.NewWriter(a.c.Out)
	write := func(relation string, n *lookback.Node) error {
		return row(w, relation, lookback.NodeRef(v.Session.ID, n.ID).String(), n.Kind.String(), strconv.Itoa(n.Level), a.stamp(n.From),
			a.stamp(n.To), strconv.FormatBool(n.Completed), strconv.FormatBool(n.Ready), a.preview(n))
	}
	if err := write("self", &v.Node); err != nil {
		return err
	}
	for i := range v.Parents {
		if err := write("parent", &v.Parents[i]); err != nil {
			return err
		}
	}
	for i := range v.Children {
		if err := write("child", &v.Children[i]); err != nil {
			return err
		}
	}
	return w.Flush()
}

// preview is the beginning of a node's text on one row.
func (a *app) preview(n *lookback.Node) string {
	l := render.LabelsFor(a.locale())
	if n.Kind == lookback.KindSummary && !n.Ready {
		return l.Pending
	}
	const chars = 300
	return lookback.Flatten(l.Archived(n.Text), chars)
}

func (a *app) treeScreen(out io.Writer, v *service.NodeView, o *narrow) error {
	w := bufio.NewWriter(out)
	p := a.page()
	n := &v.Node
	self := lookback.NodeRef(v.Session.ID, n.ID)
	a.sessionHeading(w, p, &v.Session)
	head := n.Kind.String()
	if n.Kind == lookback.KindSummary {
		head += " of level " + strconv.Itoa(n.Level)
	}
	if !n.Completed {
		head += " (" + p.Labels.Unfinished + ")"
	}
	w.WriteString(render.Fit(head+"  "+span(p, n.From, n.To), p.Cols) + "\n")
	for _, part := range fitRef(self.String(), p.Cols) {
		w.WriteString(p.Style.Dim(part) + "\n")
	}
	switch {
	case n.Kind == lookback.KindSummary && !n.Ready:
		w.WriteString("\n" + render.Fit(p.Labels.Pending, p.Cols) + "\n")
	case n.Kind != lookback.KindSession:
		w.WriteString("\n" + render.CleanLines(p.Labels.Archived(n.Text)) + "\n")
	}
	if len(v.Parents) > 0 {
		w.WriteString("\n" + p.Style.Bold("parents") + "\n")
		for i := range v.Parents {
			a.neighbour(w, p, "↑", v.Session.ID, &v.Parents[i])
		}
	}
	a.children(w, p, v, self, o)
	return w.Flush()
}

func (a *app) children(w *bufio.Writer, p *render.Page, v *service.NodeView, self lookback.Ref, o *narrow) {
	if v.Total == 0 {
		return
	}
	head := fmt.Sprintf("children %d–%d of %d", v.Offset+1, v.Offset+len(v.Children), v.Total)
	if len(v.Children) == 0 {
		head = fmt.Sprintf("no children from %d on; there are %d", v.Offset+1, v.Total)
	}
	w.WriteString("\n" + p.Style.Bold(head) + "\n")
	for i := range v.Children {
		a.neighbour(w, p, "↓", v.Session.ID, &v.Children[i])
	}
	if end := v.Offset + len(v.Children); end < v.Total && len(v.Children) > 0 {
		next := fmt.Sprintf("lookback tree %s --offset %d", self, end)
		if o.limit != defaultLimit {
			next += fmt.Sprintf(" --limit %d", o.limit)
		}
		w.WriteString("\nnext page:\n")
		for _, part := range fitRef(next, p.Cols-2) {
			w.WriteString("  " + p.Style.Dim(part) + "\n")
		}
	}
}

// neighbour writes a node in two rows or more: what it is, and its ref.
func (a *app) neighbour(w *bufio.Writer, p *render.Page, arrow string, id lookback.SessionID, n *lookback.Node) {
	head := arrow + " " + n.Kind.String()
	if n.Kind == lookback.KindSummary {
		head += " " + strconv.Itoa(n.Level)
	}
	if !n.Completed {
		head += " (" + p.Labels.Unfinished + ")"
	}
	if at := p.Minute(n.From); at != "" {
		head += "  " + at
	}
	if t := render.Clean(a.preview(n)); t != "" {
		head += "  " + t
	}
	w.WriteString("  " + render.Fit(head, p.Cols-2) + "\n")
	for _, part := range fitRef(lookback.NodeRef(id, n.ID).String(), p.Cols-4) {
		w.WriteString("    " + p.Style.Dim(part) + "\n")
	}
}

// span gives two times without saying the day twice.
func span(p *render.Page, from, to time.Time) string {
	a, b := p.Minute(from), p.Minute(to)
	switch {
	case a == b || b == "":
		return a
	case len(a) == len(b) && len(a) > 10 && a[:10] == b[:10]:
		return a + "–" + b[11:]
	}
	return a + " – " + b
}
