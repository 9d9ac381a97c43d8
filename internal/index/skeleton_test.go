package index

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"lookback"
)

func skeletonEntries() []lookback.Entry {
	at := time.Date(2026, 1, 2, 3, 4, 5, 6e6, time.UTC)
	return []lookback.Entry{
		{Seq: 1, ID: "c18554b7", Role: lookback.RoleUser, Message: true, Time: at, Offset: 120, Size: 300},
		{Seq: 2, ID: "bcb627e2", Parent: 1, Role: lookback.RoleAssistant, Message: true, Stop: lookback.StopTools, Time: at.Add(time.Second), Offset: 421, Size: 9,
			Calls: []lookback.Call{{Name: "bash"}, {Name: "read"}, {Name: "bash"}}},
		{Seq: 3, ID: "3de33247-1e18-4bb6-ac9b-8ef7e0e60354", Parent: 2, Role: lookback.RoleTool, Message: true, Reply: &lookback.Reply{Tool: "read", Failed: true}, Offset: 431},
		{Seq: 4, ID: "not hex", Key: "v1-4", Parent: 1, Role: lookback.RoleOther, Message: true, Injected: true, Author: "Ann 安", Time: at, Offset: 1 << 40, Size: 1 << 30},
		{Seq: 5, ID: "", Parent: 7, Author: "Ann 安"},
		{Seq: 6, ID: "abc", Parent: 5, Cut: &lookback.Cut{Cause: lookback.CauseHandoff, Keep: "c18554b7"}},
		{Seq: 7, ID: "ABCDEF", Parent: 6, Cut: &lookback.Cut{Cause: lookback.CauseReset}, Time: time.UnixMilli(-5).UTC()},
		{Seq: 8, ID: "3de33247-1e18-4bb6-ac9b_8ef7e0e60354", Parent: 7, Role: lookback.RoleSystem},
		{Seq: 9, ID: strings.Repeat("ab", 40), Parent: 8, Reply: &lookback.Reply{}},
	}
}

func TestSkeleton(t *testing.T) {
	for n := range len(skeletonEntries()) + 1 {
		entries := skeletonEntries()[:n]
		for i := range entries {
			entries[i].Parent = min(entries[i].Parent, n)
		}
		segments := []int64{4, 9, 3}[:min(n, 3)]
		got, segs, err := decodeSkeleton(encodeSkeleton(entries, segments))
		if err != nil {
			t.Fatalf("%d entries: %v", n, err)
		}
		if !slices.Equal(segs, segments) {
			t.Errorf("segments %v, want %v", segs, segments)
		}
		for i := range entries {
			if !reflect.DeepEqual(got[i], entries[i]) {
				t.Errorf("entry %d: %+v, want %+v", i+1, got[i], entries[i])
			}
		}
	}
}

// A usual entry has to stay small: the skeletons of all sessions are read and
// written whole.
func TestSkeletonSize(t *testing.T) {
	var entries []lookback.Entry
	for i := range 1000 {
		entries = append(entries, lookback.Entry{Seq: i + 1, ID: "c18554b7", Parent: i, Role: lookback.RoleUser, Message: true,
			Time: time.UnixMilli(1767323045000 + int64(i)*40_000), Offset: int64(i) * 501, Size: 500})
	}
	if n := len(encodeSkeleton(entries, []int64{1})); n > 20*1000 {
		t.Errorf("%d bytes for 1000 entries", n)
	}
}

func FuzzSkeleton(f *testing.F) {
	f.Add(encodeSkeleton(skeletonEntries(), []int64{1, 5}))
	f.Add([]byte{})
	f.Add([]byte{1, 0, 0xff, 0xff, 0xff, 0x0f})
	f.Fuzz(func(t *testing.T, b []byte) {
		entries, segments, err := decodeSkeleton(b)
		if err != nil {
			return
		}
		again, segs, err := decodeSkeleton(encodeSkeleton(entries, segments))
		if err != nil || !reflect.DeepEqual(again, entries) || !slices.Equal(segs, segments) {
			t.Errorf("%v: %+v %v, then %+v %v", err, entries, segments, again, segs)
		}
	})
}

func TestParts(t *testing.T) {
	text := func(s string) lookback.Part { return lookback.Part{Text: s} }
	image := lookback.Part{Kind: lookback.PartImage}
	for _, parts := range [][]lookback.Part{
		{text("")}, {text("a")}, {text("a\n\nb")}, {image}, {image, image}, {text("a"), image, text("b")}, {text(""), image}, {image, text("")},
		{text("a\n"), image, text("\nb")}, {text("x" + lookback.ObjectMark)}, {text(lookback.ObjectMark)}, {text(""), image, text(""), image, text("")},
	} {
		e := lookback.Entry{Parts: parts}
		again := lookback.Entry{Parts: Parts(e.Words())}
		if again.Words() != e.Words() {
			t.Errorf("%+v: %q became %q", parts, e.Words(), again.Words())
		}
	}
}

func TestMembers(t *testing.T) {
	doc := place(7, 12)
	for _, m := range []members{
		{},
		{users: []int64{doc}, answers: []int64{place(7, 20)}},
		{users: []int64{place(3, 2), place(5, 9), doc}, answers: []int64{place(7, 13), place(7, maxSeq)}, steps: []int64{place(3, 4), place(9, 1)}},
	} {
		b := m.pack(doc)
		got, err := unpackMembers(b, doc)
		if err != nil || !reflect.DeepEqual(got, m) {
			t.Errorf("%+v became %+v, %v", m, got, err)
		}
		for i := range b {
			if _, err := unpackMembers(b[:i], doc); err == nil && i < len(b) {
				t.Errorf("%+v cut to %d bytes is taken", m, i)
			}
		}
	}
}
