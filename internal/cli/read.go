package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"lookback"
	"lookback/internal/render"
	"lookback/internal/service"
)

// maxAround and maxRead bound what one call shows.
const (
	maxAround = 200
	maxRead   = 10_000
)

// readOptions are the flags of read.
type readOptions struct {
	narrow
	tail, around, limit, from int
	markdown                  bool
}

func (a *app) readCommand() *cobra.Command {
	var o readOptions
	cmd := &cobra.Command{
		Use:   "read REF… | --tail N [REF]",
		Short: "read a session, an exchange or an entry in full",
		Long: `Read shows the words behind a ref: all of a session, one entry, or the entries of
an exchange. Words come from the agent's own log, or from the archive when the log
is gone. Without a ref, --tail reads the newest session of the workspace.

"-" reads refs from standard input, one a line; what follows a tab is left out, so
the rows of search and sessions can be piped in.`,
		Example: `  lookback read pi:0198c1de-77a3-7b52-9e0c-5f2d4c1b8a01
  lookback read pi:0198c1de#12 --around 5
  lookback read --tail 20
  lookback search backoff | lookback read - --markdown`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.check(cmd, args); err != nil {
				return err
			}
			return a.read(cmd.Context(), args, &o)
		},
	}
	o.scopeFlags(cmd)
	f := cmd.Flags()
	f.IntVarP(&o.tail, "tail", "t", 0, "only the last `N` entries of a session")
	f.IntVar(&o.around, "around", 0, fmt.Sprintf("with an entry: also `N` entries on each side, up to %d", maxAround))
	f.IntVar(&o.from, "from", 0, "begin at entry number `SEQ`")
	f.IntVarP(&o.limit, "limit", "n", 1000, fmt.Sprintf("at most `N` entries, 1 to %d", maxRead))
	f.BoolVarP(&o.markdown, "markdown", "m", false, "print Markdown")
	return cmd
}

func (o *readOptions) check(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0 && o.tail == 0:
		return usage("read needs a ref", "copy one from lookback search or lookback sessions, or read the newest session with lookback read --tail 20")
	case o.tail < 0 || cmd.Flags().Changed("tail") && o.tail == 0:
		return usage(fmt.Sprintf("--tail cannot be %d", o.tail), "use 1 or more")
	case o.around < 0 || o.around > maxAround:
		return usage(fmt.Sprintf("--around cannot be %d", o.around), fmt.Sprintf("use a number from 0 to %d", maxAround))
	case o.limit < 1 || o.limit > maxRead:
		return usage(fmt.Sprintf("--limit cannot be %d", o.limit), fmt.Sprintf("use a number from 1 to %d", maxRead))
	case o.from < 0:
		return usage(fmt.Sprintf("--from cannot be %d", o.from), "use an entry number, 1 or more")
	}
	return nil
}

