package pi

import (
	"crypto/sha256"
	"fmt"
	"io"

	"lookback"
)

// sum names the bytes of a record. With an id alone it marks that all entries with
// this id are known by their sums.
type sum struct {
	id   string
	size int
	hash [sha256.Size]byte
}

// repeat finds out whether the record parsed last was accepted before, byte for
// byte, and as which entry; 0 when it was not. Only records whose id occurs again
// are ever compared, and each of them once. Those of version 1 have no ids and are
// all compared.
func (r *run) repeat(offset int64) (int, error) {
	rec := &r.p.rec
	had := r.ids.last[string(rec.id)]
	if rec.hasID && had == 0 {
		return 0, nil
	}
	if r.sums == nil {
		r.sums = map[sum]int{}
	}
	id := string(rec.id)
	key, err := r.sum(id, offset, int(rec.to-rec.from))
	if err != nil {
		return 0, err
	}
	if rec.hasID {
		if err := r.sumAll(id, had); err != nil {
			return 0, err
		}
	}
	if seq := r.sums[key]; seq != 0 {
		return seq, nil
	}
	r.sums[key] = r.cur.Seq + 1
	if rec.hasID {
		r.warn(lookback.DuplicateID)
	}
	return 0, nil
}

// sumAll makes the sums of the entries with this id, of which had is the latest.
func (r *run) sumAll(id string, had int) error {
	if r.sums[sum{id: id}] != 0 {
		return nil
	}
	for seq := had; seq != 0; seq = r.ids.older[seq] {
		e := r.entry(seq)
		key, err := r.sum(id, e.Offset, e.Size)
		if err != nil {
			return err
		}
		r.sums[key] = seq
	}
	r.sums[sum{id: id}] = had
	return nil
}

func (r *run) sum(id string, offset int64, size int) (sum, error) {
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(r.f, offset, int64(size))); err != nil {
		return sum{}, fmt.Errorf("pi: %w", err)
	}
	s := sum{id: id, size: size}
	h.Sum(s.hash[:0])
	return s, nil
}
