package cli

import (
	"bufio"
	"context"
	"errors"
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
		Long: `Read shows the words behind a ref: all of a session, one entry, or the entries
of an exchange. Words come from the agent's own log, or from the archive when
the log is gone. Without a ref, --tail reads the newest session of the
workspace.

"-" reads refs from standard input, one a line; what follows a tab is left
out, so the rows of search and sessions can be piped in.`,
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
	case o.from < 0:
		return usage(fmt.Sprintf("--from cannot be %d", o.from), "use an entry number, 1 or more")
	}
	return errors.Join(between("--around", o.around, 0, maxAround), between("--limit", o.limit, 1, maxRead))
}

func (a *app) read(ctx context.Context, args []string, o *readOptions) error {
	refs, err := a.refs(args)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		refs, err = a.newest(ctx, &o.narrow)
	} else {
		err = a.fresh(ctx)
	}
	if err != nil {
		return err
	}
	return a.paged(ctx, func(w io.Writer) error {
		for i, r := range refs {
			got, err := a.readOne(ctx, r, o)
			if err != nil {
				return err
			}
			if a.g.json {
				err = a.print(readingJSON(&got))
			} else {
				if i > 0 {
					fmt.Fprintln(w)
				}
				err = a.writeReading(w, &got, o)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func (a *app) readOne(ctx context.Context, r lookback.Ref, o *readOptions) (service.Reading, error) {
	r, err := a.complete(ctx, r)
	if err != nil {
		return service.Reading{}, err
	}
	if o.around > 0 && r.Seq == 0 {
		return service.Reading{}, usage(fmt.Sprintf("--around needs the ref of an entry, not %s", r), "add #NUMBER of an entry, or use lookback tree to see the neighbours of a node")
	}
	if o.tail > 0 && (r.Seq > 0 || r.Key != "") {
		return service.Reading{}, usage(fmt.Sprintf("--tail needs the ref of a session, not %s", r), "leave --tail out, or read "+lookback.SessionRef(r.Session).String())
	}
	return a.svc.Read(ctx, lookback.Everything(), service.ReadRequest{Ref: r, Around: o.around, Tail: o.tail, Limit: o.limit, After: max(o.from-1, 0)})
}

// refs reads the refs of a command line, or of standard input for "-".
func (a *app) refs(args []string) ([]lookback.Ref, error) {
	if len(args) == 1 && args[0] == "-" {
		args = nil
		sc := bufio.NewScanner(io.LimitReader(a.c.In, maxStdin))
		for sc.Scan() {
			if cell, _, _ := strings.Cut(sc.Text(), "\t"); strings.TrimSpace(cell) != "" {
				args = append(args, cell)
			}
		}
		if err := sc.Err(); err != nil {
			return nil, fmt.Errorf("read refs: %w", err)
		}
	}
	refs := make([]lookback.Ref, len(args))
	for i, arg := range args {
		var err error
		if refs[i], err = lookback.ParseRef(arg); err != nil {
			return nil, err
		}
	}
	return refs, nil
}

// newest is the session of the workspace with the newest words.
func (a *app) newest(ctx context.Context, n *narrow) ([]lookback.Ref, error) {
	p, err := a.where(ctx, n, &lookback.Filters{})
	if err != nil {
		return nil, err
	}
	list, err := a.svc.Sessions(ctx, service.ListRequest{Scope: p.scope, Limit: 1})
	if err != nil {
		return nil, err
	}
	if len(list.Sessions) == 0 {
		return nil, &fault{codeFailed, "not_found", "there is no session in " + a.placeName(p), "look everywhere with --all, or name a session by its ref"}
	}
	return []lookback.Ref{lookback.SessionRef(list.Sessions[0].ID)}, nil
}

// writeReading writes a reading for people, with what it is and how to go on.
func (a *app) writeReading(w io.Writer, got *service.Reading, o *readOptions) error {
	s := a.screen(w)
	if !o.markdown && a.human() {
		s.session(&got.Session)
		s.rows(0, s.whole(got.Ref.String()))
		s.blank()
	}
	if got.Origin == service.FromArchive {
		a.note("the native log of " + lookback.SessionRef(got.Session.ID).String() + " is gone; this is from the archive, without tool calls")
	}
	if got.Text != "" {
		fmt.Fprintln(w, render.CleanLines(s.Labels.Archived(got.Text)))
	}
	run := render.Run{Entries: got.Entries, Boundary: got.Boundary, Statuses: got.Statuses}
	if o.around > 0 {
		run.Focus = got.Ref.Seq
	}
	write := s.Text
	if o.markdown {
		write = s.Markdown
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
