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
	Cursor  string           // Next of the page before; "" for the first
	Offset  int              // rows to skip when there is no cursor
}

// SessionList is a page of sessions, see its fields.
type SessionList = index.SessionPage

// Sessions lists sessions, newest first, in a stable order.
func (s *Service) Sessions(ctx context.Context, r ListRequest) (SessionList, error) {
	if r.Limit == 0 {
		r.Limit = 50
	}
	return s.db.Sessions(ctx, index.SessionQuery{Scope: r.Scope, Filters: r.Filters, Limit: r.Limit, Cursor: r.Cursor, Offset: r.Offset})
}
