package cli

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"lookback"
	"lookback/internal/render"
	"lookback/internal/service"
)

func (a *app) doctorCommand() *cobra.Command {
	var deep bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "say what was found and what is wrong",
		Long: `Doctor looks at everything and changes nothing: where sessions were found, how old
and large the index is, what could not be read, what exists in archives only. Exit
code 3 says that some sources could not be read.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			svc, err := a.open(cmd.Context())
			if err != nil {
				return err
			}
			h, err := svc.Check(cmd.Context(), deep)
			if err != nil {
				return err
			}
			if err := a.health(&h); err != nil {
				return err
			}
			if unreadable(h.Warnings) > 0 || h.Kinds[string(lookback.Unreadable)]+h.Kinds[string(lookback.BadArchive)] > 0 {
				return exitCode(codeUnreadable)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&deep, "deep", false, "also verify the index page by page, which reads all of it")
	return cmd
}

func (a *app) health(h *service.Health) error {
	if a.g.json {
		return a.print(healthJSON(h))
	}
	w := bufio.NewWriter(a.c.Out)
	p := a.page()
	say := func(name, format string, args ...any) {
		fmt.Fprintf(w, "%s  %s\n", p.Style.Bold(fmt.Sprintf("%-9s", name)), render.Clean(fmt.Sprintf(format, args...)))
	}
	say("index", "%s, %s", a.dir(h.Index), size(h.IndexBytes))
	say("synced", "%s", a.ago(h.Synced))
	if h.IndexNotice != "" {
		say("notice", "%s", h.IndexNotice)
	}
	for _, g := range h.Agents {
		text := fmt.Sprintf("%s in %s", count(g.Sessions, "session", "sessions"), count(g.Places, "file", "files"))
		if g.Stale > 0 {
			text += fmt.Sprintf(", %s to read: run lookback sync", thousands(g.Stale))
		}
		say(g.Agent, "%s", text)
	}
	say("holds", "%s, %s, %s, %s", count(h.Sessions, "session", "sessions"), count(h.Entries, "entry", "entries"),
		count(h.Exchanges, "exchange", "exchanges"), count(h.Summaries, "summary", "summaries"))
	if h.Pending > 0 {
		say("pending", "%s not written yet", count(h.Pending, "summary", "summaries"))
	}
	for _, r := range h.Archives {
		say("archive", "%s, %s", a.dir(r.Dir), count(r.Records, "record", "records"))
	}
	if h.ArchiveOnly > 0 {
		say("alone", "%s only in an archive", count(h.ArchiveOnly, "session exists", "sessions exist"))
	}
	for _, k := range kinds(h.Kinds) {
		say("warning", "%s: %d", k, h.Kinds[k])
	}
	for _, v := range once(h.Warnings) {
		fmt.Fprintf(w, "  %s\n", render.Clean(v.String()))
	}
	for _, v := range h.Problems {
		say("problem", "%s", v)
	}
	if len(h.Problems) == 0 && len(h.Kinds) == 0 && h.IndexNotice == "" {
		say("state", "all well")
	}
	return w.Flush()
}

func kinds(m map[string]int) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.SortFunc(out, strings.Compare)
	return out
}

// healthDoc is the service's report with times and files as other commands give
// them.
type healthDoc struct {
	*service.Health
	Synced   render.Stamp   `json:"synced"`
	Files    []warningDoc   `json:"files"` // warnings by file
	Problems []string       `json:"problems"`
	Kinds    map[string]int `json:"warnings"`
}

func healthJSON(h *service.Health) healthDoc {
	if h.Agents == nil {
		h.Agents = []service.AgentHealth{}
	}
	if h.Archives == nil {
		h.Archives = []service.ArchiveHealth{}
	}
	d := healthDoc{Health: h, Synced: render.Stamp(h.Synced), Files: warningDocs(h.Warnings), Problems: list(h.Problems), Kinds: h.Kinds}
	if d.Kinds == nil {
		d.Kinds = map[string]int{}
	}
	return d
}
