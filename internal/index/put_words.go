package index

import (
	"slices"
	"strings"

	"lookback"
)

// wordsHash is a hash of the entries' words by field.
func (p *putting) wordsHash(d *Doc) uint64 {
	h := uint64(d.Kind)
	for i, field := range [][]int{d.Users, d.Answers, d.Steps} {
		h = hash64(h+uint64(i), "")
		for _, seq := range field {
			h = hash64(h, p.u.Entries[seq-1].Words())
		}
	}
	return h
}

// twin is the hash that makes copies in forks equal, without the family: of what
// a doc consists of, by the agent's own ids. A session's own doc has no twin.
func (p *putting) twin(d *Doc) uint64 {
	h := hash64(p.wordsHash(d), d.Text)
	if !hasEntries(d) {
		h = hash64(h, d.Node)
	}
	if d.Kind == lookback.KindSession {
		return hash64(hash64(h, p.u.Session.ID.Agent), p.u.Session.ID.Native)
	}
	for _, field := range [][]int{d.Users, d.Answers, d.Steps} {
		for _, seq := range field {
			h = hash64(h, p.u.Entries[seq-1].NodeID())
		}
	}
	return h
}

// meta gives the words of low weight: who else than a person and a model spoke,
// and the name that somebody gave the session. A derived name stands in the first
// exchange already.
func (p *putting) meta(d *Doc) string {
	if d.Kind == lookback.KindSession {
		return d.Text
	}
	var parts []string
	for _, field := range [][]int{d.Users, d.Answers} {
		for _, seq := range field {
			if a := p.u.Entries[seq-1].Author; a != "" && !slices.Contains(parts, a) {
				parts = append(parts, a)
			}
		}
	}
	if p.u.Session.Named {
		parts = append(parts, p.u.Session.Name)
	}
	return strings.Join(parts, "\n")
}

// queueWords hands the words of a doc to the word index. The words of a summary
// stand where an assistant's do, those of a session's name in meta alone.
func (p *putting) queueWords(d *Doc, id int64, old bool, meta, scope string) {
	split := &p.w.split
	fields := [...][]int{columnUser: d.Users, columnAssistant: d.Answers, columnSteps: d.Steps}
	p.w.queue.put(id, old, func(column int, dst []byte) []byte {
		switch column {
		case columnMeta:
			return split.add(dst, meta)
		case columnScope:
			return append(dst, scope...)
		}
		for _, seq := range fields[column] {
			dst = split.add(dst, p.u.Entries[seq-1].Words())
		}
		if column == columnAssistant && d.Kind != lookback.KindSession && !hasEntries(d) {
			dst = split.add(dst, d.Text)
		}
		return dst
	})
}
