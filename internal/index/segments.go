package index

import (
	"slices"

	"github.com/ncruces/go-sqlite3"

	"lookback"
)

// run is a segment while it has no number yet.
type run struct {
	first  int // Seq of its first entry
	parent int // index of the run it leaves, -1 at a root
	cap    int // Seq of the entry it leaves it after, 0 at a root
}

// segmentation divides a session into segments and gives, per Seq-1, the index
// of the run the entry stands on. An entry goes on with its parent's run when it
// is the first child that comes after its parent, so what is appended later
// changes no run.
func segmentation(entries []lookback.Entry) (runs []run, on []int32) {
	on = make([]int32, len(entries))
	heir := make([]int32, len(entries)+1) // per Seq: that child
	for i := range entries {
		if e := &entries[i]; e.Parent > 0 && e.Parent < e.Seq && heir[e.Parent] == 0 {
			heir[e.Parent] = int32(e.Seq)
		}
	}
	for i := range entries {
		e := &entries[i]
		if e.Parent > 0 && int(heir[e.Parent]) == e.Seq {
			on[i] = on[e.Parent-1]
			continue
		}
		on[i] = int32(len(runs))
		runs = append(runs, run{first: e.Seq, parent: -1, cap: e.Parent})
	}
	for i := range runs { // parents may come later in damaged logs
		if r := &runs[i]; r.cap > 0 {
			r.parent = int(on[r.cap-1])
		}
	}
	return runs, on
}

// summarySegment marks the segment of summaries in segment.parent.
const summarySegment = -1

// layout is where the entries of a session stand.
type layout struct {
	runs []run
	on   []int32
	ids  []int64 // segment.id per run
}

// place gives the entry.id of a Seq.
func (l *layout) place(seq int) int64 { return place(l.ids[l.on[seq-1]], seq) }

// arrange gives the segments their numbers: one that begins with the same entry
// as before keeps its own. It writes the segment table.
func (w *Writer) arrange(session int64, entries []lookback.Entry, had *layout) (*layout, error) {
	l := &layout{}
	l.runs, l.on = segmentation(entries)
	l.ids = make([]int64, len(l.runs))
	kept := map[int]int{} // index of the old run by first Seq
	for i, r := range had.runs {
		kept[r.first] = i
	}
	for i, r := range l.runs {
		if old, ok := kept[r.first]; ok {
			l.ids[i] = had.ids[old]
			delete(kept, r.first)
			continue
		}
		w.segment++
		l.ids[i] = w.segment
	}
	for _, old := range kept {
		if err := w.c.run("DELETE FROM segment WHERE id=?", had.ids[old]); err != nil {
			return nil, err
		}
	}
	for i, r := range l.runs {
		parent := int64(0)
		if r.parent >= 0 {
			parent = l.ids[r.parent]
		}
		if old := slices.Index(had.ids, l.ids[i]); old >= 0 && had.runs[old].cap == r.cap && had.parent(old) == parent {
			continue
		}
		err := w.c.run("INSERT OR REPLACE INTO segment(id, session, parent, cap) VALUES (?, ?, ?, ?)", l.ids[i], session, parent, r.cap)
		if err != nil {
			return nil, err
		}
	}
	return l, nil
}

// parent gives the segment.id that a run leaves, 0 at a root.
func (l *layout) parent(i int) int64 {
	if p := l.runs[i].parent; p >= 0 {
		return l.ids[p]
	}
	return 0
}

// summaries gives the segment of the session's summaries, making it for a new one.
func (w *Writer) summaries(session int64) (id int64, err error) {
	err = w.c.query("SELECT id FROM segment WHERE session=? AND parent=?", func(s *sqlite3.Stmt) error {
		id = s.ColumnInt64(0)
		return nil
	}, session, summarySegment)
	if err != nil || id != 0 {
		return id, err
	}
	w.segment++
	return w.segment, w.c.run("INSERT INTO segment(id, session, parent, cap) VALUES (?, ?, ?, 0)", w.segment, session, summarySegment)
}
