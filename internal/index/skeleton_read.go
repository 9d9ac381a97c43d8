package index

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"time"

	"lookback"
)

var errSkeleton = errors.New("index: damaged skeleton of a session")

// skeletonReader takes a skeleton apart. The first fault sets bad, after which
// everything reads as zero.
type skeletonReader struct {
	b      []byte
	names  []string
	end    int64
	before int64
	bad    bool
}

// decodeSkeleton reads what encodeSkeleton wrote. Entries have no Parts, Calls
// have no ids, and a Cut has no text.
func decodeSkeleton(b []byte) (entries []lookback.Entry, segments []int64, err error) {
	r := skeletonReader{b: b}
	if r.byte() != skeletonVersion {
		return nil, nil, errSkeleton
	}
	segments = make([]int64, r.count(1))
	last := int64(0)
	for i := range segments {
		last += r.int()
		segments[i] = last
	}
	entries = make([]lookback.Entry, r.count(4))
	for i := range entries {
		entries[i].Seq = i + 1
		r.entry(&entries[i])
		if r.bad || entries[i].Parent > len(entries) {
			return nil, nil, errSkeleton
		}
	}
	if r.bad || len(r.b) > 0 {
		return nil, nil, errSkeleton
	}
	return entries, segments, nil
}

func (r *skeletonReader) entry(e *lookback.Entry) {
	head, bits := r.byte(), r.byte()
	e.Role, e.Stop = lookback.Role(head&7), lookback.Stop(head>>3&7)
	e.Message, e.Injected = head&(1<<6) != 0, head&(1<<7) != 0
	r.bad = r.bad || e.Role > lookback.RoleOther || e.Stop > lookback.StopAborted
	e.ID = r.id()
	e.Size = int(r.uint() & 0x7fffffffffffffff)
	e.Parent = e.Seq - 1
	if bits&skelParent != 0 {
		e.Parent = int(r.uint() & maxSeq)
	}
	e.Offset = r.end
	if bits&skelOffset != 0 {
		e.Offset += r.int()
	}
	if bits&skelKey != 0 {
		e.Key = r.id()
	}
	if bits&skelAuthor != 0 {
		e.Author = r.name()
	}
	if bits&skelCalls != 0 {
		for range r.count(1) {
			e.Calls = append(e.Calls, lookback.Call{Name: r.name()})
		}
	}
	if bits&skelReply != 0 {
		e.Reply = &lookback.Reply{Failed: r.byte() == 1}
		e.Reply.Tool = r.name()
	}
	if bits&skelCut != 0 {
		e.Cut = &lookback.Cut{Cause: lookback.Cause(r.byte())}
		r.bad = r.bad || e.Cut.Cause > lookback.CauseHandoff
		e.Cut.Keep = r.id()
	}
	if bits&skelTime != 0 {
		r.before += r.int()
	}
	if r.before != 0 {
		e.Time = time.UnixMilli(r.before).UTC()
	}
	r.end = e.Offset + int64(e.Size) + 1
}

func (r *skeletonReader) byte() byte {
	if len(r.b) == 0 {
		r.bad = true
		return 0
	}
	c := r.b[0]
	r.b = r.b[1:]
	return c
}

func (r *skeletonReader) uint() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.fail()
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *skeletonReader) int() int64 {
	v, n := binary.Varint(r.b)
	if n <= 0 {
		r.fail()
		return 0
	}
	r.b = r.b[n:]
	return v
}

// fail ends the reading, so that damaged counts cannot keep it busy.
func (r *skeletonReader) fail() { r.bad, r.b = true, nil }

// count reads a number of things of which each takes at least size bytes.
func (r *skeletonReader) count(size int) int {
	n := r.uint()
	if n > uint64(len(r.b)/size) {
		r.fail()
		return 0
	}
	return int(n)
}

// take gives the next n bytes.
func (r *skeletonReader) take(n uint64) []byte {
	if n > uint64(len(r.b)) {
		r.fail()
		return nil
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

func (r *skeletonReader) id() string {
	n := r.uint()
	b := r.take(n >> 2)
	switch n & 3 {
	case idText:
		return string(b)
	case idHex:
		return hex.EncodeToString(b)
	case idUUID:
		if len(b) == 16 {
			h := hex.EncodeToString(b)
			return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
		}
	}
	r.fail()
	return ""
}

func (r *skeletonReader) name() string {
	n := r.uint()
	switch {
	case n < uint64(len(r.names)):
		return r.names[n]
	case n > uint64(len(r.names)):
		r.fail()
		return ""
	}
	s := string(r.take(r.uint()))
	if !r.bad {
		r.names = append(r.names, s)
	}
	return s
}
