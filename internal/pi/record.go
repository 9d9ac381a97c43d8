package pi

import (
	"bytes"
	"time"
	"unicode/utf8"

	"lookback"
)

// kind is the type of a record, as far as it matters here.
type kind uint8

const (
	kindUnset kind = iota // no string type seen
	kindOther             // a type that Pi does not have
	kindSession
	kindMessage
	kindCompaction
	kindInfo
	kindCustomMessage
	kindPlain // a type of Pi that is a tree node and nothing more
)

func kindOf(b []byte) kind {
	switch string(b) {
	case "message":
		return kindMessage
	case "session":
		return kindSession
	case "compaction":
		return kindCompaction
	case "session_info":
		return kindInfo
	case "custom_message":
		return kindCustomMessage
	case "branch_summary", "context_edit", "custom", "model_change", "thinking_level_change", "label", "usage":
		return kindPlain
	}
	return kindOther
}

// record is one parsed record. Its slices are reused by the next parse.
type record struct {
	kind               kind
	id                 []byte
	hasID              bool
	parent             []byte // parentId
	hasParent          bool   // the key stands there
	bad                bool   // a field has a value it cannot have
	time, messageTime  moment
	from, to           int64 // bytes of the line that the record takes
	version            int
	cwd, parentSession string // header
	name               string // session_info
	keep               string // compaction: firstKeptEntryId
	keepIndex          int    // version 1: firstKeptEntryIndex, -1 for none
	handoff            bool
	summary            string
	msg                message
}

// message is the part of a record that speaks.
type message struct {
	there    bool // a message object with a role
	role     lookback.Role
	roleSet  bool
	injected bool
	parts    []lookback.Part
	calls    []lookback.Call
	stop     lookback.Stop
	reply    lookback.Reply
}

func (r *record) reset() {
	*r = record{id: r.id[:0], parent: r.parent[:0], keepIndex: -1, version: 1,
		msg: message{parts: r.msg.parts[:0], calls: r.msg.calls[:0]}}
}

// when is the time of the record: its own, else that of its message.
func (r *record) when() time.Time {
	if r.time.set {
		return r.time.time()
	}
	return r.messageTime.time()
}

// parser reads records with one scanner and one record, both reused.
type parser struct {
	scanner
	rec record
}

// want reports whether a field of records of kind k may matter: the type is k, or
// not known yet because the writer put it behind.
func (p *parser) want(k kind) bool { return p.rec.kind == k || p.rec.kind == kindUnset }

// record parses the object the scanner stands at. False means that it is no
// complete JSON object.
func (p *parser) record() bool {
	p.rec.reset()
	if p.peek() != '{' {
		return false
	}
	p.rec.from = p.at()
	p.pos++
	for first := true; ; first = false {
		k, st := p.key(first)
		if st == end {
			break
		}
		if st == broken || !p.field(k) {
			return false
		}
	}
	p.rec.to = p.at()
	p.close()
	return true
}

// close drops what turned out not to belong to a record of this type, when the
// type came last.
func (p *parser) close() {
	r, m := &p.rec, &p.rec.msg
	switch r.kind {
	case kindMessage:
		if !m.there {
			r.bad = true
		}
		if m.role == lookback.RoleTool || m.role == lookback.RoleSystem {
			m.parts, m.calls = m.parts[:0], m.calls[:0]
		}
		if m.role != lookback.RoleAssistant {
			m.calls, m.stop = m.calls[:0], lookback.StopUnknown
		}
	case kindCustomMessage:
		m.calls = m.calls[:0]
	case kindUnset:
		r.bad = true
		fallthrough
	default:
		m.parts, m.calls = m.parts[:0], m.calls[:0]
	}
}

func (p *parser) field(k []byte) bool {
	r := &p.rec
	switch string(k) {
	case "type":
		return p.stringField(func(b []byte) { r.kind = kindOf(b) }, true)
	case "id":
		return p.stringField(func(b []byte) { r.id, r.hasID = append(r.id[:0], b...), len(b) > 0 }, true)
	case "parentId":
		r.hasParent = true
		return p.stringField(func(b []byte) { r.parent = append(r.parent[:0], b...) }, false)
	case "timestamp":
		return p.momentField(&r.time)
	case "message":
		if p.want(kindMessage) {
			return p.message()
		}
	case "content":
		if p.want(kindCustomMessage) {
			return p.content()
		}
	case "name":
		if p.want(kindInfo) {
			r.name = ""
			return p.textField(&r.name)
		}
	case "summary", "firstKeptEntryId", "firstKeptEntryIndex", "details":
		if p.want(kindCompaction) {
			return p.compaction(k)
		}
	case "version", "cwd", "parentSession", "branchedFrom":
		if p.want(kindSession) {
			return p.header(k)
		}
	}
	return p.skip()
}

func (p *parser) compaction(k []byte) bool {
	switch string(k) {
	case "summary":
		return p.textField(&p.rec.summary)
	case "firstKeptEntryId":
		return p.textField(&p.rec.keep)
	case "firstKeptEntryIndex":
		n, ok := p.intField(-1)
		p.rec.keepIndex = n
		return ok
	}
	return p.details()
}

// details looks for the mark that a handoff leaves in a compaction.
func (p *parser) details() bool {
	if p.peek() != '{' {
		return p.skip()
	}
	p.pos++
	for first := true; ; first = false {
		k, st := p.key(first)
		if st == end {
			return true
		}
		if st == broken {
			return false
		}
		if string(k) == "kind" {
			ok := p.stringField(func(b []byte) { p.rec.handoff = string(b) == "handoff" }, false)
			if !ok {
				return false
			}
		} else if !p.skip() {
			return false
		}
	}
}

func (p *parser) header(k []byte) bool {
	r := &p.rec
	switch string(k) {
	case "version":
		n, ok := p.intField(1)
		r.version = n
		return ok
	case "cwd":
		return p.textField(&r.cwd)
	}
	if string(k) == "branchedFrom" && r.parentSession != "" {
		return p.skip() // the older name of the same thing
	}
	return p.textField(&r.parentSession)
}

// stringField hands a string value to set. Another value is passed over; unless
// it is null, or always when must is set, it makes the record bad.
func (p *parser) stringField(set func([]byte), must bool) bool {
	c := p.peek()
	if c != '"' {
		if must || c != 'n' {
			p.rec.bad = true
		}
		return p.skip()
	}
	p.pos++
	b, ok := p.str()
	if !ok {
		return false
	}
	if !utf8.Valid(b) {
		p.sick = true
		b = mend(b)
	}
	set(b)
	return true
}

// textField stores a string value; any other value leaves to as it is.
func (p *parser) textField(to *string) bool {
	if p.peek() != '"' {
		return p.skip()
	}
	p.pos++
	t, ok := p.text()
	*to = t
	return ok
}

// intField reads a number, cut to an integer; other values give none.
func (p *parser) intField(none int) (int, bool) {
	c := p.peek()
	if c != '-' && (c < '0' || c > '9') {
		return none, p.skip()
	}
	b, ok := p.number()
	if !ok {
		return none, false
	}
	whole, _, _ := bytes.Cut(b, []byte{'.'})
	if n, ok := atoi(whole); ok {
		return n, true
	}
	return none, true
}

// atoi reads up to nine digits.
func atoi(b []byte) (int, bool) {
	n := 0
	if len(b) == 0 || len(b) > 9 {
		return 0, false
	}
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, true
}
