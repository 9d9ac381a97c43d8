package pi

import "lookback"

// message parses the message object of a record.
func (p *parser) message() bool {
	m := &p.rec.msg
	*m = message{parts: m.parts[:0], calls: m.calls[:0]}
	p.rec.messageTime = moment{}
	if p.peek() != '{' {
		return p.skip()
	}
	p.pos++
	for first := true; ; first = false {
		k, st := p.key(first)
		if st == end {
			m.there = m.roleSet
			return true
		}
		if st == broken || !p.messageField(k) {
			return false
		}
	}
}

func (p *parser) messageField(k []byte) bool {
	m := &p.rec.msg
	switch string(k) {
	case "role":
		return p.stringField(p.setRole, true)
	case "content":
		if m.roleSet && (m.role == lookback.RoleTool || m.role == lookback.RoleSystem) {
			return p.skip() // never read from here, and often huge
		}
		return p.content()
	case "stopReason":
		m.stop = lookback.StopUnknown
		return p.stringField(func(b []byte) { m.stop = stopOf(b) }, false)
	case "timestamp":
		return p.momentField(&p.rec.messageTime)
	case "toolCallId":
		return p.textField(&m.reply.Call)
	case "toolName":
		return p.textField(&m.reply.Tool)
	case "isError":
		m.reply.Failed = p.peek() == 't'
	}
	return p.skip()
}

func (p *parser) setRole(b []byte) {
	m := &p.rec.msg
	m.roleSet, m.injected = true, false
	switch string(b) {
	case "user":
		m.role = lookback.RoleUser
	case "assistant":
		m.role = lookback.RoleAssistant
	case "toolResult":
		m.role = lookback.RoleTool
	case "system":
		m.role = lookback.RoleSystem
	case "custom", "hookMessage": // version 2 wrote hookMessage for what is custom now
		m.role, m.injected = lookback.RoleOther, true
	default:
		m.role = lookback.RoleOther
	}
}

func stopOf(b []byte) lookback.Stop {
	switch string(b) {
	case "stop":
		return lookback.StopFinal
	case "length":
		return lookback.StopLength
	case "toolUse":
		return lookback.StopTools
	case "error":
		return lookback.StopError
	case "aborted":
		return lookback.StopAborted
	}
	return lookback.StopUnknown
}

// content parses a string or a list of blocks.
func (p *parser) content() bool {
	m := &p.rec.msg
	m.parts, m.calls = m.parts[:0], m.calls[:0]
	switch p.peek() {
	case '"':
		p.pos++
		t, ok := p.text()
		m.parts = append(m.parts, lookback.Part{Text: t})
		return ok
	case 'n':
		return p.skip()
	case '[':
		p.pos++
	default:
		p.rec.bad = true
		return p.skip()
	}
	for first := true; ; first = false {
		switch p.element(first) {
		case end:
			return true
		case broken:
			return false
		}
		if p.peek() != '{' {
			if !p.skip() {
				return false
			}
		} else if !p.block() {
			return false
		}
	}
}

// blockKind is the type of a content block.
type blockKind uint8

const (
	blockUnset blockKind = iota
	blockText
	blockImage
	blockThinking
	blockCall
	blockOther
)

func blockOf(b []byte) blockKind {
	switch string(b) {
	case "text":
		return blockText
	case "image":
		return blockImage
	case "thinking":
		return blockThinking
	case "toolCall":
		return blockCall
	}
	return blockOther
}

// block parses one content block and keeps it if it is of a known type.
func (p *parser) block() bool {
	p.pos++
	var (
		kind blockKind
		text string
		has  bool
		call lookback.Call
	)
	for first := true; ; first = false {
		k, st := p.key(first)
		if st == end {
			break
		}
		if st == broken {
			return false
		}
		ok := true
		switch {
		case string(k) == "type" && p.peek() == '"':
			p.pos++
			var b []byte
			b, ok = p.str()
			kind = blockOf(b)
		case string(k) == "text" && kind <= blockText && p.peek() == '"':
			p.pos++
			has = true
			text, ok = p.text()
		case string(k) == "id" && (kind == blockCall || kind == blockUnset):
			ok = p.textField(&call.ID)
		case string(k) == "name" && (kind == blockCall || kind == blockUnset):
			ok = p.textField(&call.Name)
		default:
			ok = p.skip()
		}
		if !ok {
			return false
		}
	}
	m := &p.rec.msg
	switch {
	case kind == blockText && has:
		m.parts = append(m.parts, lookback.Part{Kind: lookback.PartText, Text: text})
	case kind == blockImage:
		m.parts = append(m.parts, lookback.Part{Kind: lookback.PartImage})
	case kind == blockThinking:
		m.parts = append(m.parts, lookback.Part{Kind: lookback.PartThinking})
	case kind == blockCall:
		m.calls = append(m.calls, call)
	}
	return true
}
