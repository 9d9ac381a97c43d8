package archive

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
)

// corpus is like 500 usual sessions: some twenty exchanges of a kilobyte or two.
func corpus(n int) (list []*Record, size int64) {
	words := strings.Repeat("The words of an answer, 一些字词。\nWith \"quotes\" and lines.\n", 25)
	for i := range n {
		r := record(fmt.Sprint("s", i), 20)
		for k := range r.Nodes {
			if r.Nodes[k].Level == 0 {
				r.Nodes[k].Text += words
			}
		}
		var b bytes.Buffer
		encode(&b, r)
		size += int64(b.Len())
		list = append(list, r)
	}
	return list, size
}

func BenchmarkEncode(b *testing.B) {
	list, size := corpus(50)
	b.SetBytes(size)
	for b.Loop() {
		for _, r := range list {
			encode(io.Discard, r)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	list, size := corpus(50)
	var texts [][]byte
	for _, r := range list {
		var out bytes.Buffer
		encode(&out, r)
		texts = append(texts, out.Bytes())
	}
	b.SetBytes(size)
	for b.Loop() {
		for i, r := range list {
			if _, err := decode(r.ID, texts[i]); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkSaveNew(b *testing.B) {
	list, size := corpus(500)
	b.SetBytes(size)
	for b.Loop() {
		save(b, newArchive(b), list...)
	}
}

func BenchmarkSaveUnchanged(b *testing.B) {
	list, size := corpus(500)
	a := newArchive(b)
	save(b, a, list...)
	b.SetBytes(size)
	for b.Loop() {
		save(b, a, list...)
	}
}

func BenchmarkHeads(b *testing.B) {
	list, _ := corpus(500)
	a := newArchive(b)
	save(b, a, list...)
	for b.Loop() {
		for range a.Heads() {
		}
	}
}

func BenchmarkList(b *testing.B) {
	list, _ := corpus(500)
	a := newArchive(b)
	save(b, a, list...)
	for b.Loop() {
		a.List()
	}
}
