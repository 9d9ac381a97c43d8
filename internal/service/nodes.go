package service

import (
	"context"
	"fmt"

	"lookback"
)

// NodeNamed finds what an id means within scope: an archive node id, or a ref. The
// answer for what lies outside is the same as for what does not exist.
func (s *Service) NodeNamed(ctx context.Context, scope lookback.Scope, id string) (lookback.Ref, error) {
	ref, bad := lookback.ParseRef(id)
	if record, _, _, ok := lookback.SplitNodeID(id); ok {
		sess, err := s.db.SessionByRecord(ctx, record)
		if err != nil {
			return ref, err
		}
		if sess != nil {
			ref, bad = lookback.NodeRef(sess.ID, id), nil
		}
	}
	if bad != nil {
		return ref, fmt.Errorf("%w: no node %s in %s", ErrNotFound, lookback.Clip(id, 200), scope)
	}
	_, err := s.resolve(ctx, scope, ref.Session)
	return ref, err
}

// Unfinished tells which of the sessions, by Row, have an exchange that is not
// completed.
func (s *Service) Unfinished(ctx context.Context, sessions []Session) (map[int64]bool, error) {
	rows := make([]int64, len(sessions))
	for i := range sessions {
		rows[i] = sessions[i].Row
	}
	return s.db.Unfinished(ctx, rows)
}

// Openings gives the beginning of the text of each hit's node, in archive form: at
// least most bytes, or all there are.
func (s *Service) Openings(ctx context.Context, hits []Hit, most int) ([]string, error) {
	return s.db.Openings(ctx, hits, most)
}
