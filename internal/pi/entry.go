package pi

import (
	"slices"
	"strconv"
	"strings"

	"lookback"
)

// add makes an entry of the record.
func (r *run) add(offset int64) (int, error) {
	rec, c := &r.p.rec, &r.cur
	c.Seq++
	e := lookback.Entry{Seq: c.Seq, ID: r.p.keep(rec.id), Offset: offset, Size: int(rec.to - rec.from)}
	if !rec.hasID {
		e.ID = v1ID(c.Seq)
	}
	if slices.Contains(c.Pending, e.ID) {
		return 0, errStartOver // it is the parent of entries before
	}
	r.parent(&e)
	r.name(e.ID, e.Seq)
	if e.Time = rec.time.time(); !rec.time.set {
		e.Time = rec.messageTime.time()
	}
	if rec.time.bad || !rec.time.set && rec.messageTime.bad {
		r.warn(lookback.BadTimestamp)
	}
	r.fill(&e)
	if rec.kind == kindInfo {
		c.Name = strings.TrimSpace(rec.name)
	}
	c.Talks = c.Talks || e.Message
	if c.First == "" && e.Role == lookback.RoleUser {
		c.First = lookback.FallbackName([]lookback.Entry{e})
	}
	if rec.keepIndex > 0 && e.Cut != nil && c.Version < 2 {
		r.keeps = append(r.keeps, keep{e.Seq, rec.keepIndex})
	}
	if r.log == nil {
		r.log = make([]lookback.Entry, 0, 4+min((c.Stamp.Size-offset)>>11, 1024)) // a guess at what comes
	}
	r.log = append(r.log, e)
	c.AfterBad = false
	return e.Seq, nil
}

func v1ID(seq int) string { return "v1-" + strconv.Itoa(seq) }

// parent links the entry to the nearest earlier entry with the id it names.
func (r *run) parent(e *lookback.Entry) {
	rec := &r.p.rec
	if !rec.hasParent && r.cur.Version < 2 && !rec.hasID {
		e.Parent = e.Seq - 1
		return
	}
	if len(rec.parent) == 0 {
		return
	}
	if e.Parent = r.last[string(rec.parent)]; e.Parent == 0 {
		r.wants = append(r.wants, want{e.Seq, r.cur.Line, string(rec.parent), r.cur.AfterBad})
	}
}

// fill gives the entry its words and what else the record says.
func (r *run) fill(e *lookback.Entry) {
	rec := &r.p.rec
	m := &rec.msg
	switch rec.kind {
	case kindMessage:
		if !m.roleSet {
			return
		}
		e.Role, e.Message, e.Injected, e.Stop = m.role, true, m.injected, m.stop
		if m.role == lookback.RoleTool {
			e.Reply = &carve(&r.replies, []lookback.Reply{m.reply})[0]
		}
	case kindCustomMessage:
		e.Role, e.Injected = lookback.RoleOther, true
	case kindCompaction:
		e.Cut = &lookback.Cut{Cause: lookback.CauseCompaction, Keep: rec.keep, Text: rec.summary}
		if rec.handoff {
			e.Cut.Cause = lookback.CauseHandoff
		}
	}
	e.Parts = carve(&r.parts, m.parts)
	e.Calls = carve(&r.calls, m.calls)
}

// carve copies items to memory that many entries share, so that a log of small
// entries costs few allocations. It lives as long as any of them.
func carve[T any](from *[]T, items []T) []T {
	n := len(items)
	if n == 0 {
		return nil
	}
	if cap(*from)-len(*from) < n {
		*from = make([]T, 0, max(n, min(16+2*cap(*from), 256)))
	}
	*from = append(*from, items...)
	return (*from)[len(*from)-n : len(*from) : len(*from)]
}
