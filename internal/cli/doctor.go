package cli

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

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
		Long: `Doctor looks at everything and changes nothing: where sessions were found, how
old and large the index is, what could not be read, what exists in archives
only. Exit code 3 says that some sources could not be read.`,
		Args: args(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			svc, err := a.open(cmd.Context())
			if err != nil {
				return err
			}
			h, err := svc.Check(cmd.Context(), deep)
			if err != nil {
				return err
			}
			if a.g.json {
				err = a.print(healthJSON(&h))
			} else {
				a.health(&h)
			}
			if err == nil && unreadable(h.Warnings) > 0 {
				err = exitCode(codeUnreadable)
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&deep, "deep", false, "also verify the index page by page, which reads all of it")
	return cmd
}

func (a *app) health(h *service.Health) {
	s := a.screen(a.out)
	s.say("index", "%s, %s", a.dir(h.Index), size(h.IndexBytes))
	s.say("synced", "%s", cmp.Or(s.Minute(h.Synced), "never"))
	if h.IndexNotice != "" {
		s.say("notice", "%s", h.IndexNotice)
	}
	for _, g := range h.Agents {
		text := fmt.Sprintf("%s in %s", count(g.Sessions, "session", "sessions"), count(g.Places, "file", "files"))
		if g.Stale > 0 {
			text += fmt.Sprintf(", %s to read: run lookback sync", thousands(g.Stale))
		}
		s.say(g.Agent, "%s", text)
	}
	for _, dir := range a.folders() {
		s.say("looks in", "%s", dir)
	}
	s.say("holds", "%s, %s, %s, %s", count(h.Sessions, "session", "sessions"), count(h.Entries, "entry", "entries"),
		count(h.Exchanges, "exchange", "exchanges"), count(h.Summaries, "summary", "summaries"))
	if h.Pending > 0 {
		s.say("pending", "%s not written yet", count(h.Pending, "summary", "summaries"))
	}
	for _, r := range h.Archives {
		s.say("archive", "%s, %s", a.dir(r.Dir), count(r.Records, "record", "records"))
	}
	if h.ArchiveOnly > 0 {
		s.say("alone", "%s only in an archive", count(h.ArchiveOnly, "session exists", "sessions exist"))
	}
	for _, kind := range slices.Sorted(maps.Keys(h.Kinds)) {
		s.say("warning", "%s: %d", kind, h.Kinds[kind])
	}
	for _, w := range once(h.Warnings) {
		fmt.Fprintf(a.out, "  %s\n", render.Clean(w.String()))
	}
	for _, p := range h.Problems {
		s.say("problem", "%s", p)
	}
	if len(h.Problems) == 0 && len(h.Kinds) == 0 && h.IndexNotice == "" {
		s.say("state", "all well")
	}
}

// healthDoc is the service's report with times as other commands give them and
// the warnings by file.
type healthDoc struct {
	*service.Health
	Synced render.Stamp       `json:"synced"`
	Files  []lookback.Warning `json:"files"`
}

func healthJSON(h *service.Health) healthDoc {
	h.Agents, h.Archives = list(h.Agents), list(h.Archives)
	return healthDoc{h, render.Stamp(h.Synced), once(h.Warnings)}
}
