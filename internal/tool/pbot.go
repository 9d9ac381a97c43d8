package tool

import (
	"context"
	"errors"
	"strings"
	"time"

	"lookback"
	"lookback/internal/render"
	"lookback/internal/service"
)

// Head is what pbot_history says of every node that it names.
type Head struct {
	ID        string  `json:"id"`
	Kind      string  `json:"kind"`
	SessionID string  `json:"sessionId"`
	Name      string  `json:"name"`
	Preview   string  `json:"preview"`
	From      *string `json:"from"` // UTC, RFC 3339 with milliseconds; nil when no time is known
	To        *string `json:"to"`
	Ready     bool    `json:"ready"`
	Completed bool    `json:"completed"`
}

type pbotArgs struct {
	Action string

	Query, Match, SessionID string
	From, To, TZ            string
	Cursor                  string

	ID             string
	ChildrenOffset int

	Offset, Limit int
}

// Lengths in UTF-16 units.
const (
	previewUnits = 100
	nameUnits    = 200
	snippetUnits = 400
)

func (s *Set) pbot(ctx context.Context, c Caller, a pbotArgs) (Result, error) {
	if c.Workspace == "" {
		return Result{}, errors.New("pbot_history was started for no workspace: start lookback with --workspace DIR")
	}
	warnings := []string{}
	note := s.catchUp(ctx, "workspace "+c.Workspace, func(ctx context.Context) error { return s.svc.SyncWorkspace(ctx, c.Workspace) })
	if note != "" {
		warnings = append(warnings, note)
	}
	scope, err := s.svc.WorkspaceScope(ctx, c.Workspace)
	if err != nil {
		return Result{}, err
	}
	if a.Action == "read" {
		return s.pbotRead(ctx, c, scope, a, warnings)
	}
	return s.pbotSearch(ctx, c, scope, a, warnings)
}

func headOf(x *service.Session, n *lookback.Node) Head {
	h := Head{
		ID: n.ID, Kind: n.Kind.String(), SessionID: x.ID.Native, Name: flat(valid(x.Name), nameUnits), Preview: flat(shown(n.Text), previewUnits),
		From: stamp(n.From), To: stamp(n.To), Ready: n.Ready, Completed: n.Completed,
	}
	if n.Kind == lookback.KindSession {
		h.Preview = flat(h.Name, previewUnits)
	}
	return h
}

// flat flattens a text and cuts it to so many UTF-16 units.
func flat(s string, units int) string { return unitClip(lookback.Flatten(s, units), units) }

// shown gives a node's text as readers see it: labels in their language, which
// for a model is English.
func shown(s string) string { return render.English.Archived(valid(s)) }

// stamp writes a time, nil for none.
func stamp(t time.Time) *string {
	if t.IsZero() || t.Year() < 0 || t.Year() > 9999 {
		return nil
	}
	s := t.UTC().Format("2006-01-02T15:04:05.000Z")
	return &s
}

// line is the head on one line for a model.
func (h *Head) line() string {
	line := h.Kind + " " + h.ID
	if h.From != nil && h.To != nil {
		const minute = len("2006-01-02T15:04")
		line += "  " + (*h.From)[:minute] + " – " + (*h.To)[:minute] + " UTC"
	}
	if h.Name != "" {
		line += "  in “" + clip(h.Name, 80) + "”"
	}
	if !h.Ready {
		line += "  (not written yet: read its children)"
	} else if !h.Completed {
		line += "  (unfinished)"
	}
	return line + "\n"
}

// link names a node as a resource.
func (h *Head) link(ref string) Link {
	return Link{Ref: ref, Name: strings.TrimSpace(h.Kind + " in " + h.Name)}
}
