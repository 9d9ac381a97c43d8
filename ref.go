package lookback

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// Ref is the one address for anything: a session, an entry of it, or a node.
// Its string form is the same on the command line, in URLs and in tool results:
//
//	pi:SESSION            a session
//	pi:SESSION#SEQ        an entry, by its number
//	pi:SESSION@LEVEL:ID   an exchange (level 0) or summary, by the id of the last entry covered
//
// SESSION and ID are percent-encoded outside A–Z a–z 0–9 . _ -
type Ref struct {
	Session SessionID
	Seq     int    // entry number, 0 when the ref is no entry
	Level   int    // node level; only meaningful with Key
	Key     string // id of the last entry covered, "" when the ref is no node
}

// SessionRef addresses a whole session.
func SessionRef(id SessionID) Ref { return Ref{Session: id} }

// EntryRef addresses one entry.
func EntryRef(id SessionID, seq int) Ref { return Ref{Session: id, Seq: seq} }

// NodeRef addresses the node with the given archive node id in session id; the
// session itself when nodeID is a session node's or no node id.
func NodeRef(id SessionID, nodeID string) Ref {
	_, level, key, ok := SplitNodeID(nodeID)
	if !ok || key == "" {
		return SessionRef(id)
	}
	return Ref{Session: id, Level: level, Key: key}
}

// NodeID is the archive's id for the node the ref addresses, under archive id.
func (r Ref) NodeID(archive string) string {
	if r.Key == "" {
		return archive
	}
	return archive + ":" + strconv.Itoa(r.Level) + ":" + r.Key
}

// String gives the form that ParseRef reads.
func (r Ref) String() string {
	s := escape(r.Session.Agent) + ":" + escape(r.Session.Native)
	switch {
	case r.Key != "":
		return s + "@" + strconv.Itoa(r.Level) + ":" + escape(r.Key)
	case r.Seq > 0:
		return s + "#" + strconv.Itoa(r.Seq)
	}
	return s
}

// MarshalText makes a ref a string in JSON.
func (r Ref) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// ErrRef is the base of every error of ParseRef.
var ErrRef = errors.New("not a ref")

// ParseRef reads a ref. It accepts the same string with the prefix "lookback://"
// as resource links carry it. Errors wrap ErrRef and say what form is expected.
func ParseRef(s string) (Ref, error) {
	bad := func(why string) (Ref, error) {
		return Ref{}, fmt.Errorf("%w: %q: %s; a ref looks like pi:SESSION, pi:SESSION#12 or pi:SESSION@0:ENTRY", ErrRef, Clip(s, 120), why)
	}
	agent, rest, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(s), "lookback://"), ":")
	if !ok || agent == "" {
		return bad("no agent before a colon")
	}
	var r Ref
	var err error
	if i := strings.IndexAny(rest, "#@"); i >= 0 {
		tail := rest[i+1:]
		if rest[i] == '#' {
			r.Seq, err = strconv.Atoi(tail)
			if err != nil || r.Seq < 1 {
				return bad("the entry number after # is no positive integer")
			}
		} else {
			level, key, ok := strings.Cut(tail, ":")
			r.Level, err = strconv.Atoi(level)
			if !ok || err != nil || r.Level < 0 || key == "" {
				return bad("a node is written @LEVEL:ENTRY")
			}
			if r.Key, err = url.PathUnescape(key); err != nil {
				return bad("bad percent-encoding in the entry id")
			}
		}
		rest = rest[:i]
	}
	if r.Session.Agent, err = url.PathUnescape(agent); err != nil {
		return bad("bad percent-encoding in the agent")
	}
	if r.Session.Native, err = url.PathUnescape(rest); err != nil {
		return bad("bad percent-encoding in the session id")
	}
	if r.Session.Native == "" {
		return bad("no session id")
	}
	return r, nil
}

func escape(s string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '.' || c == '_' || c == '-' {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('%')
		b.WriteByte(hex[c>>4])
		b.WriteByte(hex[c&15])
	}
	return b.String()
}
