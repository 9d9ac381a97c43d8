// Package report holds the rows that the benches measure, and writes them: as a
// table for people, as JSON for machines and as a part of docs/bench.md.
package report

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Row is one line of a table of bars.
type Row struct {
	ID      string    `json:"id"`
	Name    string    `json:"row"`
	Unit    string    `json:"unit"`
	Limit   float64   `json:"limit"`    // the bar
	AtLeast bool      `json:"at_least"` // more is better
	NoBar   bool      `json:"no_bar"`   // measured for comparison only
	Values  []float64 `json:"values"`   // one for each run
	Beside  string    `json:"beside"`   // the same by other means, in the same run
	Visited int       `json:"visited"`  // rows looked at, 0 where nothing counts them
	Note    string    `json:"note"`     // how it was measured, why it could not be
}

// Median is the middle one of the values, the mean of two for an even number of
// them, 0 for none.
func (r *Row) Median() float64 {
	v := slices.Sorted(slices.Values(r.Values))
	if len(v) == 0 {
		return 0
	}
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

// Met reports whether the median keeps the bar.
func (r *Row) Met() bool {
	if len(r.Values) == 0 {
		return false
	}
	if r.AtLeast {
		return r.Median() >= r.Limit
	}
	return r.Median() <= r.Limit
}

// Verdict is "yes", "NO", or "–" for a row without a bar or a measurement.
func (r *Row) Verdict() string {
	switch {
	case r.NoBar || len(r.Values) == 0:
		return "–"
	case r.Met():
		return "yes"
	}
	return "NO"
}

func (r *Row) bar() string {
	if r.NoBar {
		return "–"
	}
	sign := "≤ "
	if r.AtLeast {
		sign = "≥ "
	}
	return sign + Figure(r.Limit) + " " + r.Unit
}

func (r *Row) spread() string {
	if len(r.Values) < 2 {
		return ""
	}
	return Figure(slices.Min(r.Values)) + "–" + Figure(slices.Max(r.Values))
}

// Figure writes a number with three significant digits.
func Figure(v float64) string {
	switch a := max(v, -v); {
	case a >= 100 || a == float64(int64(a)):
		return strconv.FormatFloat(v, 'f', 0, 64)
	case a >= 10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case a >= 0.1:
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
	return strconv.FormatFloat(v, 'g', 2, 64)
}

// Percentile gives the value below which a share p of the values lies.
func Percentile(values []float64, p float64) float64 {
	if len(values) == 0 {
		return 0
	}
	v := slices.Sorted(slices.Values(values))
	return v[min(len(v)-1, int(p*float64(len(v))))]
}

// Table is what one run measured.
type Table struct {
	Title  string    `json:"title"`
	Beside string    `json:"beside"` // heading of Row.Beside
	Began  time.Time `json:"began"`
	Where  string    `json:"where"`
	Rows   []Row     `json:"rows"`
}

// New gives an empty table.
func New(title, beside string) *Table {
	return &Table{Title: title, Beside: beside, Began: time.Now().UTC().Truncate(time.Second),
		Where: fmt.Sprintf("%s/%s, %d cores, %s", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version())}
}

// Add appends a row and returns it.
func (t *Table) Add(r Row) { t.Rows = append(t.Rows, r) }

// Missed lists the names of the rows whose bar is not kept.
func (t *Table) Missed() (out []string) {
	for i := range t.Rows {
		if t.Rows[i].Verdict() == "NO" {
			out = append(out, t.Rows[i].Name)
		}
	}
	return out
}

func (t *Table) cells() [][]string {
	out := [][]string{{"row", "bar", "measured", "min–max", "met", t.Beside, "rows visited", "note"}}
	for i := range t.Rows {
		r := &t.Rows[i]
		measured, visited := "not measured", ""
		if len(r.Values) > 0 {
			measured = Figure(r.Median()) + " " + r.Unit
		}
		if r.Visited > 0 {
			visited = strconv.Itoa(r.Visited)
		}
		out = append(out, []string{r.Name, r.bar(), measured, r.spread(), r.Verdict(), r.Beside, visited, r.Note})
	}
	return out
}

// Text writes the table with aligned columns.
func (t *Table) Text(w io.Writer) error {
	cells := t.cells()
	wide := make([]int, len(cells[0]))
	for _, row := range cells {
		for c, s := range row {
			wide[c] = max(wide[c], len([]rune(s)))
		}
	}
	for _, row := range cells {
		for c, s := range row {
			if c < len(row)-1 {
				row[c] = s + strings.Repeat(" ", wide[c]-len([]rune(s)))
			}
		}
		if _, err := fmt.Fprintln(w, strings.TrimRight(strings.Join(row, "  "), " ")); err != nil {
			return err
		}
	}
	return nil
}

// Markdown gives the table as docs/bench.md shows it.
func (t *Table) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Measured %s on %s.\n\n", t.Began.Format("2006-01-02"), t.Where)
	for i, row := range t.cells() {
		for c := range row {
			row[c] = cmp.Or(strings.ReplaceAll(row[c], "|", "\\|"), " ")
		}
		fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
		if i == 0 {
			b.WriteString(strings.Repeat("| --- ", len(row)) + "|\n")
		}
	}
	return b.String()
}

// Save writes the table as JSON to a file, making the folder.
func (t *Table) Save(path string) error {
	data, err := json.MarshalIndent(t, "", "  ")
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o700)
	}
	if err == nil {
		err = os.WriteFile(path, append(data, '\n'), 0o600)
	}
	return err
}

// Earlier reads what Save wrote; an empty table when there is nothing.
func Earlier(path string) (*Table, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return &Table{}, nil
	}
	t := &Table{}
	if err == nil {
		err = json.Unmarshal(data, t)
	}
	return t, err
}

// Keep adds the rows of an earlier table that this one has not measured, and puts
// all rows in the order of ids, so that rows can be measured one at a time.
func (t *Table) Keep(earlier *Table, ids []string) {
	for _, r := range earlier.Rows {
		if !slices.ContainsFunc(t.Rows, func(x Row) bool { return x.ID == r.ID }) {
			t.Rows = append(t.Rows, r)
		}
	}
	slices.SortStableFunc(t.Rows, func(a, b Row) int {
		return cmp.Compare(slices.Index(ids, a.ID), slices.Index(ids, b.ID))
	})
}
