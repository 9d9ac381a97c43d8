package lookback

import (
	"math/bits"
	"testing"
)

// FuzzExchanges makes a log of two bytes an entry, the kind and where it hangs:
// anywhere, also on a later entry, on itself or in a ring, and with ids used
// again. Nothing may panic, loop or grow faster than the log.
func FuzzExchanges(f *testing.F) {
	f.Add([]byte("u\x01a\x01u\x01a\x01"))
	f.Add([]byte("u\x01a\x01u\x01b\x01u\x03a\x02"))
	f.Add([]byte("u\x00t\x80r\xffa\x00c\x01"))
	f.Fuzz(func(t *testing.T, data []byte) {
		n := min(len(data)/2, 2000)
		log := make([]Entry, n)
		for i := range log {
			kind, place := data[2*i], int(data[2*i+1])
			e := kindly(allKinds[int(kind)%len(allKinds)], i+1)
			// Up to 199 entries back, else up to 55 further on; 0 is the entry itself.
			if place >= 200 {
				place = 200 - place - 1
			}
			e.Parent = max(0, min(n, e.Seq-place))
			if kind >= 200 && i > 0 {
				e.ID = log[int(kind)%i].ID
			}
			log[i] = e
		}
		soundLog(t, log)
	})
}

func soundLog(t *testing.T, log []Entry) {
	forest := Exchanges(log)
	if len(forest.Exchanges) > len(log) || len(forest.Tips) > len(Tips(log)) {
		t.Fatalf("%d entries gave %d exchanges and %d branches of %d tips", len(log), len(forest.Exchanges), len(forest.Tips), len(Tips(log)))
	}
	checkForest(t, &forest)
	deepest := 0
	for _, x := range forest.Exchanges {
		deepest = max(deepest, x.Depth)
	}
	nodes := BuildTree("A", "", log, &forest)
	// An exchange ends at most one summary a level.
	if most := 1 + len(forest.Exchanges)*(1+bits.Len(uint(deepest))/2); len(nodes) > most {
		t.Errorf("%d nodes, at most %d", len(nodes), most)
	}
	checkTree(t, nodes)
	if again := BuildTree("A", "", log, &forest); Reuse(again, nodes) != 0 {
		t.Error("took texts over that nobody wrote")
	}
	for _, tip := range Tips(log) {
		path := Path(log, tip)
		if b := LastBoundary(log, path); b != nil && (log[b.At-1].Cut == nil || b.Entry < 1 || b.Entry > len(log)) {
			t.Errorf("boundary %+v", b)
		}
	}
	FallbackName(log)
}
