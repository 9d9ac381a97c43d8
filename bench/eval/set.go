package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// set is a labelled set of conversations, in the form of the shared eval folder.
type set struct {
	Name          string         `json:"name"`
	Conversations []conversation `json:"conversations"`
	Queries       []query        `json:"queries"`
}

type conversation struct {
	ID       string    `json:"id"`
	Sessions []session `json:"sessions"`
}

type session struct {
	ID      string `json:"id"`
	Time    string `json:"time"`
	Summary string `json:"summary"`
	Turns   []turn `json:"turns"`
}

type turn struct {
	ID      string `json:"id"`
	Speaker string `json:"speaker"`
	Text    string `json:"text"`
	Caption string `json:"caption"`
	Time    string `json:"time"`
}

// words is the turn's text with the caption of its picture.
func (t *turn) words() string {
	if t.Caption == "" {
		return t.Text
	}
	return t.Text + " [" + t.Caption + "]"
}

type query struct {
	ID           string   `json:"id"`
	Conversation string   `json:"conversation"`
	Text         string   `json:"text"`
	Category     string   `json:"category"`
	Relevant     []string `json:"relevant"` // turn ids
}

// loadSet reads a set of the folder dir.
func loadSet(dir, name string) (*set, error) {
	path := filepath.Join(dir, name+".json")
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	s := &set{}
	if err := json.Unmarshal(data, s); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// exchanges groups the turns of a session as the evaluator does: a new exchange
// starts at each user turn, in chats of two people at every other turn.
func (s *session) exchanges() (out [][]turn) {
	asked := false
	for i := range s.Turns {
		asked = asked || s.Turns[i].Speaker == "user"
	}
	for i := range s.Turns {
		if start := s.Turns[i].Speaker == "user"; i == 0 || asked && start || !asked && i%2 == 0 {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], s.Turns[i])
	}
	return out
}

// units say which turns belong to which exchange and session, and how long
// they are.
type units struct {
	exchange, session map[string]string   // of a turn
	turns             map[string][]string // of an exchange or a session
	chars             map[string]int      // of a turn
	texts             map[string]string   // of a turn
}

func (s *set) units() *units {
	u := &units{exchange: map[string]string{}, session: map[string]string{}, turns: map[string][]string{}, chars: map[string]int{}, texts: map[string]string{}}
	for i := range s.Conversations {
		for j := range s.Conversations[i].Sessions {
			x := &s.Conversations[i].Sessions[j]
			for _, group := range x.exchanges() {
				name := "X:" + group[0].ID
				for _, t := range group {
					u.exchange[t.ID] = name
					u.turns[name] = append(u.turns[name], t.ID)
				}
			}
			for _, t := range x.Turns {
				u.session[t.ID] = x.ID
				u.turns[x.ID] = append(u.turns[x.ID], t.ID)
				u.chars[t.ID] = len([]rune(t.Text))
				u.texts[t.ID] = t.words()
			}
		}
	}
	return u
}

// lift maps turns to units of a level, each once, in order.
func (u *units) lift(level string, turns []string) (out []string) {
	seen := map[string]bool{}
	for _, t := range turns {
		id := t
		switch level {
		case "exchange":
			id = u.exchange[t]
		case "session":
			id = u.session[t]
		}
		if !seen[id] {
			seen[id] = true
			out = append(out, id)
		}
	}
	return out
}
