package index

import (
	"encoding/binary"
	"math/bits"
)

// hash64 is a hash of our own for the columns doc.hash and doc.twin and for the
// set of known terms: 64 bits, the same on every machine and in every version.
// It mixes eight bytes at a time and is not meant to withstand an attacker: what
// collides is taken for unchanged, in an index of one's own words.
func hash64[T string | []byte](h uint64, s T) uint64 {
	const k0, k1 = 0xa0761d6478bd642f, 0xe7037ed1a0b428db
	h ^= uint64(len(s)) * k0
	for len(s) >= 8 {
		h = fold(h^k1, word(s)^k0)
		s = s[8:]
	}
	if len(s) > 0 {
		var tail [8]byte
		copy(tail[:], s)
		h = fold(h^k1, binary.LittleEndian.Uint64(tail[:])^k0)
	}
	return fold(h^k0, k1)
}

func word[T string | []byte](s T) uint64 {
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

func fold(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

// mixFamily is what a family adds to the twin hashes of its sessions. It is added
// by exclusive or, so that a session can join another family without its words
// being read again.
func mixFamily(agent, family string) int64 { return int64(hash64(hash64(0, agent), family)) }
