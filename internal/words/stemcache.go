package words

// Words repeat: a small table in front of the stemmer answers nearly every
// question in prose. A slot is simply overwritten by the next word that falls
// into it, so memory is bounded and there is nothing to clean up.
const (
	cacheSlots = 2048 // a power of two
	cacheWord  = 22   // letters; longer words are rare and stemmed each time
)

type stemSlot struct {
	word [cacheWord]byte
	stem [cacheWord + 1]byte // with its mark
	n    uint8               // letters of word; 0 for an empty slot
	m    uint8               // bytes of stem; 0 when the word is its own stem
}

type stemCache struct {
	slots [cacheSlots]stemSlot
	long  [MaxToken + 2]byte
}

// marked gives StemMark and the stem of a word; nil when the word is its own stem
// or is not made of ASCII letters. The result is valid until the next call.
func (c *stemCache) marked(word []byte) []byte {
	if len(word) > cacheWord {
		if !isPlain(word) {
			return nil
		}
		return markStem(c.long[:0], word)
	}
	h := uint32(len(word))
	for _, b := range word {
		h = (h ^ uint32(b)) * 0x01000193
	}
	slot := &c.slots[(h^h>>15)%cacheSlots]
	if string(slot.word[:slot.n]) != string(word) {
		if !isPlain(word) {
			return nil
		}
		slot.n = uint8(copy(slot.word[:], word))
		slot.m = uint8(len(markStem(slot.stem[:0], word)))
	}
	if slot.m == 0 {
		return nil
	}
	return slot.stem[:slot.m]
}

// markStem appends the marked stem to dst, which must have room for the word
// and one byte; nil when the word is its own stem.
func markStem(dst, word []byte) []byte {
	dst = append(dst, StemMark)
	dst = append(dst, word...)
	stem := porter(dst[1:])
	if string(stem) == string(word) {
		return nil
	}
	return dst[:1+len(stem)]
}
