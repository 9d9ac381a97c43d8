package index

import (
	"slices"
	"sync"

	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/ext/fts5"
)

// collectors are used again for their buffers: a full one is half a megabyte.
var collectors = sync.Pool{New: func() any { return new(collector) }}

// collectFunction is the name under which a connection knows collect.
const collectFunction = "lookback_collect"

// collector gathers, inside the engine and into Go memory, what ranking needs of
// each document that a query finds. FTS5's own bm25 is not used: before its first
// row it counts every document of the whole index that holds a phrase.
type collector struct {
	owner []int // by phrase: index of its want, or -1
	wants int
	found []candidate
	tf    []uint16 // of all candidates, wants × fields each
	rows  int64    // documents of the whole index
	total [fields]int64
}

// candidate is a document that matched.
type candidate struct {
	id    int64
	size  [fields]int32 // tokens
	tf    int           // where its counts begin in collector.tf
	score Score
	sum   float64 // Score.Total
	verdict
	doc *docInfo // nil until it is needed
}

// clear forgets everything.
func (c *collector) clear(wants int) {
	clear(c.found)
	*c = collector{wants: wants, found: c.found[:0], tf: c.tf[:0]}
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

func (c *collector) add(fts fts5.Context) (err error) {
	if c.rows == 0 {
		if err := c.averages(fts); err != nil {
			return err
		}
	}
	x, err := c.begin(fts)
	if err != nil {
		return err
	}
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
			if tf := &c.tf[x.tf+c.owner[p]*fields+col]; *tf < 1<<16-1 {
				*tf++
			}
		}
	}
	c.found = append(c.found, x)
	return nil
}

// begin makes a candidate of the row at hand, with room for its counts.
func (c *collector) begin(fts fts5.Context) (candidate, error) {
	x := candidate{id: fts.RowID(), tf: len(c.tf)}
	for range c.wants * fields {
		c.tf = append(c.tf, 0)
	}
	for f := range fields {
		n, err := fts.ColumnSize(f)
		if err != nil {
			return x, err
		}
		x.size[f] = int32(n)
	}
	return x, nil
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

// counts gives how often the candidate holds each want, by field.
func (c *collector) counts(x *candidate, want int) []uint16 {
	return c.tf[x.tf+want*fields:][:fields:fields]
}

// held reports whether the candidate holds a want.
func (c *collector) held(x *candidate, want int) bool {
	for _, n := range c.counts(x, want) {
		if n > 0 {
			return true
		}
	}
	return false
}

// distinct forgets what was found before.
func (c *collector) distinct() {
	seen := make(map[int64]bool, len(c.found))
	c.found = slices.DeleteFunc(c.found, func(x candidate) bool {
		again := seen[x.id]
		seen[x.id] = true
		return again
	})
}
