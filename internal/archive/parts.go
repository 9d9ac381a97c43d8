package archive

import (
	"strings"

	"lookback"
)

// Part is one entry's words within an exchange.
type Part struct {
	Role    lookback.Role
	EntryID string // "" when the node names no entry for it
	Text    string // as Entry.Words gives it: an image is lookback.ObjectMark
}

const (
	userHead    = lookback.UserLabel + "\n"
	userBreak   = "\n\n" + userHead
	answerBreak = "\n\n" + lookback.AssistantLabel + "\n"
)

// Parts splits the text of an exchange back into the words of its entries, for
// sessions whose log is gone. The number of entry ids tells how many parts there
// are, which settles most cases in which the words themselves hold a label on a
// line of its own after a blank line. What stays open is decided for the earliest
// place; then words may be cut elsewhere than they were written, but none is lost
// or doubled. A line that is just the placeholder of an image counts as one. Text
// that does not begin with a label comes back whole, with lookback.RoleOther. It
// returns nil for other kinds of nodes.
func Parts(n *lookback.Node) []Part {
	if n.Kind != lookback.KindExchange {
		return nil
	}
	ids := n.EntryIDs
	body, ok := strings.CutPrefix(n.Text, userHead)
	if !ok {
		return []Part{{Role: lookback.RoleOther, EntryID: firstOf(ids), Text: images(n.Text)}}
	}
	asked, users := body, len(ids)
	answer := findAnswer(body, len(ids), n.Completed)
	if answer >= 0 {
		asked = body[:answer]
		users = max(1, users-1)
	}
	if len(ids) == 0 {
		users = -1 // as many as there are labels
	}
	var parts []Part
	for _, text := range strings.SplitN(asked, userBreak, users) {
		parts = append(parts, Part{Role: lookback.RoleUser, EntryID: firstOf(ids), Text: images(text)})
		ids = ids[min(1, len(ids)):]
	}
	if answer >= 0 {
		ids = ids[max(0, len(ids)-1):]
		parts = append(parts, Part{Role: lookback.RoleAssistant, EntryID: firstOf(ids), Text: images(body[answer+len(answerBreak):])})
	}
	return parts
}

// findAnswer returns where the answer's label breaks body, -1 for nowhere. The
// right place has one user label less before it than there are user entries after
// the first. Only an unfinished exchange may have no answer.
func findAnswer(body string, entries int, completed bool) int {
	first, found, labels := -1, false, 0
	pos := 0
	for !found {
		next := strings.Index(body[pos:], answerBreak)
		if next < 0 {
			break
		}
		labels += strings.Count(body[pos:pos+next], userBreak)
		pos += next
		if first < 0 {
			first = pos
		}
		if found = labels >= entries-2; !found {
			pos += len(answerBreak)
		}
	}
	open := !completed && entries > 0 && strings.Count(body, userBreak) >= entries-1
	switch {
	case found && (labels == entries-2 || !open):
		return pos
	case open:
		return -1
	}
	return first
}

func firstOf(ids []string) string {
	if len(ids) == 0 {
		return ""
	}
	return ids[0]
}

// images puts the mark of an image in place of every line that is its placeholder.
func images(s string) string {
	if !strings.Contains(s, lookback.ImageToken) {
		return s
	}
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		if line == lookback.ImageToken {
			lines[i] = lookback.ObjectMark
		}
	}
	return strings.Join(lines, "\n")
}
