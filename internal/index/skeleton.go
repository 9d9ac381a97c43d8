package index

import (
	"encoding/binary"
	"errors"
	"slices"

	"lookback"
)

var (
	errSkeleton = errors.New("index: damaged skeleton of a session")
	errMembers  = errors.New("index: damaged list of members")
)

// encodeSkeleton gives the blob kept of a session: its entries without their words,
// the ids of calls, and the texts of compactions and handoffs, which are read from
// the log; and the segments they stand on, as segment.id in the order in which the
// segments begin.
func encodeSkeleton(entries []lookback.Entry, segments []int64) []byte {
	c := coder{b: make([]byte, 0, 64+24*len(entries)), writing: true}
	c.skeleton(entries, segments)
	return c.b
}

// decodeSkeleton reads what encodeSkeleton wrote. Entries have no Parts, Calls
// have no ids, and a Cut has no text.
func decodeSkeleton(b []byte) (entries []lookback.Entry, segments []int64, err error) {
	c := coder{b: b}
	entries, segments = c.skeleton(nil, nil)
	if c.bad || len(c.b) > 0 {
		return nil, nil, errSkeleton
	}
	return entries, segments, nil
}

// coder writes a form, or reads it, by one list of fields: each step takes the
// value that it is given, or sets it. Numbers are varints. The first fault in what
// is read sets bad, after which everything is zero.
type coder struct {
	b       []byte // what was written, or is still to be read
	writing bool
	bad     bool

	end    int64 // where the next record is expected
	before int64 // unix ms of the entry before
}

func (c *coder) skeleton(entries []lookback.Entry, segments []int64) ([]lookback.Entry, []int64) {
	segments = list(c, segments, 1)
	last := int64(0)
	for i, id := range segments {
		step := id - last
		number(c, &step)
		last += step
		segments[i] = last
	}
	entries = list(c, entries, 7)
	for i := range entries {
		if c.bad {
			break
		}
		e := entries[i]
		e.Seq = i + 1
		c.entry(&e)
		c.check(e.Parent >= 0 && e.Parent <= len(entries))
		if !c.writing {
			entries[i] = e
		}
	}
	return entries, segments
}

// What the number after role and stop says of an entry.
const (
	skelMessage = 1 << iota
	skelInjected
	skelKey
	skelAuthor
	skelCalls
	skelReply
	skelCut
)

func (c *coder) entry(e *lookback.Entry) {
	kind := int(e.Role) | int(e.Stop)<<3
	has := skelMessage*flag(e.Message) | skelInjected*flag(e.Injected) | skelKey*flag(e.Key != "") | skelAuthor*flag(e.Author != "") |
		skelCalls*flag(len(e.Calls) > 0) | skelReply*flag(e.Reply != nil) | skelCut*flag(e.Cut != nil)
	number(c, &kind)
	number(c, &has)
	e.Role, e.Stop = lookback.Role(kind&7), lookback.Stop(kind>>3&7)
	e.Message, e.Injected = has&skelMessage != 0, has&skelInjected != 0
	c.check(e.Role <= lookback.RoleOther && e.Stop <= lookback.StopAborted)

	c.text(&e.ID)
	if has&skelKey != 0 {
		c.text(&e.Key)
	}
	up, gap, wait := e.Seq-1-e.Parent, e.Offset-c.end, millis(e.Time)-c.before
	number(c, &up)
	number(c, &gap)
	number(c, &e.Size)
	number(c, &wait)
	e.Parent, e.Offset, e.Time = e.Seq-1-up, c.end+gap, fromMillis(c.before+wait)
	c.end, c.before = e.Offset+int64(e.Size)+1, c.before+wait

	if has&skelAuthor != 0 {
		c.text(&e.Author)
	}
	if has&skelCalls != 0 {
		e.Calls = list(c, slices.Clone(e.Calls), 1)
		for i := range e.Calls {
			c.text(&e.Calls[i].Name)
		}
	}
	if has&skelReply != 0 {
		c.reply(e)
	}
	if has&skelCut != 0 {
		c.cut(e)
	}
}

func (c *coder) reply(e *lookback.Entry) {
	var r lookback.Reply
	if c.writing {
		r = *e.Reply
	}
	failed := flag(r.Failed)
	number(c, &failed)
	r.Failed = failed != 0
	c.text(&r.Tool)
	e.Reply = &r
}

func (c *coder) cut(e *lookback.Entry) {
	var cut lookback.Cut
	if c.writing {
		cut = *e.Cut
	}
	number(c, &cut.Cause)
	c.check(cut.Cause <= lookback.CauseHandoff)
	c.text(&cut.Keep)
	e.Cut = &cut
}

// check notes a fault, and ends the reading, so that damaged counts cannot keep it
// busy.
func (c *coder) check(ok bool) {
	if !ok && !c.writing {
		c.bad, c.b = true, nil
	}
}

func number[T ~int | ~int64 | ~uint8](c *coder, v *T) {
	if c.writing {
		c.b = binary.AppendVarint(c.b, int64(*v))
		return
	}
	n, size := binary.Varint(c.b)
	c.check(size > 0 && int64(T(n)) == n)
	if *v = 0; !c.bad {
		*v, c.b = T(n), c.b[size:]
	}
}

// list goes on with the number of a list's elements, which take at least size
// bytes each.
func list[T any](c *coder, v []T, size int) []T {
	n := len(v)
	number(c, &n)
	if c.writing {
		return v
	}
	if c.check(n >= 0 && n <= len(c.b)/size); n == 0 || c.bad {
		return nil
	}
	return make([]T, n)
}

// text goes on with a string.
func (c *coder) text(s *string) {
	n := len(*s)
	number(c, &n)
	if c.writing {
		c.b = append(c.b, *s...)
		return
	}
	c.check(n >= 0 && n <= len(c.b))
	if *s = ""; !c.bad {
		*s, c.b = string(c.b[:n]), c.b[n:]
	}
}

// members are the entries of a doc by field, as entry.id in the order they were
// said. Their Seqs are seqOf each.
type members struct{ users, answers, steps []int64 }

// pack gives the form kept in doc.members: per field the number of entries, then
// per entry the Seq as difference to the one before, with a bit that says
// whether the segment, written as difference to the doc's, follows. Most
// exchanges lie on one segment and take a byte or two an entry.
func (m members) pack(doc int64) []byte {
	c := coder{b: make([]byte, 0, 3+2*(len(m.users)+len(m.answers)+len(m.steps))), writing: true}
	c.members(&m, doc)
	return c.b
}

// unpackMembers reads what pack wrote for the doc.
func unpackMembers(b []byte, doc int64) (m members, err error) {
	c := coder{b: b}
	if c.members(&m, doc); c.bad {
		return members{}, errMembers
	}
	return m, nil
}

func (c *coder) members(m *members, doc int64) {
	home, before := segmentOf(doc), int64(seqOf(doc))
	for _, field := range [...]*[]int64{&m.users, &m.answers, &m.steps} {
		*field = list(c, *field, 1)
		for i, id := range *field {
			away, step := segmentOf(id)-home, (int64(seqOf(id))-before)<<1
			if away != 0 {
				step |= 1
			}
			if number(c, &step); step&1 != 0 {
				number(c, &away)
			} else {
				away = 0
			}
			before += step >> 1
			c.check(before >= 0 && before <= maxSeq)
			(*field)[i] = place(home+away, int(before))
		}
	}
}
