package service

import (
	"context"

	"lookback"
)

// Forgotten says what forgetting a session removes, or removed.
type Forgotten struct {
	Session   Session  `json:"-"`
	Ref       string   `json:"ref"`
	Name      string   `json:"name"`
	Exchanges int      `json:"exchanges"`
	Summaries int      `json:"summaries"`
	Archives  []string `json:"archives"` // directories whose record goes
	Source    string   `json:"source"`   // native log, which stays as it is
	Done      bool     `json:"done"`     // false for a dry run
}

// Forget removes a session from the index and every known archive and leaves a
// tombstone, so that no sync brings it back. The native log is not touched. With
// dry nothing is changed.
func (s *Service) Forget(ctx context.Context, r lookback.Ref, dry bool) (Forgotten, error) {
	return s.forget(ctx, r, dry)
}
