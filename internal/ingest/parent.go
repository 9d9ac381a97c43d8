package ingest

import (
	"context"
	"path/filepath"
	"strings"
)

// parent finds the file that a fork names as its parent when the sessions have
// been moved since: the one with the same name, if there is exactly one. What is
// found by its path, or named by its id, stays as logged.
func (s *syncer) parent(ctx context.Context, logged string) (string, error) {
	at := strings.LastIndexAny(logged, `/\`)
	if at < 0 || s.plan.known[logged] {
		return logged, nil
	}
	if s.names == nil {
		files, err := s.db.Files(ctx)
		if err != nil {
			return "", err
		}
		s.names = map[string]string{}
		for path := range s.plan.known {
			s.name(path)
		}
		for path := range files {
			if !s.plan.known[path] {
				s.name(path)
			}
		}
	}
	if path := s.names[logged[at+1:]]; path != "" {
		return path, nil
	}
	return logged, nil
}

// name notes a file by its name; "" stands for several.
func (s *syncer) name(path string) {
	base := filepath.Base(path)
	if _, twice := s.names[base]; twice {
		path = ""
	}
	s.names[base] = path
}
