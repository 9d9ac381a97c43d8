package service

import (
	"context"
	"time"

	"lookback"
)

// Health is what doctor reports. Making it changes nothing.
type Health struct {
	Index       string             `json:"index"`       // path of the index
	IndexBytes  int64              `json:"indexBytes"`  // with its write-ahead log
	IndexNotice string             `json:"indexNotice"` // "" when all is well
	Synced      time.Time          `json:"synced"`      // end of the last sync that changed something
	Archive     string             `json:"archive"`     // the user's archive
	Agents      []AgentHealth      `json:"agents"`
	Archives    []ArchiveHealth    `json:"archives"`
	Sessions    int                `json:"sessions"`
	Entries     int                `json:"entries"`
	Exchanges   int                `json:"exchanges"`
	Summaries   int                `json:"summaries"`   // written
	Pending     int                `json:"pending"`     // not written yet
	ArchiveOnly int                `json:"archiveOnly"` // sessions whose native log is gone
	Problems    []string           `json:"problems"`
	Warnings    []lookback.Warning `json:"-"`
	Kinds       map[string]int     `json:"warnings"` // warnings by kind
}

// AgentHealth says what was found of one agent.
type AgentHealth struct {
	Agent    string `json:"agent"`
	Places   int    `json:"places"` // session files that exist now
	Sessions int    `json:"sessions"`
	Stale    int    `json:"stale"` // places that changed since they were read
}

// ArchiveHealth says what one archive holds.
type ArchiveHealth struct {
	Dir     string `json:"dir"`
	Records int    `json:"records"`
}

// Check looks at everything and changes nothing. Deep also verifies the index
// page by page, which reads all of it.
func (s *Service) Check(ctx context.Context, deep bool) (Health, error) {
	return s.check(ctx, deep)
}
