package service

import (
	"bytes"
	"fmt"
	"os"
	"testing"

	"lookback"
)

// Damage that only a search meets is mended by the search itself.
func TestSearchMendsTheIndex(t *testing.T) {
	l := newLab(t)
	for i := range 40 {
		l.write(fmt.Sprintf("%d.jsonl", i), log(fmt.Sprint("s", i), "/srv/a", talk(fmt.Sprint("zeppelin ", i), 10)...))
	}
	l.sync()
	want := l.find(lookback.Everything(), "zeppelin").Total
	l.Close()
	data, err := os.ReadFile(l.c.Index)
	if err != nil {
		t.Fatal(err)
	}
	// Pages that hold words of the sessions, but not the first ones, which opening reads.
	const page = 4096
	for at := 16 * page; at+page <= len(data); at += page {
		if bytes.Contains(data[at:at+page], []byte("zeppelin")) {
			copy(data[at:], bytes.Repeat([]byte{0xa5}, page))
		}
	}
	if err := os.WriteFile(l.c.Index, data, 0o600); err != nil {
		t.Fatal(err)
	}
	l.open()
	if n := l.find(lookback.Everything(), "zeppelin").Total; n != want {
		t.Errorf("%d hits, want %d", n, want)
	}
	if l.Notice() == "" {
		t.Error("nobody is told")
	}
}
