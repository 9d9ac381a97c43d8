package pi

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"lookback"
	"lookback/internal/testkit"
)

// TestFillGivesBackTheWords fills the skeletons of every fixture.
func TestFillGivesBackTheWords(t *testing.T) {
	s := testSource()
	for _, path := range append(sessions(t, repoFile(t, "pi")), sessions(t, repoFile(t, "cases/files"))...) {
		b, err := s.Read(context.Background(), lookback.Place{Path: path}, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := bare(b.Log.Entries)
		for i := range got {
			if c := b.Log.Entries[i].Cut; c != nil {
				got[i].Cut = &lookback.Cut{Keep: c.Keep}
			}
		}
		if err := s.Fill(path, got); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		for i := range got {
			if !reflect.DeepEqual(got[i], b.Log.Entries[i]) {
				t.Errorf("%s: %+v, want %+v", path, got[i], b.Log.Entries[i])
			}
		}
	}
}

func TestFillNoticesARewrite(t *testing.T) {
	s := testSource()
	path := write(t, head, user("u1", "", "one"), answer("a1", "u1", "two"))
	b := read(t, path)
	tests := map[string][]string{
		"another id":    {head, user("u2", "", "one"), answer("a1", "u1", "two")},
		"moved":         {head, "", user("u1", "", "one"), answer("a1", "u1", "two")},
		"shorter":       {head},
		"longer record": {head, user("u1", "", "one and more")},
		"damaged":       {head, user("u1", "", "o\"e")},
	}
	for name, lines := range tests {
		t.Run(name, func(t *testing.T) {
			other := write(t, lines...)
			if err := s.Fill(other, bare(b.Log.Entries)); !errors.Is(err, ErrChanged) {
				t.Errorf("%v", err)
			}
		})
	}
	if err := s.Fill(filepath.Join(t.TempDir(), "gone.jsonl"), bare(b.Log.Entries)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("gone: %v", err)
	}
	if err := s.Fill("", nil); err != nil {
		t.Errorf("nothing to fill: %v", err)
	}
}

func TestReadErrors(t *testing.T) {
	s := testSource()
	dir := t.TempDir()
	if _, err := s.Read(context.Background(), lookback.Place{Path: filepath.Join(dir, "gone")}, nil, nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("gone: %v", err)
	}
	if _, err := s.Read(context.Background(), lookback.Place{Path: dir}, nil, nil); err == nil {
		t.Error("a folder was read")
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := s.Read(ctx, lookback.Place{Path: write(t, head)}, nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := s.Stat(filepath.Join(dir, "gone")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("stat: %v", err)
	}
}

// TestCursorOfAnotherTime reads from the start with a cursor that is of no use.
func TestCursorOfAnotherTime(t *testing.T) {
	path := write(t, head, user("u1", "", "one"))
	for _, cur := range []string{"", "{", "null", "[]", `{"ID":"s-1","Offset":1,"Seq":0}`, `{"ID":"s-1","Offset":9999,"Seq":0}`, `{"Seq":-1}`} {
		b, err := testSource().Read(context.Background(), lookback.Place{Path: path}, []byte(cur), nil)
		if err != nil || len(b.Log.Entries) != 1 || !b.Fresh {
			t.Errorf("cursor %q: %d entries, fresh %v, %v", cur, len(b.Log.Entries), b.Fresh, err)
		}
	}
}

// TestNothingIsWritten reads copies of all fixtures in every way.
func TestNothingIsWritten(t *testing.T) {
	dir := testkit.CopyTree(t, repoFile(t, "pi"))
	snap := testkit.Snapshot(t, dir)
	s := New(Dirs{Roots: []string{dir}})
	places, _ := s.Places(context.Background())
	if len(places) < 30 {
		t.Fatalf("%d places", len(places))
	}
	for _, p := range places {
		b, err := s.Read(context.Background(), p, nil, nil)
		if err == nil {
			_, err = s.Read(context.Background(), p, b.Cursor, b.Log.Entries)
		}
		if err == nil {
			err = s.Fill(p.Path, b.Log.Entries)
		}
		if err != nil {
			t.Error(err)
		}
		if got, err := s.Stat(p.Path); err != nil || got.Stamp != p.Stamp || got.Size != p.Size || !got.Changed.Equal(p.Changed) {
			t.Errorf("stat %+v, place %+v: %v", got, p, err)
		}
		if info, err := os.Stat(p.Path); err != nil || info.Size() != p.Size || !info.ModTime().Equal(p.Changed) {
			t.Errorf("place %+v: %v", p, err)
		}
	}
	snap.Same(t)
}
