package main

import (
	"context"
	"fmt"
	"time"

	"lookback"
	"lookback/internal/index"
)

const agent = "eval"

// root is the workspace that a conversation becomes.
func root(set, conversation string) string { return "/eval/" + set + "/" + conversation }

// place is an entry of an imported session.
type place struct {
	session string
	seq     int
}

// imported says what the index's addresses stand for in a set.
type imported struct {
	turn  map[place]string          // by entry
	nodes map[lookback.Ref][]string // by exchange or summary: its turns in order
	whole map[string][]string       // by session
}

// load puts a set into an index: conversations are workspaces, sessions sessions,
// turns entries.
func load(ctx context.Context, w *index.Writer, s *set) (*imported, error) {
	im := &imported{turn: map[place]string{}, nodes: map[lookback.Ref][]string{}, whole: map[string][]string{}}
	for i := range s.Conversations {
		c := &s.Conversations[i]
		roles := rolesOf(c)
		for j := range c.Sessions {
			if len(c.Sessions[j].Turns) == 0 {
				continue
			}
			u := im.update(s.Name, c, &c.Sessions[j], roles)
			if err := w.Put(ctx, u); err != nil {
				return nil, fmt.Errorf("%s %s: %w", s.Name, c.Sessions[j].ID, err)
			}
		}
	}
	return im, nil
}

// rolesOf says which side each speaker is on. Of two people the first who speaks
// is the user.
func rolesOf(c *conversation) map[string]lookback.Role {
	roles := map[string]lookback.Role{"user": lookback.RoleUser, "memory": lookback.RoleUser, "assistant": lookback.RoleAssistant, "tool": lookback.RoleAssistant}
	people := false
	for i := range c.Sessions {
		for _, t := range c.Sessions[i].Turns {
			if _, known := roles[t.Speaker]; known {
				continue
			}
			roles[t.Speaker] = lookback.RoleAssistant
			if !people {
				roles[t.Speaker], people = lookback.RoleUser, true
			}
		}
	}
	return roles
}

// isRole reports whether a speaker is a part and no name.
func isRole(speaker string) bool {
	switch speaker {
	case "user", "assistant", "tool", "memory":
		return true
	}
	return false
}

func (im *imported) update(set string, c *conversation, x *session, roles map[string]lookback.Role) index.Update {
	start := when(x.Time, time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC))
	entries := make([]lookback.Entry, len(x.Turns))
	for i := range x.Turns {
		t := &x.Turns[i]
		e := &entries[i]
		*e = lookback.Entry{Seq: i + 1, ID: t.ID, Parent: i, Message: true, Role: roles[t.Speaker],
			Time: when(t.Time, start.Add(time.Duration(i)*time.Second)), Parts: []lookback.Part{{Text: t.words()}}}
		if !isRole(t.Speaker) {
			e.Author = t.Speaker
		}
		if e.Role == lookback.RoleAssistant {
			e.Stop = lookback.StopFinal
		}
		im.turn[place{x.ID, e.Seq}] = t.ID
		im.whole[x.ID] = append(im.whole[x.ID], t.ID)
	}
	u := index.Update{Entries: entries, From: 1}
	u.Session.ID = lookback.SessionID{Agent: agent, Native: x.ID}
	u.Session.Cwd, u.Session.Started, u.Session.Record = root(set, c.ID), start, x.ID
	u.Session.Name = lookback.FallbackName(entries)
	u.Session.Entries = len(entries)
	im.documents(&u, x.Summary)
	return u
}

// documents lists what a search ranks, as syncing would, and the session's
// summary over all of its exchanges.
func (im *imported) documents(u *index.Update, summary string) {
	f := lookback.Exchanges(u.Entries)
	u.Session.Exchanges = len(f.Exchanges)
	inside := map[int]bool{}
	over := ""
	if n := len(f.Exchanges); n > 0 && summary != "" {
		over = "1:" + u.Entries[f.Exchanges[n-1].Last()-1].NodeID()
	}
	for i := range f.Exchanges {
		x := &f.Exchanges[i]
		d := index.Doc{Kind: lookback.KindExchange, Node: "0:" + u.Entries[x.Last()-1].NodeID(), Users: x.Users, Steps: x.Steps,
			Answers: x.Pieces, First: x.From, Last: x.To, Ready: true, Done: x.Completed, Parents: []string{""}}
		if over != "" {
			d.Parents = []string{over}
		}
		if x.Answer != 0 {
			d.Answers = append(d.Answers[:len(d.Answers):len(d.Answers)], x.Answer)
		}
		u.Docs = append(u.Docs, d)
		for _, field := range [][]int{d.Users, d.Answers, d.Steps} {
			for _, seq := range field {
				inside[seq] = true
			}
		}
		im.note(u, d.Node, x.Members())
	}
	for i := range u.Entries {
		e := &u.Entries[i]
		d := index.Doc{Kind: lookback.KindEntry, First: e.Time, Last: e.Time, Ready: true}
		switch {
		case inside[e.Seq]:
			continue
		case e.Role == lookback.RoleUser:
			d.Users = []int{e.Seq}
		default:
			d.Answers = []int{e.Seq}
		}
		u.Docs = append(u.Docs, d)
	}
	u.Session.First, u.Session.Last = u.Entries[0].Time, u.Entries[len(u.Entries)-1].Time
	if over != "" {
		u.Docs = append(u.Docs, index.Doc{Kind: lookback.KindSummary, Node: over, Text: summary, Ready: true, Done: true,
			First: u.Session.First, Last: u.Session.Last, Parents: []string{""}})
		im.note(u, over, nil)
	}
	u.Docs = append(u.Docs, index.Doc{Kind: lookback.KindSession, Text: u.Session.Name, Ready: true})
}

// note remembers which turns a node stands for; all of the session's for nil.
func (im *imported) note(u *index.Update, node string, seqs []int) {
	id := u.Session.ID
	ref := lookback.NodeRef(id, "a:"+node)
	if seqs == nil {
		im.nodes[ref] = im.whole[id.Native]
		return
	}
	for _, seq := range seqs {
		im.nodes[ref] = append(im.nodes[ref], im.turn[place{id.Native, seq}])
	}
}

// when reads a time of a set.
func when(s string, other time.Time) time.Time {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t
		}
	}
	return other
}
