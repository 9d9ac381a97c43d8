package report

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRow(t *testing.T) {
	r := Row{Limit: 2, Values: []float64{3, 1, 2.5, 1.5}}
	if r.Median() != 2 || r.Verdict() != "yes" {
		t.Errorf("median %v, met %s", r.Median(), r.Verdict())
	}
	r.AtLeast, r.Limit = true, 2.01
	if r.Verdict() != "NO" {
		t.Error("2 is not at least 2.01")
	}
	if r = (Row{}); r.Verdict() != "–" {
		t.Error("what is not measured is not met")
	}
	if p := Percentile([]float64{5, 1, 2, 3, 4}, 0.95); p != 5 {
		t.Errorf("percentile %v", p)
	}
	for v, want := range map[float64]string{0: "0", 12: "12", 0.125: "0.12", 1234.5: "1234", 45.67: "45.7", 0.0123: "0.012"} {
		if got := Figure(v); got != want {
			t.Errorf("Figure(%v) = %s, want %s", v, got, want)
		}
	}
}

func TestPageAndEarlier(t *testing.T) {
	dir := t.TempDir()
	page := filepath.Join(dir, "page.md")
	if err := os.WriteFile(page, []byte("a\n<!-- x -->\nold\n<!-- /x -->\nb\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	was := New("t", "beside")
	was.Add(Row{ID: "one", Name: "one"})
	was.Add(Row{ID: "two", Name: "two|2"})
	if err := was.Save(filepath.Join(dir, "out", "t.json")); err != nil {
		t.Fatal(err)
	}
	earlier, err := Earlier(filepath.Join(dir, "out", "t.json"))
	if err != nil {
		t.Fatal(err)
	}
	now := New("t", "beside")
	now.Add(Row{ID: "two", Name: "two|2", Values: []float64{1}})
	now.Keep(earlier, []string{"one", "two"})
	if len(now.Rows) != 2 || now.Rows[0].ID != "one" || len(now.Rows[1].Values) != 1 {
		t.Errorf("rows %+v", now.Rows)
	}
	if err := WritePage(page, "x", now.Markdown()); err != nil {
		t.Fatal(err)
	}
	data, _ := os.ReadFile(page)
	if text := string(data); strings.Contains(text, "old") || !strings.Contains(text, `two\|2`) || !strings.HasPrefix(text, "a\n") || !strings.HasSuffix(text, "b\n") {
		t.Errorf("page %s", text)
	}
	if err := WritePage(page, "y", ""); err == nil {
		t.Error("a page without the part is an error")
	}
}
