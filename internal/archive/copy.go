package archive

import (
	"context"
	"errors"
	"path/filepath"

	"lookback"
)

// Report says what Copy and Import did.
type Report struct {
	Written  int // records that were not there, or gained exchanges or summaries
	Same     int // records that had all of it
	Warnings []lookback.Warning
}

// Copy brings every session of src into dst, in either direction of an export or
// import. Sessions are joined by agent and session id. Where both hold one, the
// record with more exchanges goes on, or with more written summaries when both
// have the same, and takes over the other's summaries; it keeps the archive id it
// has in dst. When each holds words that the other lacks, both stay, as two
// records of one session. src is not altered.
func Copy(ctx context.Context, dst, src *Archive) (Report, error) {
	return dst.take(ctx, src, "")
}

// Import copies the sessions of one workspace from an older user-level archive
// (pbot/history in Pi's agent directory): those whose workspace field is exactly
// root and which a does not hold. Only what records hold today is kept. The old
// files stay, and nothing here is replaced. Without any such record, a is not
// made.
func (a *Archive) Import(ctx context.Context, from *Archive, root string) (Report, error) {
	if !filepath.IsAbs(root) {
		return Report{}, nil
	}
	return a.take(ctx, from, root)
}

// take is Copy, and with a workspace Import.
func (a *Archive) take(ctx context.Context, src *Archive, workspace string) (rep Report, err error) {
	var w *Writer
	here := map[lookback.SessionID][]string{} // archive ids in a
	for r, warning := range src.All() {
		if r == nil {
			rep.Warnings = append(rep.Warnings, *warning)
			continue
		}
		if a.Forgotten(r.Session) || workspace != "" && r.workspace != workspace {
			continue
		}
		if w == nil {
			if w, err = a.Lock(ctx); err != nil {
				return rep, err
			}
			defer func() { err = errors.Join(err, w.Close()) }()
			for h, warning := range a.Heads() {
				if h == nil {
					rep.Warnings = append(rep.Warnings, *warning)
				} else {
					here[h.Session] = append(here[h.Session], h.ID)
				}
			}
		}
		if workspace != "" && here[r.Session] != nil {
			rep.Same++
			continue
		}
		id, changed, err := w.join(r, here[r.Session])
		switch {
		case ctx.Err() != nil:
			return rep, ctx.Err()
		case errors.Is(err, ErrDamaged):
			rep.Warnings = append(rep.Warnings, *a.warn(r.ID+ext, err))
		case err != nil:
			return rep, err
		case changed:
			rep.Written++
		default:
			rep.Same++
		}
		if id != "" {
			here[r.Session] = append(here[r.Session], id)
		}
	}
	return rep, nil
}

// join merges r into a record of its session that is here. Without one that it
// fits, it saves r under its own id or one made from it, and returns that.
func (w *Writer) join(r *Record, here []string) (id string, changed bool, err error) {
	for _, id := range here {
		old, err := w.held(id)
		if err != nil && !errors.Is(err, ErrDamaged) {
			return "", false, err
		}
		if old == nil {
			continue
		}
		if m := merge(old, r); m != nil {
			changed, err := w.Save(m)
			return "", changed, err
		}
	}
	for _, id := range []string{r.ID, r.ID + "-2"} {
		if _, err := w.dir.Lstat(id + ext); err != nil {
			changed, err := w.Save(r.rename(id))
			return id, changed, err
		}
	}
	return "", false, damaged("its name is taken by another record")
}

// merge returns old brought up to r, under the id of old; nil when each holds
// exchanges that the other lacks.
func merge(old, r *Record) *Record {
	r = r.rename(old.ID)
	less, more := covers(r, old), covers(old, r)
	switch {
	case !less && !more:
		return nil
	case !more || less && Prefer(old, r) == r:
		old, r = r, old
	}
	lookback.Reuse(old.Nodes, r.Nodes)
	return old
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
		if n.Kind == lookback.KindExchange && !have[n.ID] &&
			(n.Completed || len(n.EntryIDs) == 0 || !have["\x00"+n.EntryIDs[0]]) {
			return false
		}
	}
	return true
}
