package archive

import (
	"time"

	"lookback"
)

// format is the newest form of records we understand. Files without the field,
// which are all there are so far, have form 1. A later program that changes the
// meaning of fields raises it, and this one then leaves its files alone.
const format = 1

// decode reads a record. name is the id its file name promises.
func decode(name string, b []byte) (*Record, error) {
	s := &scanner{b: b}
	r := &Record{}
	s.record(r, nil)
	if s.space(); s.i < len(s.b) {
		s.fail("something follows the record")
	}
	if s.err != nil {
		return nil, s.err
	}
	if r.ID != name {
		return nil, damaged("its id %.60q is not its file name", r.ID)
	}
	at, err := r.check()
	if err != nil {
		return nil, err
	}
	r.resolve(at)
	return r, nil
}

// decodeHead reads what stands before the nodes. ok is false when b does not
// reach that far or the fields stand in another order.
func decodeHead(b []byte) (h Head, ok bool) {
	s := &scanner{b: b}
	r := &Record{}
	s.record(r, func() bool { ok = true; return false })
	h = Head{ID: r.ID, Session: r.Session, Name: r.Name}
	return h, ok && s.err == nil && h.ID != "" && h.Session.Native != ""
}

// record reads the members. atNodes, when given, is called at the nodes and says
// whether to go on.
func (s *scanner) record(r *Record, atNodes func() bool) {
	r.Session.Agent = pi
	s.object(func(name []byte) bool {
		switch string(name) {
		case "id":
			r.ID = s.textOrNull()
		case "sessionId":
			r.Session.Native = s.textOrNull()
		case "agent":
			r.Session.Agent = s.textOrNull()
		case "name":
			r.Name = s.textOrNull()
		case "nodes":
			if atNodes != nil && !atNodes() {
				return false
			}
			r.Nodes = nil
			s.array(func() {
				r.Nodes = append(r.Nodes, lookback.Node{})
				s.node(&r.Nodes[len(r.Nodes)-1])
			})
		case "format":
			if s.int() > format {
				s.fail("it was written by a newer program; use that one")
			}
		case "file", "workspace":
			r.untidy = true
			if string(name) == "workspace" && s.peek() == '"' {
				r.workspace = s.text()
			} else {
				s.skip(0)
			}
		default:
			s.skip(0)
		}
		return true
	})
}

func (s *scanner) node(n *lookback.Node) {
	s.object(func(name []byte) bool {
		switch string(name) {
		case "id":
			n.ID = s.textOrNull()
		case "kind":
			n.Kind = s.kind()
		case "level":
			n.Level = s.int()
		case "children":
			n.Children = s.strings()
		case "parents":
			n.Parents = s.strings()
		case "entryIds":
			n.EntryIDs = s.strings()
		case "text":
			n.Text = s.textOrNull()
		case "from":
			n.From = s.time()
		case "to":
			n.To = s.time()
		case "ready":
			n.Ready = s.bool()
		case "completed":
			n.Completed = s.bool()
		default:
			s.skip(0)
		}
		return true
	})
	if n.Kind == lookback.KindSummary && n.Text == "" {
		n.Ready = false // so that it is written again instead of standing empty
	}
}

func (s *scanner) kind() lookback.Kind {
	switch raw, _ := s.quoted(); string(raw) {
	case "session":
		return lookback.KindSession
	case "exchange":
		return lookback.KindExchange
	case "summary":
		return lookback.KindSummary
	}
	s.fail("a node is of an unknown kind")
	return lookback.KindEntry
}

// time reads a time. What is no RFC 3339 time counts as none: words must not
// become unreadable because of a clock.
func (s *scanner) time() time.Time {
	if s.word("null") {
		return time.Time{}
	}
	raw, _ := s.quoted()
	if t, ok := usualTime(raw); ok {
		return t
	}
	t, err := time.Parse(time.RFC3339, string(raw))
	if err != nil {
		return time.Time{}
	}
	return t.UTC().Truncate(time.Millisecond)
}

// usualTime reads the form that we write, which time.Parse is slow with.
func usualTime(raw []byte) (time.Time, bool) {
	if len(raw) != len(timeForm) {
		return time.Time{}, false
	}
	var n [24]int // the value of each run of digits, at its last digit
	for i, c := range raw {
		switch form := timeForm[i]; {
		case form < '0' || form > '9':
			if c != form {
				return time.Time{}, false
			}
		case c < '0' || c > '9':
			return time.Time{}, false
		default:
			n[i] = int(c - '0')
			if i > 0 {
				n[i] += 10 * n[i-1]
			}
		}
	}
	year, month, day, hour, minute, second := n[3], n[6], n[9], n[12], n[15], n[18]
	t := time.Date(year, time.Month(month), day, hour, minute, second, n[22]*int(time.Millisecond), time.UTC)
	return t, t.Day() == day && int(t.Month()) == month && hour < 24 && minute < 60 && second < 60
}
