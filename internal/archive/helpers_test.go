package archive

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"lookback"
)

var bg = context.Background()

// talk makes the log of a session with n finished exchanges; words fill each answer.
func talk(n int, words string) []lookback.Entry {
	at := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	var entries []lookback.Entry
	add := func(e lookback.Entry, text string) {
		e.Seq = len(entries) + 1
		e.Parent = e.Seq - 1
		e.ID = fmt.Sprintf("e%05d", e.Seq)
		e.Message = true
		e.Time = at.Add(time.Duration(e.Seq) * time.Second)
		e.Parts = []lookback.Part{{Text: text}}
		entries = append(entries, e)
	}
	for i := range n {
		add(lookback.Entry{Role: lookback.RoleUser}, fmt.Sprintf("question %d", i))
		add(lookback.Entry{Role: lookback.RoleAssistant, Stop: lookback.StopFinal}, fmt.Sprintf("answer %d %s", i, words))
	}
	return entries
}

func session(name string) lookback.SessionID {
	return lookback.SessionID{Agent: "pi", Native: name}
}

// record is what a first sync makes of a session with n exchanges.
func record(name string, n int) *Record {
	entries := talk(n, "some words 甲乙丙")
	f := lookback.Exchanges(entries)
	r, _ := Update(nil, session(name), "name of "+name, entries, &f)
	return r
}

// write gives the summaries with the given numbers, from 0, their text.
func write(r *Record, text string, numbers ...int) {
	n := 0
	for i := range r.Nodes {
		if r.Nodes[i].Kind != lookback.KindSummary {
			continue
		}
		for _, want := range numbers {
			if want == n {
				r.Nodes[i].Text, r.Nodes[i].Ready = fmt.Sprint(text, " ", n), true
			}
		}
		n++
	}
}

func save(t testing.TB, a *Archive, records ...*Record) {
	t.Helper()
	w, err := a.Lock(bg)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		if _, err := w.Save(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// save1 saves one record as a caller with its own lock does.
func save1(a *Archive, r *Record) (changed bool, err error) {
	err = a.locked(bg, func(w *Writer) (err error) {
		changed, err = w.Save(r)
		return err
	})
	return changed, err
}

// text is the record as a file holds it.
func text(r *Record) []byte {
	var b bytes.Buffer
	if err := encode(bufio.NewWriter(&b), r); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func load(t testing.TB, a *Archive, id string) *Record {
	t.Helper()
	r, err := a.Load(id)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func newArchive(t testing.TB) *Archive {
	return Open(filepath.Join(t.TempDir(), "archive"))
}

// files lists the names in the archive's directory.
func files(t testing.TB, a *Archive) []string {
	t.Helper()
	items, err := os.ReadDir(a.Dir())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, item := range items {
		names = append(names, item.Name())
	}
	return names
}

func ready(r *Record) int {
	_, n := r.Summaries()
	return n
}
