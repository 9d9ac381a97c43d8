package ingest

import (
	"strconv"
	"strings"
	"time"

	"lookback"
)

// The index keeps more with a file than the source's stamp: when to read it again
// although it did not change, since what is only cut short now counts as broken
// then; and which workspace claims its session.
const (
	againMark = " again "
	claimMark = " for "
)

// unread stands in the place of the stamp of a file that could not be read: the
// next sync tries again.
const unread = "unread"

func keptStamp(p lookback.Place, again time.Time) string {
	stamp := p.Stamp
	if !again.IsZero() {
		stamp += againMark + strconv.FormatInt(again.Unix(), 10)
	}
	if p.Workspace != "" {
		stamp += claimMark + p.Workspace
	}
	return stamp
}

// claimOf is the workspace that claims the session of a file.
func claimOf(had string) string {
	_, claim, _ := strings.Cut(had, claimMark)
	return claim
}

// Unchanged reports whether a place with the stamp now needs no reading: it is
// as the index had it, and the time to look again has not come.
func Unchanged(had, now string, t time.Time) bool {
	had, _, _ = strings.Cut(had, claimMark)
	stamp, again, ok := strings.Cut(had, againMark)
	if stamp != now || stamp == "" {
		return false
	}
	if !ok {
		return true
	}
	sec, err := strconv.ParseInt(again, 10, 64)
	return err == nil && t.Unix() < sec
}
