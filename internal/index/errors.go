package index

import "errors"

var (
	// ErrBusy means that another process, or another writer of this one, holds the
	// writer lock. Reading goes on.
	ErrBusy = errors.New("another process is writing the index")
	// ErrReadOnly means that the index cannot be written here.
	ErrReadOnly = errors.New("the index cannot be written")
	// ErrNewer means that a newer lookback wrote the index. Nothing was changed.
	ErrNewer = errors.New("the index was written by a newer lookback: update this one, or delete the index and let it be built again")
	// ErrRebuilt means that the index was found damaged during a look-up or a write
	// and is empty now. Sync and ask again.
	ErrRebuilt = errors.New("the index was damaged and has to be built again")
	// ErrTooLong means that a session has more entries than can be numbered, 16,777,215.
	ErrTooLong = errors.New("the session has too many entries to be indexed")
	// ErrClosed means that the index, or the writer, was closed.
	ErrClosed = errors.New("the index is closed")
)
