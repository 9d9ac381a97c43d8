package tool

import (
	"context"
	"errors"
	"time"

	"lookback/internal/service"
)

// running is a sync under way.
type running struct {
	done  chan struct{}
	notes []string
	err   error
}

// catchUp runs a sync, or joins the one with the same key that is under way, and
// waits for it as long as a call may wait. It gives notes about what may be
// missing, behind when the sync goes on without the call.
func (s *Set) catchUp(ctx context.Context, key string, sync func(context.Context) ([]string, error)) (notes []string, behind bool) {
	s.mu.Lock()
	r := s.syncs[key]
	if r == nil {
		r = &running{done: make(chan struct{})}
		s.syncs[key] = r
		go s.run(r, key, sync)
	}
	s.mu.Unlock()
	timer := time.NewTimer(s.o.CatchUp)
	defer timer.Stop()
	select {
	case <-r.done:
	case <-timer.C:
		return nil, true
	case <-ctx.Done():
		return nil, true
	}
	switch {
	case r.err == nil:
		return r.notes, false
	case errors.Is(r.err, service.ErrBusy):
		return []string{"another process is writing the index, so the newest entries may be missing"}, false
	}
	return []string{"the index could not be brought up to date (" + valid(r.err.Error()) + "), so the newest entries may be missing"}, false
}

// run carries out a sync. A fault of ours in it must not end the process.
func (s *Set) run(r *running, key string, sync func(context.Context) ([]string, error)) {
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
	r.notes, r.err = sync(s.ctx)
}

// Close waits for syncs under way, at most for the given time, then ends them.
func (s *Set) Close(wait time.Duration) {
	end := time.Now().Add(wait)
	for {
		s.mu.Lock()
		var r *running
		for _, r = range s.syncs {
			break
		}
		s.mu.Unlock()
		if r == nil {
			s.cancel()
			return
		}
		select {
		case <-r.done:
		case <-time.After(time.Until(end)):
			s.cancel()
			<-r.done // it stops at the next place it can
		}
	}
}
