package index

import "lookback"

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

// summarySegment marks the segment of summaries in segment.parent.
const summarySegment = -1

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
	heir := make([]int, len(entries)+1) // per Seq: that child
	for i := range entries {
		e := &entries[i]
		if e.Parent > 0 && e.Parent < e.Seq && heir[e.Parent] == 0 {
			heir[e.Parent] = e.Seq
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

// layout is where the entries of a session stand.
type layout struct {
	runs []run
	on   []int32
	ids  []int64 // segment.id per run
}

// layout reads where the entries of a session stand, and its skeleton.
func (c *conn) layout(session int64) (l layout, entries []lookback.Entry, err error) {
	entries, l.ids, err = c.skeleton(session)
	l.runs, l.on = segmentation(entries)
	if err == nil && len(l.runs) != len(l.ids) {
		err = errSkeleton
	}
	return l, entries, err
}

// place gives the entry.id of a Seq.
func (l *layout) place(seq int) int64 { return place(l.ids[l.on[seq-1]], seq) }

// arrange gives the segments their numbers and writes the segment table. Segments
// keep their numbers up to the first that begins with another entry than before.
func (w *Writer) arrange(session int64, entries []lookback.Entry, had *layout) (l layout, err error) {
	l.runs, l.on = segmentation(entries)
	n := 0
	for n < len(l.runs) && n < len(had.runs) && l.runs[n].first == had.runs[n].first {
		n++
	}
	l.ids = append(l.ids, had.ids[:n]...)
	for range l.runs[n:] {
		l.ids = append(l.ids, w.next("segments"))
	}
	for _, id := range had.ids[n:] {
		if err := w.c.run("DELETE FROM segment WHERE id=?", id); err != nil {
			return l, err
		}
	}
	for i, r := range l.runs {
		if i < n && r == had.runs[i] && r.parent < n {
			continue
		}
		parent := int64(0)
		if r.parent >= 0 {
			parent = l.ids[r.parent]
		}
		err := w.c.run("INSERT OR REPLACE INTO segment(id, session, parent, cap) VALUES (?, ?, ?, ?)", l.ids[i], session, parent, r.cap)
		if err != nil {
			return l, err
		}
	}
	return l, nil
}

// summaries gives the segment of the session's summaries, making it for a new one.
func (w *Writer) summaries(session int64) (int64, error) {
	id, err := w.c.number("SELECT id FROM segment WHERE session=? AND parent=?", session, summarySegment)
	if err != nil || id != 0 {
		return id, err
	}
	id = w.next("segments")
	return id, w.c.run("INSERT INTO segment(id, session, parent, cap) VALUES (?, ?, ?, 0)", id, session, summarySegment)
}