func (a *app) read(ctx context.Context, args []string, o *readOptions) error {
	refs, err := a.refs(args)
	if err != nil {
		return err
	}
	svc, err := a.fresh(ctx)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		newest, err := a.newest(ctx, svc, &o.narrow)
		if err != nil {
			return err
		}
		refs = []lookback.Ref{newest}
	}
	if a.g.json {
		for _, r := range refs {
			got, err := a.readOne(ctx, svc, r, o)
			if err == nil {
				err = a.print(readingJSON(&got))
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	return a.paged(ctx, func(w io.Writer) error {
		for i, r := range refs {
			got, err := a.readOne(ctx, svc, r, o)
			if err != nil {
				return err
			}
			if i > 0 {
				fmt.Fprintln(w)
			}
			if err := a.writeReading(w, &got, o); err != nil {
				return err
			}
		}
		return nil
	})
}

func (a *app) readOne(ctx context.Context, svc *service.Service, r lookback.Ref, o *readOptions) (service.Reading, error) {
	r, err := a.complete(ctx, svc, r)
	if err != nil {
		return service.Reading{}, err
	}
	if o.around > 0 && r.Seq == 0 {
		return service.Reading{}, usage(fmt.Sprintf("--around needs the ref of an entry, not %s", r), "add #NUMBER of an entry, or use lookback tree to see the neighbours of a node")
	}
	return svc.Read(ctx, lookback.Everything(), service.ReadRequest{Ref: r, Around: o.around, Tail: o.tail, Limit: o.limit, After: max(o.from-1, 0)})
}

// refs reads the refs of a command line, or of standard input for "-".
func (a *app) refs(args []string) ([]lookback.Ref, error) {
	var out []lookback.Ref
	for _, arg := range args {
		lines := []string{arg}
		if arg == "-" {
			lines = nil
			sc := bufio.NewScanner(io.LimitReader(a.c.In, maxStdin))
			for sc.Scan() {
				if cell, _, _ := strings.Cut(sc.Text(), "\t"); strings.TrimSpace(cell) != "" {
					lines = append(lines, cell)
				}
			}
			if err := sc.Err(); err != nil {
				return nil, fmt.Errorf("read refs: %w", err)
			}
		}
		for _, l := range lines {
			r, err := lookback.ParseRef(l)
			if err != nil {
				return nil, err
			}
			out = append(out, r)
		}
	}
	return out, nil
}

// complete lets a person write the beginning of a session id, as long as only one
// session has it.
func (a *app) complete(ctx context.Context, svc *service.Service, r lookback.Ref) (lookback.Ref, error) {
	const most = 50
	list, err := svc.Sessions(ctx, service.ListRequest{
		Scope: lookback.Everything(), Limit: most,
		Filters: lookback.Filters{Agent: r.Session.Agent, Session: r.Session.Native},
	})
	if err != nil {
		return r, err
	}
	for i := range list.Sessions {
		if list.Sessions[i].ID == r.Session {
			return r, nil
		}
	}
	switch {
	case list.Total == 1 && len(list.Sessions) == 1:
		r.Session = list.Sessions[0].ID
	case list.Total > 1 && list.Total <= most:
		return r, &fault{codeUsage, "ambiguous", fmt.Sprintf("%d sessions begin with %s", list.Total, lookback.SessionRef(r.Session)),
			"write more of the id, such as " + lookback.SessionRef(list.Sessions[0].ID).String()}
	}
	return r, nil // what is not there is said by the service
}

// newest is the session of the workspace with the newest words.
func (a *app) newest(ctx context.Context, svc *service.Service, n *narrow) (lookback.Ref, error) {
	p, err := a.where(ctx, svc, n, &lookback.Filters{})
	if err != nil {
		return lookback.Ref{}, err
	}
	list, err := svc.Sessions(ctx, service.ListRequest{Scope: p.scope, Limit: 1})
	if err != nil {
		return lookback.Ref{}, err
	}
	if len(list.Sessions) == 0 {
		return lookback.Ref{}, &fault{codeFailed, "not_found", "there is no session in " + a.placeName(p), "look everywhere with --all, or name a session by its ref"}
	}
	return lookback.SessionRef(list.Sessions[0].ID), nil
}

// writeReading writes a reading for people, with what it is and how to go on.
func (a *app) writeReading(w io.Writer, got *service.Reading, o *readOptions) error {
	p := a.page()
	if !o.markdown && a.human() {
		b := bufio.NewWriter(w)
		a.sessionHeading(b, p, &got.Session)
		b.WriteString(p.Style.Dim(got.Ref.String()) + "\n\n")
		if err := b.Flush(); err != nil {
			return err
		}
	}
	if got.Origin == service.FromArchive {
		a.note("the native log of " + lookback.SessionRef(got.Session.ID).String() + " is gone; this is from the archive, without tool calls")
	}
	if got.Text != "" {
		if _, err := fmt.Fprintln(w, render.CleanLines(p.Labels.Archived(got.Text))); err != nil {
			return err
		}
	}
	run := render.Run{Entries: got.Entries, Boundary: got.Boundary, Statuses: got.Statuses}
	if o.around > 0 {
		run.Focus = got.Ref.Seq
	}
	write := p.Text
	if o.markdown {
		write = p.Markdown
	}
	if err := write(w, run); err != nil {
		return err
	}
	if len(got.Entries) == 0 && got.Text == "" {
		a.note("there are no words to read in " + got.Ref.String())
	}
	if got.More {
		a.note(fmt.Sprintf("there is more: lookback read %s --from %d", got.Ref, got.Entries[len(got.Entries)-1].Seq+1))
	}
	return nil
}
