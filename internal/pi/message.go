package pi

import "lookback"

var (
	roles = map[string]lookback.Role{
		"user": lookback.RoleUser, "assistant": lookback.RoleAssistant, "toolResult": lookback.RoleTool, "system": lookback.RoleSystem,
	}
	stops = map[string]lookback.Stop{
		"stop": lookback.StopFinal, "length": lookback.StopLength, "toolUse": lookback.StopTools, "error": lookback.StopError,
		"aborted": lookback.StopAborted,
	}
)

// message parses the message object of a record.
func (p *parser) message() bool {
	m := &p.rec.msg
	*m = message{parts: m.parts[:0], calls: m.calls[:0]}
	p.rec.messageTime = moment{}
	return p.object(p.messageField)
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
		return p.stringField(func(b []byte) { m.stop = stops[string(b)] }, false)
	case "timestamp":
		return p.momentField(&p.rec.messageTime)
	case "toolCallId":
		return p.textField(kindUnset, &m.reply.Call)
	case "toolName":
		return p.textField(kindUnset, &m.reply.Tool)
	case "isError":
		m.reply.Failed = p.peek() == 't'
	}
	return p.skip()
}

func (p *parser) setRole(b []byte) {
	m := &p.rec.msg
	role, known := roles[string(b)]
	if !known {
		role = lookback.RoleOther
	}
	m.role, m.roleSet = role, true
	m.injected = string(b) == "custom" || string(b) == "hookMessage" // what version 2 wrote for custom
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
		if st := p.next(first, ']'); st != member {
			return st == end
		}
		if !p.block() {
			return false
		}
	}
}

var partKinds = map[string]lookback.PartKind{
	"text": lookback.PartText, "image": lookback.PartImage, "thinking": lookback.PartThinking,
}

// block parses one content block and keeps it if it is of a known type.
func (p *parser) block() bool {
	var (
		part                lookback.Part
		call                lookback.Call
		isPart, isCall, has bool
	)
	ok := p.object(func(k []byte) bool {
		if p.peek() != '"' {
			return p.skip()
		}
		switch string(k) {
		case "type":
			return p.stringField(func(b []byte) {
				part.Kind, isPart = partKinds[string(b)]
				isCall = string(b) == "toolCall"
			}, true)
		case "text":
			has = true
			return p.textField(kindUnset, &part.Text)
		case "id":
			return p.textField(kindUnset, &call.ID)
		case "name":
			return p.textField(kindUnset, &call.Name)
		}
		return p.skip()
	})
	m := &p.rec.msg
	switch {
	case isCall:
		m.calls = append(m.calls, call)
	case isPart && part.Kind != lookback.PartText:
		m.parts = append(m.parts, lookback.Part{Kind: part.Kind})
	case isPart && has:
		m.parts = append(m.parts, part)
	}
	return ok
}
