package service

import (
	"context"

	"lookback"
)

// ArchiveInfo is one archive this machine knows.
type ArchiveInfo struct {
	Dir       string            `json:"dir"`                 // where the records lie
	Workspace string            `json:"workspace,omitempty"` // root of its workspace, "" for the user's archive
	Records   int               `json:"records"`
	Sessions  []ArchivedSession `json:"sessions,omitempty"` // filled by ArchiveList with detail
}

// ArchivedSession is one record of an archive.
type ArchivedSession struct {
	Ref       lookback.Ref `json:"ref"`
	Record    string       `json:"record"` // archive id
	Name      string       `json:"name"`
	Exchanges int          `json:"exchanges"`
	Summaries int          `json:"summaries"` // written
	Pending   int          `json:"pending"`   // not written yet
	Alone     bool         `json:"alone"`     // no native log is known
}

// ArchiveReport says what an archive operation did.
type ArchiveReport struct {
	Dir      string             `json:"dir"`
	Written  int                `json:"written"` // records made or changed
	Same     int                `json:"same"`    // records that were up to date
	Problems []string           `json:"problems"`
	Warnings []lookback.Warning `json:"warnings"`
}

// ArchiveHere makes the workspace at root keep its own archive and fills it with
// the sessions that ran there.
func (s *Service) ArchiveHere(ctx context.Context, root string) (ArchiveReport, error) {
	return s.archiveHere(ctx, root)
}

// ArchiveList lists the archives this machine knows; with detail, their records.
func (s *Service) ArchiveList(ctx context.Context, detail bool) ([]ArchiveInfo, error) {
	return s.archiveList(ctx, detail)
}

// ArchiveVerify checks every record of the archive in dir, or of all known
// archives when dir is "". It changes nothing.
func (s *Service) ArchiveVerify(ctx context.Context, dir string) ([]ArchiveReport, error) {
	return s.archiveVerify(ctx, dir)
}

// ArchiveImport copies the records of the archive in from into the archive that
// holds what runs in root, or into the user's when there is none or root is "".
// The report names it. Nothing there is lost: of two records of one session the one with more written summaries stays.
func (s *Service) ArchiveImport(ctx context.Context, from, root string) (ArchiveReport, error) {
	return s.archiveImport(ctx, from, root)
}

// ArchiveExport copies the records of all sessions in scope into the directory
// to, which is made when it does not exist.
func (s *Service) ArchiveExport(ctx context.Context, scope lookback.Scope, to string) (ArchiveReport, error) {
	return s.archiveExport(ctx, scope, to)
}
