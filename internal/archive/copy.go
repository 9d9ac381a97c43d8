package archive

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"lookback"
)

// Report says what Copy and Import did.
type Report struct {
	Added    int // sessions that were not there
	Merged   int // records that gained exchanges or summaries
	Kept     int // records that had all of it
	Skipped  int // forgotten sessions, and for Import those of other workspaces
	Warnings []lookback.Warning
}

// Copy brings every session of src into dst, in either direction of an export or
// import. Sessions are joined by agent and session id. Where both hold one, the
// record with more exchanges goes on, or with more written summaries when both
// have the same, and takes over the other's summaries; it keeps the archive id it
// has in dst. When each holds words that the other lacks, both stay, as two
// records of one session. src is not altered.
func Copy(ctx context.Context, dst, src *Archive) (Report, error) {
	var rep Report
	w, err := dst.Lock(ctx)
	if err != nil {
		return rep, err
	}
	c := copier{w: w, here: map[lookback.SessionID][]string{}, rep: &rep}
	for h, warning := range dst.Heads() {
		if h.ID != "" {
			c.here[h.Session] = append(c.here[h.Session], h.ID)
		} else {
			rep.Warnings = append(rep.Warnings, *warning)
		}
	}
	for r, warning := range src.All() {
		if err = ctx.Err(); err != nil {
			break
		}
		if r == nil {
			rep.Warnings = append(rep.Warnings, *warning)
			continue
		}
		if err = c.copy(r); err != nil {
			break
		}
	}
	return rep, w.closeWith(err)
}

type copier struct {
	w    *Writer
	here map[lookback.SessionID][]string // archive ids in dst
	rep  *Report
}

func (c *copier) copy(r *Record) error {
	if c.w.a.Forgotten(r.Session) {
		c.rep.Skipped++
		return nil
	}
	for _, id := range c.here[r.Session] {
		if c.w.isPending(id + ext) { // of an earlier record of the same session
			if err := c.w.Flush(); err != nil {
				return err
			}
		}
		old, err := c.w.a.read(id)
		if err != nil {
			c.rep.Warnings = append(c.rep.Warnings, c.w.a.warn(id, err))
			continue
		}
		if m := merge(old, r); m != nil {
			changed, err := c.w.Save(m)
			if changed {
				c.rep.Merged++
			} else if err == nil {
				c.rep.Kept++
			}
			return err
		}
	}
	return c.add(r)
}

// add saves r under its own id, or else under one of ours.
func (c *copier) add(r *Record) error {
	for _, id := range []string{r.ID, NewID(r.Session), r.ID + "-2"} {
		if !SafeID(id) {
			continue
		}
		if _, err := c.w.dir.Lstat(id + ext); err == nil {
			continue
		}
		one := *r.rename(id)
		one.info = nil
		if _, err := c.w.Save(&one); err != nil {
			if errors.Is(err, ErrDamaged) {
				break
			}
			return err
		}
		c.here[r.Session] = append(c.here[r.Session], id)
		c.rep.Added++
		return nil
	}
	c.rep.Warnings = append(c.rep.Warnings, c.w.a.warning(r.ID+ext, lookback.BadArchive, "the name is taken by another record"))
	return nil
}

// merge returns old brought up to r, under the id of old; nil when each holds
// exchanges that the other lacks.
func merge(old, r *Record) *Record {
	r = r.rename(old.ID)
	if !covers(old, r) {
		if !covers(r, old) {
			return nil
		}
		old, r = r, old
	} else if covers(r, old) && Prefer(old, r) == r {
		old, r = r, old
	}
	out := *old
	out.info = nil // Save looks at the file in place by itself
	out.Nodes = slices.Clone(old.Nodes)
	lookback.Reuse(out.Nodes, r.Nodes)
	return &out
}

// covers reports whether a holds every exchange of b: one with the same entries,
// or for an unfinished one, one that went on from the same question.
func covers(a, b *Record) bool {
	have := map[string]bool{}
	for i := range a.Nodes {
		if n := &a.Nodes[i]; n.Kind == lookback.KindExchange && len(n.EntryIDs) > 0 {
			have[n.ID] = true
			have["\x00"+n.EntryIDs[0]] = true
		}
	}
	for i := range b.Nodes {
		n := &b.Nodes[i]
		if n.Kind != lookback.KindExchange || have[n.ID] {
			continue
		}
		if n.Completed || len(n.EntryIDs) == 0 || !have["\x00"+n.EntryIDs[0]] {
			return false
		}
	}
	return true
}

// Import copies the sessions of one workspace from an older user-level archive
// (pbot/history in Pi's agent directory): those whose workspace field is exactly
// root and which a does not hold. Only what records hold today is kept. The old
// files stay, and nothing here is replaced. Without any such record, a is not
// made.
func (a *Archive) Import(ctx context.Context, from *Archive, root string) (Report, error) {
	var rep Report
	var found []*Record
	for r, warning := range from.All() {
		switch {
		case r == nil:
			rep.Warnings = append(rep.Warnings, *warning)
		case r.workspace != root || root == "" || !filepath.IsAbs(root):
			rep.Skipped++
		default:
			found = append(found, r)
		}
	}
	if len(found) == 0 {
		return rep, nil
	}
	w, err := a.Lock(ctx)
	if err != nil {
		return rep, err
	}
	return rep, w.closeWith(w.importAll(found, &rep))
}

func (w *Writer) importAll(found []*Record, rep *Report) error {
	c := copier{w: w, here: map[lookback.SessionID][]string{}, rep: rep}
	for h := range w.a.Heads() {
		c.here[h.Session] = append(c.here[h.Session], h.ID)
	}
	for _, r := range found {
		switch {
		case w.a.Forgotten(r.Session):
			rep.Skipped++
		case len(c.here[r.Session]) > 0:
			rep.Kept++
		default:
			if err := c.add(r); err != nil {
				return fmt.Errorf("import: %w", err)
			}
		}
	}
	return nil
}

// Clean removes what must not stand in an archive: fields such as "file" that
// older programs wrote, and temporary files of writers that were killed. It reads
// every record and writes only where there is something to remove. It returns how
// many records it rewrote.
func (a *Archive) Clean(ctx context.Context) (int, error) {
	var ids []string
	for r := range a.All() {
		if r != nil && r.Untidy() {
			ids = append(ids, r.ID)
		}
	}
	if len(ids) == 0 && !a.hasTemps() {
		return 0, nil
	}
	w, err := a.Lock(ctx) // sweeps
	if err != nil {
		return 0, err
	}
	n := 0
	for _, id := range ids {
		var r *Record
		if r, err = a.Load(id); err != nil {
			break
		}
		var changed bool
		if changed, err = w.Save(r); err != nil {
			break
		}
		if changed {
			n++
		}
	}
	return n, w.closeWith(err)
}
