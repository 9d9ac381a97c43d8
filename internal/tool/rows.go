package tool

import (
	"cmp"
	"fmt"
	"strings"

	"lookback"
	"lookback/internal/service"
)

// Row is one row of history_read. The rows of an assistant entry that calls tools
// share its number: its words first, then one row per call.
type Row struct {
	Entry  int      `json:"entry"`
	Role   string   `json:"role"` // user, assistant, compaction, reset or handoff
	Author string   `json:"author,omitempty"`
	Text   string   `json:"text"`
	Tool   *RowTool `json:"tool,omitempty"`
}

// RowTool is a tool call. Arguments and results are never shown.
type RowTool struct {
	Name   string `json:"name"`
	Status string `json:"status"` // ok, error, aborted or pending
}

// maxName bounds names, in characters: a damaged log may hold any.
const maxName = 120

// rowsOf makes the rows of the entry at a position of the path.
func rowsOf(c *service.Conversation, at int) []Row {
	e := c.Entry(c.Path[at])
	if e.Cut != nil {
		r := Row{Entry: e.Seq, Role: e.Cut.Cause.String()}
		if e.Cut.Cause == lookback.CauseHandoff {
			r.Text = valid(e.Cut.Text)
		}
		return []Row{r}
	}
	said := Row{Entry: e.Seq, Role: e.Role.String(), Author: clip(valid(e.Author), maxName), Text: valid(wordsOf(e))}
	if len(e.Calls) == 0 {
		return []Row{said}
	}
	var rows []Row
	if said.Text != "" {
		rows = append(rows, said)
	}
	for i, status := range statusesOf(c, at) {
		called := &RowTool{Name: clip(valid(e.Calls[i].Name), maxName), Status: status}
		rows = append(rows, Row{Entry: e.Seq, Role: said.Role, Author: said.Author, Tool: called})
	}
	return rows
}

// wordsOf gives the words of an entry with placeholders for what has none.
func wordsOf(e *lookback.Entry) string {
	out := make([]string, 0, len(e.Parts))
	for _, p := range e.Parts {
		switch p.Kind {
		case lookback.PartText:
			out = append(out, p.Text)
		case lookback.PartImage:
			out = append(out, "[image]")
		case lookback.PartThinking:
			out = append(out, "[thinking]")
		case lookback.PartAttachment:
			out = append(out, "[attachment: "+p.Text+"]")
		}
	}
	return strings.Join(out, "\n")
}

// statusesOf tells how the tool calls of the entry at a position ended, from what
// follows on the path. A call without a result is pending until the model has gone
// on without it. In a damaged log several calls have the same id, or none: they
// take the results in turn.
func statusesOf(c *service.Conversation, at int) (out []string) {
	e := c.Entry(c.Path[at])
	over := e.Stop == lookback.StopAborted || e.Stop == lookback.StopError
	results := map[string][]*lookback.Reply{}
	for _, seq := range c.Path[at+1:] {
		next := c.Entry(seq)
		if next.Spoken() && next.Role == lookback.RoleAssistant {
			over = true
			break
		}
		if r := next.Reply; r != nil {
			key := cmp.Or(r.Call, r.Tool)
			results[key] = append(results[key], r)
		}
	}
	for _, call := range e.Calls {
		key := cmp.Or(call.ID, call.Name)
		of := results[key]
		results[key] = of[min(1, len(of)):]
		switch {
		case len(of) == 0 && over, len(of) > 0 && of[0].Failed && e.Stop == lookback.StopAborted:
			out = append(out, "aborted")
		case len(of) == 0:
			out = append(out, "pending")
		case of[0].Failed:
			out = append(out, "error")
		default:
			out = append(out, "ok")
		}
	}
	return out
}

// heading is the line above a row in the form for a model.
func (r *Row) heading() string {
	switch {
	case r.Tool != nil:
		return fmt.Sprintf("#%d %s called %s: %s", r.Entry, r.Role, r.Tool.Name, r.Tool.Status)
	case r.Role == lookback.CauseHandoff.String():
		return fmt.Sprintf("#%d handoff: a new context began here with this text", r.Entry)
	case r.Role == lookback.CauseCompaction.String() || r.Role == lookback.CauseReset.String():
		return fmt.Sprintf("#%d %s: what stands before left the context", r.Entry, r.Role)
	}
	return fmt.Sprintf("#%d %s:", r.Entry, speaker(r.Role, r.Author))
}

// write adds the row in the form for a model. Rows with text end with a blank line.
func (r *Row) write(b *strings.Builder) {
	b.WriteString(r.heading() + "\n")
	if r.Text != "" {
		b.WriteString(r.Text + "\n\n")
	}
}
