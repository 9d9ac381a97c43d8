package index

import (
	"encoding/binary"
	"errors"
)

// seqBits is how many bits of entry.id and doc.id hold the Seq.
const seqBits = 24

// maxSeq is the largest Seq that fits. A longer session cannot be indexed.
const maxSeq = 1<<seqBits - 1

// place packs a segment and a Seq into an entry.id or doc.id.
func place(segment int64, seq int) int64 { return segment<<seqBits | int64(seq) }

// seqOf is the Seq within an entry.id or doc.id.
func seqOf(id int64) int { return int(id & maxSeq) }

// segmentOf is the segment within an entry.id or doc.id.
func segmentOf(id int64) int64 { return id >> seqBits }

// members are the entries of a doc by field, as entry.id in the order they were
// said. Their Seqs are seqOf each.
type members struct{ users, answers, steps []int64 }

var errMembers = errors.New("index: damaged list of members")

// pack gives the form kept in doc.members: per field the number of entries, then
// per entry the Seq as difference to the one before, with a bit that says
// whether the segment, written as difference to the doc's, follows. Most
// exchanges lie on one segment and take a byte or two an entry.
func (m *members) pack(doc int64) []byte {
	home := segmentOf(doc)
	b := make([]byte, 0, 3+2*(len(m.users)+len(m.answers)+len(m.steps)))
	before := seqOf(doc)
	for _, field := range [][]int64{m.users, m.answers, m.steps} {
		b = binary.AppendUvarint(b, uint64(len(field)))
		for _, id := range field {
			step := int64(seqOf(id)-before) << 1
			before = seqOf(id)
			if segmentOf(id) == home {
				b = binary.AppendVarint(b, step)
				continue
			}
			b = binary.AppendVarint(b, step|1)
			b = binary.AppendVarint(b, segmentOf(id)-home)
		}
	}
	return b
}

// unpackMembers reads what pack wrote for the doc.
func unpackMembers(b []byte, doc int64) (m members, err error) {
	before := int64(seqOf(doc))
	for _, field := range []*[]int64{&m.users, &m.answers, &m.steps} {
		n, k := binary.Uvarint(b)
		if k <= 0 || n > uint64(len(b)) {
			return members{}, errMembers
		}
		b = b[k:]
		if n == 0 {
			continue
		}
		ids := make([]int64, n)
		for i := range ids {
			if ids[i], b, err = unpackMember(b, &before, segmentOf(doc)); err != nil {
				return members{}, err
			}
		}
		*field = ids
	}
	return m, nil
}

func unpackMember(b []byte, before *int64, home int64) (int64, []byte, error) {
	step, k := binary.Varint(b)
	if k <= 0 {
		return 0, nil, errMembers
	}
	b = b[k:]
	*before += step >> 1
	if *before < 0 || *before > maxSeq {
		return 0, nil, errMembers
	}
	if step&1 == 0 {
		return place(home, int(*before)), b, nil
	}
	away, k := binary.Varint(b)
	if k <= 0 {
		return 0, nil, errMembers
	}
	return place(home+away, int(*before)), b[k:], nil
}
