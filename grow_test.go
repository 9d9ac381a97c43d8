package lookback

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// clock is the zero of the time line of grown logs: entry Seq is Seq minutes later.
var clock = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func minute(n int) time.Time { return clock.Add(time.Duration(n) * time.Minute) }

var grownWord = regexp.MustCompile(`^([a-z])(?:=([^:<]*))?(?::([^<]*))?(?:<(\d+))?$`)

// grow makes a log from one word an entry, numbered from 1:
//
//	KIND[=ID][:KEEP][<PARENT]
//
// The id is e and the number, the parent the entry before, the words are w and
// the number, unless said otherwise; <0 makes a root. Kinds, see kindly:
//
//	u user  i injected user  o other message  r tool result  n name or label
//	a final answer  x stopped but calls a tool  t tool call  l cut by length
//	e error  b aborted  k unknown end  c compaction  z reset  h handoff
func grow(t testing.TB, script string) []Entry {
	t.Helper()
	var log []Entry
	for _, w := range strings.Fields(script) {
		m := grownWord.FindStringSubmatch(w)
		if m == nil {
			t.Fatalf("no entry is written %q", w)
		}
		seq := len(log) + 1
		e := kindly(m[1][0], seq)
		e.Parent = seq - 1
		if m[2] != "" {
			e.ID = m[2]
		}
		if e.Cut != nil {
			e.Cut.Keep = m[3]
		}
		if m[4] != "" {
			e.Parent, _ = strconv.Atoi(m[4])
		}
		log = append(log, e)
	}
	return log
}

// allKinds are the letters that kindly knows.
const allKinds = "uiornaxtlebkczh"

// kindly makes entry seq of the kind that a letter stands for.
func kindly(kind byte, seq int) Entry {
	e := Entry{Seq: seq, ID: fmt.Sprint("e", seq), Time: minute(seq), Message: true, Role: RoleAssistant}
	e.Parts = []Part{{Text: fmt.Sprint("w", seq)}}
	switch kind {
	case 'u':
		e.Role = RoleUser
	case 'i':
		e.Role, e.Injected = RoleUser, true
	case 'o':
		e.Role = RoleOther
	case 'r':
		e.Role, e.Reply = RoleTool, &Reply{}
	case 'n':
		e.Role, e.Message, e.Parts = RoleNone, false, nil
	case 'a':
		e.Stop = StopFinal
	case 'x':
		e.Stop, e.Calls = StopFinal, []Call{{Name: "run"}}
	case 't':
		e.Stop, e.Calls = StopTools, []Call{{Name: "run"}}
	case 'l':
		e.Stop = StopLength
	case 'e':
		e.Stop = StopError
	case 'b':
		e.Stop = StopAborted
	case 'k':
		e.Stop = StopUnknown
	case 'c', 'z', 'h':
		e.Role, e.Message, e.Parts = RoleNone, false, nil
		e.Cut = &Cut{Cause: map[byte]Cause{'c': CauseCompaction, 'z': CauseReset, 'h': CauseHandoff}[kind], Text: "cut"}
	}
	return e
}

// shown writes branches as the cases do: the Seqs of an exchange's members, then
// + for finished or - for unfinished; exchanges part at ", ", branches at " | ".
func shown(f *Forest) string {
	var branches []string
	for _, tip := range f.Tips {
		var xs []string
		for _, i := range f.Branch(tip) {
			x := &f.Exchanges[i]
			mark := "-"
			if x.Completed {
				mark = "+"
			}
			xs = append(xs, strings.Trim(fmt.Sprint(x.Members()), "[]")+mark)
		}
		branches = append(branches, strings.Join(xs, ", "))
	}
	return strings.Join(branches, " | ")
}

// turns is a script of n finished exchanges in a row.
func turns(n int) string { return strings.Repeat("u a ", n) }
