package index

import (
	"slices"

	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/ext/fts5"
)

// candidate is what may become a hit: a document that matched, or an entry of one.
type candidate struct {
	id    int64    // doc.id, or entry.id
	tf    []uint32 // how often it holds each want, by field; see counts
	score Score
	verdict
	doc    *docInfo  // nil until it is needed
	entry  *entryRow // nil for a document
	copies []*candidate
}

// counts gives how often the candidate holds a want, by field.
func (x *candidate) counts(want int) []uint32 { return x.tf[want*fields:][:fields] }

// holds reports whether the candidate holds a want.
func (x *candidate) holds(want int) bool { return slices.Max(x.counts(want)) > 0 }

// size is the length of each field, 0 for unknown.
func (x *candidate) size() (n [fields]int32) {
	switch {
	case x.entry != nil:
		n[entryField] = int32(len(x.entry.text))
	case x.doc != nil:
		n = x.doc.size
	}
	return n
}

// collectFunction is the name under which a connection knows collect.
const collectFunction = "lookback_collect"

// collector gathers, inside the engine and into Go memory, what ranking needs of
// each document that a query finds. FTS5's own bm25 is not used: before its first
// row it counts every document of the whole index that holds a phrase.
type collector struct {
	owner []int // by phrase: index of its want, or -1
	wants int
	found []*candidate
	room  []candidate
	rows  int64 // documents of the whole index
	total [fields]int64
}

func init() {
	onConnect = append(onConnect, func(api *fts5.API, _ *sqlite3.Conn) error {
		return api.CreateFunction(collectFunction, collect)
	})
}

// collect is an FTS5 auxiliary function: it adds the row at hand to what the
// collector that is bound as its argument has found.
func collect(fts fts5.Context, ctx sqlite3.Context, arg ...sqlite3.Value) {
	c, ok := arg[0].Pointer().(*collector)
	if !ok {
		return
	}
	if err := c.add(fts); err != nil {
		ctx.ResultError(err)
	}
}

// add makes a candidate of the row at hand. How long it is would be the most
// expensive question, and is left for the best; see refine.
func (c *collector) add(fts fts5.Context) (err error) {
	if c.rows == 0 {
		if err := c.averages(fts); err != nil {
			return err
		}
	}
	x := c.fresh()
	x.id = fts.RowID()
	n, err := fts.InstCount()
	if err != nil {
		return err
	}
	// The instances of all phrases at once are cheaper than one iterator for each.
	// A compound and its parts stand at one place and count both.
	for i := range n {
		p, col, _, err := fts.Inst(i)
		if err != nil {
			return err
		}
		if p < len(c.owner) && c.owner[p] >= 0 && col < fields {
			x.counts(c.owner[p])[col]++
		}
	}
	c.found = append(c.found, x)
	return nil
}

// fresh gives an empty candidate; one by one they would cost a tenth of a search.
func (c *collector) fresh() *candidate {
	if len(c.room) == 0 {
		c.room = make([]candidate, min(8+len(c.found), 256))
		tf := make([]uint32, len(c.room)*c.wants*fields)
		for i := range c.room {
			c.room[i].tf = tf[i*c.wants*fields:][:c.wants*fields]
		}
	}
	x := &c.room[0]
	c.room = c.room[1:]
	return x
}

// averages reads how long the columns of the whole index are.
func (c *collector) averages(fts fts5.Context) (err error) {
	if c.rows, err = fts.RowCount(); err != nil {
		return err
	}
	for f := range fields {
		if c.total[f], err = fts.ColumnTotalSize(f); err != nil {
			return err
		}
	}
	return nil
}

// distinct keeps the first of what was found several times.
func (c *collector) distinct() {
	seen := make(map[int64]bool, len(c.found))
	c.found = slices.DeleteFunc(c.found, func(x *candidate) bool {
		again := seen[x.id]
		seen[x.id] = true
		return again
	})
}
