package pi

import (
	"strconv"

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

var recordKinds = map[string]kind{
	"session": kindSession, "message": kindMessage, "compaction": kindCompaction, "session_info": kindInfo,
	"custom_message": kindCustomMessage, "branch_summary": kindPlain, "context_edit": kindPlain, "custom": kindPlain,
	"model_change": kindPlain, "thinking_level_change": kindPlain, "label": kindPlain, "usage": kindPlain,
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
	role     lookback.Role
	roleSet  bool // else the message says nothing
	injected bool
	parts    []lookback.Part
	calls    []lookback.Call
	stop     lookback.Stop
	reply    lookback.Reply
}

// parser reads records with one scanner and one record, both reused.
type parser struct {
	scanner
	rec record
}

// record parses the object the scanner stands at. False means that it is no
// complete JSON object.
func (p *parser) record() bool {
	r := &p.rec
	*r = record{id: r.id[:0], parent: r.parent[:0], keepIndex: -1, version: 1,
		msg: message{parts: r.msg.parts[:0], calls: r.msg.calls[:0]}}
	if p.peek() != '{' {
		return false
	}
	r.from = p.at()
	if !p.object(p.field) {
		return false
	}
	r.to = p.at()
	p.close()
	return true
}

// close drops what turned out not to belong to a record of this type, when the
// type came last.
func (p *parser) close() {
	r, m := &p.rec, &p.rec.msg
	r.bad = r.bad || r.kind == kindUnset || r.kind == kindMessage && !m.roleSet
	silent := m.role == lookback.RoleTool || m.role == lookback.RoleSystem
	if r.kind != kindMessage && r.kind != kindCustomMessage || r.kind == kindMessage && silent {
		m.parts = m.parts[:0]
	}
	if r.kind != kindMessage || m.role != lookback.RoleAssistant {
		m.calls, m.stop = m.calls[:0], lookback.StopUnknown
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
	case "details":
		if p.want(kindCompaction) {
			return p.object(p.detail)
		}
	case "name":
		return p.textField(kindInfo, &r.name)
	case "summary":
		return p.textField(kindCompaction, &r.summary)
	case "firstKeptEntryId":
		return p.textField(kindCompaction, &r.keep)
	case "firstKeptEntryIndex":
		return p.intField(&r.keepIndex)
	case "version":
		return p.intField(&r.version)
	case "cwd":
		return p.textField(kindSession, &r.cwd)
	case "parentSession":
		return p.textField(kindSession, &r.parentSession)
	case "branchedFrom": // the older name of the same thing
		if r.parentSession == "" {
			return p.textField(kindSession, &r.parentSession)
		}
	}
	return p.skip()
}

func kindOf(b []byte) kind {
	if k, ok := recordKinds[string(b)]; ok {
		return k
	}
	return kindOther
}

// want reports whether a field of records of kind k may matter: the type is k, or
// not known yet because the writer put it behind.
func (p *parser) want(k kind) bool { return p.rec.kind == k || p.rec.kind == kindUnset }

// detail looks for the mark that a handoff leaves in the details of a compaction.
func (p *parser) detail(k []byte) bool {
	if string(k) != "kind" {
		return p.skip()
	}
	return p.stringField(func(b []byte) { p.rec.handoff = string(b) == "handoff" }, false)
}

// stringField hands a string value to set. Another value is passed over; unless
// it is null, or always when must is set, it makes the record bad.
func (p *parser) stringField(set func([]byte), must bool) bool {
	c := p.peek()
	if c != '"' {
		p.rec.bad = p.rec.bad || must || c != 'n'
		return p.skip()
	}
	p.pos++
	b, ok := p.str()
	if ok {
		set(p.mend(b))
	}
	return ok
}

// textField stores a string value of records of kind k, or of any kind for
// kindUnset; any other value leaves to as it is.
func (p *parser) textField(k kind, to *string) bool {
	if p.peek() != '"' || k != kindUnset && !p.want(k) {
		return p.skip()
	}
	p.pos++
	t, ok := p.text()
	*to = t
	return ok
}

// intField reads a number without sign or fraction; other values leave to as it is.
func (p *parser) intField(to *int) bool {
	if c := p.peek(); c < '0' || c > '9' {
		return p.skip()
	}
	b, ok := p.number()
	if n, err := strconv.Atoi(string(b)); err == nil {
		*to = n
	}
	return ok
}
