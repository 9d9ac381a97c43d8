package tool

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"
)

// running is a sync under way.
type running struct {
	done chan struct{}
	err  error
}

// catchUp runs a sync, or joins the one with the same key that is under way, and
// waits for it as long as a call may wait. It gives a note about what may be
// missing, "" for nothing.
func (s *Set) catchUp(ctx context.Context, key string, sync func(context.Context) error) string {
	s.mu.Lock()
	r := s.syncs[key]
	if r == nil {
		r = &running{done: make(chan struct{})}
		s.syncs[key] = r
		go s.run(r, key, sync)
	}
	s.mu.Unlock()
	select {
	case <-r.done:
	case <-time.After(s.o.CatchUp):
		return "Syncing takes longer than " + s.o.CatchUp.String() + ": this is what is indexed so far; ask again in a moment for the rest."
	case <-ctx.Done():
		return ""
	}
	if r.err != nil {
		return "The index could not be brought up to date (" + valid(r.err.Error()) + "), so the newest entries may be missing."
	}
	return ""
}

// run carries out a sync. A fault of ours in it must not end the process.
func (s *Set) run(r *running, key string, sync func(context.Context) error) {
	defer func() {
		if p := recover(); p != nil {
			s.log(key, p)
			r.err = errors.New("a fault in lookback")
		}
		s.mu.Lock()
		delete(s.syncs, key)
		s.mu.Unlock()
		close(r.done)
	}()
	r.err = sync(s.ctx)
}

// Close waits for syncs under way, at most for the given time, then ends them. No
// call may come after it.
func (s *Set) Close(wait time.Duration) {
	timer := time.AfterFunc(wait, s.cancel)
	defer timer.Stop()
	s.mu.Lock()
	left := slices.Collect(maps.Values(s.syncs))
	s.mu.Unlock()
	for _, r := range left {
		<-r.done // once cancelled, it stops at the next place it can
	}
	s.cancel()
}
