package service

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"lookback"
)

// ConversationRequest says which conversation a caller is in.
type ConversationRequest struct {
	File string // the session's native file; "" to find it by ID
	ID   string // the session's native id; "" for the file's own
	Leaf string // id of the entry the caller stands at; "" for the last entry
}

// Conversation is what one caller is in now: a session, the path to the leaf, and
// the boundary on it. It is read from the log.
type Conversation struct {
	Session  lookback.Session
	File     string
	Entries  []lookback.Entry // of the whole session; only those on Path are the conversation's
	Path     []int            // Seqs from the root to the leaf
	Boundary *lookback.Boundary
}

// Leaf is the Seq of the entry that the caller stands at.
func (c *Conversation) Leaf() int { return c.Path[len(c.Path)-1] }

// At gives the position of an entry on the path, -1 when it is not on it.
func (c *Conversation) At(seq int) int { return slices.Index(c.Path, seq) }

// Entry gives an entry by its Seq, which must be one of the session.
func (c *Conversation) Entry(seq int) *lookback.Entry { return &c.Entries[seq-1] }

// ErrConversation is the base of errors about a conversation that cannot be read
// or told apart; the text says how to mend it.
var ErrConversation = errors.New("no conversation")

// Conversation reads the caller's conversation from its log, never from the index:
// what was said a moment ago is there.
func (s *Service) Conversation(ctx context.Context, r ConversationRequest) (*Conversation, error) {
	file, err := s.conversationFile(ctx, r)
	if err != nil {
		return nil, err
	}
	b, err := s.readWhole(ctx, file)
	if err != nil {
		return nil, err
	}
	id := b.Log.Session.ID
	if r.ID != "" && id.Native != r.ID {
		return nil, fmt.Errorf("%w: the session file holds session %s, the caller named %s", ErrConversation, id.Native, lookback.Clip(r.ID, 120))
	}
	c := &Conversation{Session: b.Log.Session, File: file, Entries: b.Log.Entries}
	leaf := len(c.Entries)
	if r.Leaf != "" {
		if leaf = entryNamed(c.Entries, r.Leaf); leaf == 0 {
			return nil, fmt.Errorf("%w: session %s has no entry %s to stand at", ErrConversation, id.Native, lookback.Clip(r.Leaf, 120))
		}
	}
	if c.Path = lookback.Path(c.Entries, leaf); len(c.Path) == 0 {
		return nil, fmt.Errorf("%w: session %s has no entries yet", ErrConversation, id.Native)
	}
	c.Boundary = lookback.LastBoundary(c.Entries, c.Path)
	return c, nil
}

// entryNamed finds the entry with an id; of several the last, as agents do.
func entryNamed(entries []lookback.Entry, id string) int {
	for i := len(entries) - 1; i >= 0; i-- {
		if entries[i].ID == id {
			return i + 1
		}
	}
	return 0
}

func (s *Service) conversationFile(ctx context.Context, r ConversationRequest) (string, error) {
	switch {
	case r.File != "":
		return filepath.Abs(r.File)
	case r.ID == "":
		return "", fmt.Errorf("%w: neither a session file nor a session id is given", ErrConversation)
	}
	for _, src := range s.c.Sources {
		sess, err := s.db.SessionByID(ctx, lookback.SessionID{Agent: src.Agent(), Native: r.ID})
		if err != nil {
			return "", err
		}
		if sess != nil && sess.Source != "" {
			return sess.Source, nil
		}
	}
	return "", fmt.Errorf("%w: no session file is known for session %s; name the file", ErrConversation, lookback.Clip(r.ID, 120))
}

// readWhole reads a native file with the first reader that accepts it.
func (s *Service) readWhole(ctx context.Context, file string) (lookback.Batch, error) {
	last := fmt.Errorf("%w: no reader accepts the session file", ErrConversation)
	for _, src := range s.c.Sources {
		b, err := src.Read(ctx, lookback.Place{Path: file}, nil, nil)
		switch {
		case ctx.Err() != nil:
			return b, ctx.Err()
		case errors.Is(err, fs.ErrNotExist):
			return b, fmt.Errorf("%w: the session file %s does not exist (any more)", ErrConversation, filepath.Base(file))
		case err != nil:
			last = fmt.Errorf("%w: %w", ErrConversation, err)
		case b.None:
			last = fmt.Errorf("%w: %s holds no session, or nothing was said in it yet", ErrConversation, filepath.Base(file))
		default:
			return b, nil
		}
	}
	return lookback.Batch{}, last
}

// Indexed tells how far the index reaches along the path of a conversation: the
// number of entries at its beginning that the index holds exactly as the log has
// them. Only these can be searched.
func (s *Service) Indexed(ctx context.Context, c *Conversation) (int, error) {
	sess, err := s.db.SessionByID(ctx, c.Session.ID)
	if err != nil || sess == nil {
		return 0, err
	}
	held, err := s.db.Skeleton(ctx, sess.Row)
	if err != nil {
		return 0, err
	}
	for i, seq := range c.Path {
		if seq > len(held) || held[seq-1].ID != c.Entry(seq).ID || held[seq-1].Parent != c.Entry(seq).Parent {
			return i, nil
		}
	}
	return len(c.Path), nil
}

// SearchConversation searches the first n entries of a conversation's path, which
// must be in the index: see Indexed.
func (s *Service) SearchConversation(ctx context.Context, c *Conversation, q lookback.Query, n, limit int) (Results, error) {
	if n == 0 {
		return Results{}, nil
	}
	// The path to the last of them is exactly what may be seen. The numeric bound
	// differs from it only in damaged logs, where a parent stands behind its child.
	scope := lookback.InConversation(c.Session.ID, c.Path[n-1], slices.Max(c.Path[:n])+1)
	return s.Search(ctx, Request{Scope: scope, Query: q, Limit: limit})
}
