package archive

import (
	"bufio"
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
		b.Write(text(r))
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
			encode(bufio.NewWriter(io.Discard), r)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	list, size := corpus(50)
	var texts [][]byte
	for _, r := range list {
		texts = append(texts, text(r))
	}
	b.SetBytes(size)
	for b.Loop() {
		for i, r := range list {
			if _, err := decode(r.ID, bytes.NewReader(texts[i]), false); err != nil {
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
