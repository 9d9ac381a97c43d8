package service

import (
	"context"

	"lookback"
	"lookback/internal/index"
)

// ListRequest asks for a page of sessions.
type ListRequest struct {
	Scope   lookback.Scope
	Filters lookback.Filters // Agent, Session, Name, In and When count
	Limit   int              // 1…1000; 0 means 50
	Offset  int
}

// SessionList is a page of sessions, those with the newest words first.
type SessionList struct {
	Sessions []Session
	Total    int
}

// Sessions lists sessions, newest first, in a stable order.
func (s *Service) Sessions(ctx context.Context, r ListRequest) (SessionList, error) {
	if r.Limit == 0 {
		r.Limit = 50
	}
	list, total, err := s.db.Sessions(ctx, index.SessionQuery{Scope: r.Scope, Filters: r.Filters, Limit: r.Limit, Offset: r.Offset})
	return SessionList{Sessions: list, Total: total}, err
}
