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
	users := len(ids)
	answer := findAnswer(body, users, n.Completed)
	asked := body
	if answer >= 0 {
		asked = body[:answer]
		users--
	}
	if len(ids) == 0 {
		users = len(body) // as many as there are labels
	}
	var parts []Part
	for more := true; more; {
		text, rest := asked, ""
		more = false
		if len(parts)+1 < users {
			text, rest, more = strings.Cut(asked, userBreak)
		}
		parts = append(parts, Part{Role: lookback.RoleUser, EntryID: firstOf(ids), Text: images(text)})
		asked, ids = rest, ids[min(1, len(ids)):]
	}
	if answer >= 0 {
		last := Part{Role: lookback.RoleAssistant, Text: images(body[answer+len(answerBreak):])}
		if len(ids) > 0 {
			last.EntryID = ids[len(ids)-1]
		}
		parts = append(parts, last)
	}
	return parts
}

// findAnswer returns where the answer's label breaks body, -1 for nowhere. The
// right place has one user label less before it than there are user entries after
// the first. Only an unfinished exchange may have no answer.
func findAnswer(body string, entries int, completed bool) int {
	first, fallback, labels := -1, -1, 0
	for pos := 0; ; {
		next := strings.Index(body[pos:], answerBreak)
		if next < 0 {
			break
		}
		labels += strings.Count(body[pos:pos+next], userBreak)
		pos += next
		if labels == entries-2 {
			return pos
		}
		if first < 0 {
			first = pos
		}
		if fallback < 0 && labels > entries-2 {
			fallback = pos
		}
		pos += len(answerBreak)
	}
	if !completed && entries > 0 && strings.Count(body, userBreak) >= entries-1 {
		return -1
	}
	if fallback >= 0 {
		return fallback
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
