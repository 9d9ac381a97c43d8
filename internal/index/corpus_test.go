package index

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"syscall"
	"testing"
	"time"

	"lookback"
)

// The corpus measurements run only when LOOKBACK_CORPUS names a folder of Pi
// logs: go test -run Corpus -v. They print figures and assert nothing timed.

func readLog(path string) (s lookback.Session, entries []lookback.Entry, err error) {
	f, err := os.Open(path)
	if err != nil {
		return s, nil, err
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 1<<20)
	seqs := map[string]int{}
	off := int64(0)
	for {
		line, err := r.ReadBytes('\n')
		if len(line) == 0 && err != nil {
			break
		}
		var v struct {
			Type, ID, Cwd, Timestamp string
			ParentID                 string `json:"parentId"`
			ParentSession            string `json:"parentSession"`
			Message                  struct {
				Role       string
				StopReason string `json:"stopReason"`
				Content    json.RawMessage
			}
		}
		size := len(line) - 1
		if json.Unmarshal(line, &v) == nil {
			t, _ := time.Parse(time.RFC3339Nano, v.Timestamp)
			t = t.UTC()
			if v.Type == "session" {
				s = lookback.Session{ID: lookback.SessionID{Agent: "pi", Native: v.ID}, Cwd: v.Cwd, Version: 3, Started: t, Parent: v.ParentSession}
			} else {
				e := lookback.Entry{Seq: len(entries) + 1, ID: v.ID, Parent: seqs[v.ParentID], Time: t, Offset: off, Size: size}
				seqs[v.ID] = e.Seq
				if v.Type == "message" {
					e.Message = true
					switch v.Message.Role {
					case "user":
						e.Role = lookback.RoleUser
					case "assistant":
						e.Role = lookback.RoleAssistant
						if v.Message.StopReason == "stop" {
							e.Stop = lookback.StopFinal
						}
					default:
						e.Role = lookback.RoleTool
						e.Reply = &lookback.Reply{Tool: "bash"}
					}
					if e.Role != lookback.RoleTool {
						var blocks []struct{ Type, Text, Name string }
						var text string
						if json.Unmarshal(v.Message.Content, &text) == nil {
							e.Parts = []lookback.Part{{Text: text}}
						}
						json.Unmarshal(v.Message.Content, &blocks)
						for _, b := range blocks {
							switch b.Type {
							case "text":
								e.Parts = append(e.Parts, lookback.Part{Text: b.Text})
							case "toolCall":
								e.Calls = append(e.Calls, lookback.Call{Name: b.Name})
							}
						}
					}
				}
				entries = append(entries, e)
			}
		}
		off += int64(len(line))
		if err != nil {
			break
		}
	}
	s.Name = lookback.FallbackName(entries)
	return s, entries, nil
}

// updateOf makes the Update that ingest makes.
func updateOf(s lookback.Session, entries []lookback.Entry, from int, path string) Update {
	f := lookback.Exchanges(entries)
	nodes := lookback.BuildTree("a", s.Name, entries, &f)
	u := Update{Session: Session{Session: s, Source: path, Entries: len(entries), Exchanges: len(f.Exchanges)}, Entries: entries, From: from,
		File: &File{Path: path, Stamp: fmt.Sprint(len(entries)), Cursor: make([]byte, 60)}}
	inside := make([]bool, len(entries)+1)
	x := 0
	for i := range nodes {
		n := &nodes[i]
		if n.Kind != lookback.KindExchange {
			continue
		}
		e := &f.Exchanges[x]
		x++
		_, rest, _ := strings.Cut(n.ID, ":")
		d := Doc{Kind: lookback.KindExchange, Node: rest, Users: e.Users, Steps: e.Steps, First: n.From, Last: n.To, Ready: true, Done: n.Completed}
		d.Answers = append(d.Answers, e.Pieces...)
		if e.Answer != 0 {
			d.Answers = append(d.Answers, e.Answer)
		}
		for _, field := range [][]int{d.Users, d.Answers, d.Steps} {
			for _, seq := range field {
				inside[seq] = true
			}
		}
		for _, p := range n.Parents {
			_, rest, _ := strings.Cut(p, ":")
			d.Parents = append(d.Parents, rest)
		}
		u.Docs = append(u.Docs, d)
		if u.Session.Last.Before(n.To) {
			u.Session.Last = n.To
		}
	}
	for i := range entries {
		if e := &entries[i]; e.Spoken() && !inside[e.Seq] {
			d := Doc{Kind: lookback.KindEntry, First: e.Time, Last: e.Time, Ready: true}
			if e.Role == lookback.RoleUser {
				d.Users = []int{e.Seq}
			} else {
				d.Answers = []int{e.Seq}
			}
			u.Docs = append(u.Docs, d)
		}
	}
	u.Docs = append(u.Docs, Doc{Kind: lookback.KindSession, Text: s.Name, Ready: true})
	return u
}

func cpu() time.Duration {
	var r syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

func peak() int64 {
	var r syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return r.Maxrss / 1024
}

func corpusFiles(t testing.TB) []string {
	root := os.Getenv("LOOKBACK_CORPUS")
	if root == "" {
		t.Skip("LOOKBACK_CORPUS names no folder")
	}
	var files []string
	filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".jsonl") {
			files = append(files, path)
		}
		return nil
	})
	sort.Slice(files, func(i, j int) bool { return filepath.Base(files[i]) < filepath.Base(files[j]) })
	return files
}

func TestCorpusCold(t *testing.T) {
	files := corpusFiles(t)
	path := os.Getenv("LOOKBACK_INDEX")
	os.RemoveAll(filepath.Dir(path))
	ctx := context.Background()
	db, err := Open(ctx, path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	w, err := db.Writer(ctx, true)
	if err != nil {
		t.Fatal(err)
	}
	var spent time.Duration
	wall := time.Now()
	bytes := 0
	for _, f := range files {
		s, entries, err := readLog(f)
		if err != nil {
			t.Fatal(err)
		}
		u := updateOf(s, entries, 1, f)
		for i := range entries {
			if entries[i].Spoken() {
				bytes += len(entries[i].Words())
			}
		}
		c := cpu()
		if err := w.Put(ctx, u); err != nil {
			t.Fatal(err)
		}
		spent += cpu() - c
	}
	c := cpu()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	spent += cpu() - c
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	info, _ := os.Stat(path)
	t.Logf("%d files, %.1f MB words: index %.2f CPU s, all %.2f, wall %v, peak %d MB (go sys %d), db %.1f MB", len(files), float64(bytes)/1e6,
		spent.Seconds(), cpu().Seconds(), time.Since(wall).Round(time.Millisecond), peak(), m.Sys>>20, float64(info.Size())/1e6)
	db.Close()
}
