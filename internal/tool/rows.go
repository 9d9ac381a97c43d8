package tool

import (
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

// Bounds of names, in characters: a damaged log may hold any.
const (
	maxToolName = 120
	maxAuthor   = 200
)

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
	said := Row{Entry: e.Seq, Role: e.Role.String(), Author: clip(valid(e.Author), maxAuthor), Text: valid(wordsOf(e))}
	if len(e.Calls) == 0 {
		return []Row{said}
	}
	var rows []Row
	if said.Text != "" {
		rows = append(rows, said)
	}
	for i := range e.Calls {
		rows = append(rows, Row{Entry: e.Seq, Role: said.Role, Author: said.Author,
			Tool: &RowTool{Name: clip(valid(e.Calls[i].Name), maxToolName), Status: statusOf(c, at, i)}})
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

// statusOf tells how a tool call ended, from what follows on the path. A call
// without a result is pending until the model has gone on without it.
func statusOf(c *service.Conversation, at, call int) string {
	e := c.Entry(c.Path[at])
	asked := e.Calls[call]
	same := 0 // calls before this one that cannot be told from it
	for _, other := range e.Calls[:call] {
		if other.ID == asked.ID && (asked.ID != "" || other.Name == asked.Name) {
			same++
		}
	}
	for _, seq := range c.Path[at+1:] {
		next := c.Entry(seq)
		if r := next.Reply; r != nil && r.Call == asked.ID && (asked.ID != "" || r.Tool == asked.Name) {
			switch {
			case same > 0:
				same--
			case r.Failed && e.Stop == lookback.StopAborted:
				return "aborted"
			case r.Failed:
				return "error"
			default:
				return "ok"
			}
		}
		if next.Spoken() && next.Role == lookback.RoleAssistant {
			return "aborted"
		}
	}
	if e.Stop == lookback.StopAborted || e.Stop == lookback.StopError {
		return "aborted"
	}
	return "pending"
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
