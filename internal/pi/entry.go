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
	e := lookback.Entry{Seq: c.Seq, ID: r.p.short.add(rec.id), Offset: offset, Size: int(rec.to - rec.from)}
	if !rec.hasID {
		e.ID = v1ID(c.Seq)
	}
	if r.pending[e.ID] {
		return 0, errStartOver
	}
	r.parent(&e)
	r.ids.add(e.ID, e.Seq)
	e.Time = rec.when()
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
	if len(r.log) == cap(r.log) {
		r.log = slices.Grow(r.log, r.ahead(offset))
	}
	r.log = append(r.log, e)
	c.AfterBad = false
	return e.Seq, nil
}

// ahead guesses from the lines so far how many entries are still to come, so that
// a large log is not copied again and again as it grows.
func (r *run) ahead(offset int64) int {
	n := int64(len(r.log))
	left := max(0, r.cur.Stamp.Size-offset)
	if n < 16 {
		return int(min(16, 1+left>>7))
	}
	first := r.log[0].Offset
	return int(min(n*left/max(1, offset-first)+n/16, 4*n))
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
	if e.Parent = r.ids.last[string(rec.parent)]; e.Parent == 0 {
		r.wants = append(r.wants, want{e.Seq, r.cur.Line, string(rec.parent), r.cur.AfterBad})
	}
}

// fill gives the entry its words and what else the record says.
func (r *run) fill(e *lookback.Entry) {
	rec := &r.p.rec
	m := &rec.msg
	switch rec.kind {
	case kindMessage:
		if !m.there {
			return
		}
		e.Role, e.Message, e.Injected, e.Stop = m.role, true, m.injected, m.stop
		if m.role == lookback.RoleTool {
			e.Reply = r.store.reply(m.reply)
		}
	case kindCustomMessage:
		e.Role, e.Injected = lookback.RoleOther, true
	case kindCompaction:
		e.Cut = &lookback.Cut{Cause: lookback.CauseCompaction, Keep: rec.keep, Text: rec.summary}
		if rec.handoff {
			e.Cut.Cause = lookback.CauseHandoff
		}
	}
	e.Parts = carve(&r.store.parts, m.parts)
	e.Calls = carve(&r.store.calls, m.calls)
}
