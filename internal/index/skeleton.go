package index

import (
	"encoding/binary"
	"encoding/hex"

	"lookback"
)

// A skeleton is a session's entries without their words, and the segments they
// stand on, in one blob:
//
//	version byte, number of segments, segment.id each as a difference,
//	number of entries, then per entry
//	  role | stop<<3 | message<<6 | injected<<7
//	  bits of skel*: what follows
//	  id, size, and what the bits say in their order
//
// Numbers are varints; ids that are lower-case hex or UUIDs take half their
// length; names of authors and tools are written once and then by number. Ids of
// calls are left out, and so are the texts of compactions and handoffs: they are
// read from the log.
const skeletonVersion = 1

const (
	skelParent = 1 << iota // the parent is not the entry before
	skelOffset             // the record does not follow the one before after one byte
	skelKey
	skelAuthor
	skelCalls
	skelReply
	skelCut
	skelTime // the time is not that of the entry before
)

// skeletonWriter appends entries to a skeleton.
type skeletonWriter struct {
	b      []byte
	names  map[string]uint64
	end    int64 // where the next record is expected
	before int64 // unix ms of the entry before
}

// encodeSkeleton gives the blob for a session. segments are segment.id in the
// order in which the segments begin.
func encodeSkeleton(entries []lookback.Entry, segments []int64) []byte {
	w := skeletonWriter{b: make([]byte, 0, 64+24*len(entries)), names: map[string]uint64{}}
	w.b = append(w.b, skeletonVersion)
	w.uint(uint64(len(segments)))
	last := int64(0)
	for _, id := range segments {
		w.int(id - last)
		last = id
	}
	w.uint(uint64(len(entries)))
	for i := range entries {
		w.entry(&entries[i])
	}
	return w.b
}

func (w *skeletonWriter) entry(e *lookback.Entry) {
	head := byte(e.Role) | byte(e.Stop)<<3
	if e.Message {
		head |= 1 << 6
	}
	if e.Injected {
		head |= 1 << 7
	}
	bits := w.bits(e)
	w.b = append(w.b, head, bits)
	w.id(e.ID)
	w.uint(uint64(e.Size))
	if bits&skelParent != 0 {
		w.uint(uint64(e.Parent))
	}
	if bits&skelOffset != 0 {
		w.int(e.Offset - w.end)
	}
	if bits&skelKey != 0 {
		w.id(e.Key)
	}
	if bits&skelAuthor != 0 {
		w.name(e.Author)
	}
	if bits&skelCalls != 0 {
		w.uint(uint64(len(e.Calls)))
		for _, c := range e.Calls {
			w.name(c.Name)
		}
	}
	if bits&skelReply != 0 {
		failed := byte(0)
		if e.Reply.Failed {
			failed = 1
		}
		w.b = append(w.b, failed)
		w.name(e.Reply.Tool)
	}
	if bits&skelCut != 0 {
		w.b = append(w.b, byte(e.Cut.Cause))
		w.id(e.Cut.Keep)
	}
	if bits&skelTime != 0 {
		w.int(millis(e.Time) - w.before)
		w.before = millis(e.Time)
	}
	w.end = e.Offset + int64(e.Size) + 1
}

// bits tells what must be written of an entry.
func (w *skeletonWriter) bits(e *lookback.Entry) (bits byte) {
	for i, set := range [...]bool{
		e.Parent != e.Seq-1, e.Offset != w.end, e.Key != "", e.Author != "",
		len(e.Calls) > 0, e.Reply != nil, e.Cut != nil, millis(e.Time) != w.before,
	} {
		if set {
			bits |= 1 << i
		}
	}
	return bits
}

func (w *skeletonWriter) uint(v uint64) { w.b = binary.AppendUvarint(w.b, v) }
func (w *skeletonWriter) int(v int64)   { w.b = binary.AppendVarint(w.b, v) }

// Forms of ids, in the low bits of their length.
const (
	idText = iota
	idHex  // lower-case hex digits, in pairs
	idUUID // the same with hyphens
)

func (w *skeletonWriter) id(s string) {
	var digits [36]byte
	switch plain, form := packable(s, digits[:0]); form {
	case idText:
		w.uint(uint64(len(s))<<2 + idText)
		w.b = append(w.b, s...)
	default:
		w.uint(uint64(len(plain)/2)<<2 | uint64(form))
		at := len(w.b)
		w.b = append(w.b, plain[:len(plain)/2]...) // room for what hex.Decode writes
		hex.Decode(w.b[at:], plain)                //nolint:errcheck // only hex digits, in pairs
	}
}

// packable gives the hex digits that an id consists of, and its form.
func packable(s string, digits []byte) ([]byte, int) {
	if len(s) > cap(digits) || len(s) == 0 {
		return nil, idText
	}
	uuid := len(s) == 36
	for i := range len(s) {
		c := s[i]
		if uuid && (i == 8 || i == 13 || i == 18 || i == 23) {
			if c != '-' {
				return nil, idText
			}
			continue
		}
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return nil, idText
		}
		digits = append(digits, c)
	}
	switch {
	case uuid:
		return digits, idUUID
	case len(digits)%2 == 0:
		return digits, idHex
	}
	return nil, idText
}

// name writes a string that comes again and again.
func (w *skeletonWriter) name(s string) {
	n, known := w.names[s]
	if !known {
		n = uint64(len(w.names))
		w.names[s] = n
	}
	w.uint(n)
	if !known {
		w.uint(uint64(len(s)))
		w.b = append(w.b, s...)
	}
}
