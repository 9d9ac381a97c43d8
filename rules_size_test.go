package lookback_test

import (
	"bytes"
	"cmp"
	"go/ast"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

// The caps of the product. They are limits to notice growth by, not aims.
const (
	maxMedianFile = 150    // lines of the median Go file
	maxFile       = 800    // lines of any Go file
	maxFunc       = 100    // lines of any function
	maxProduct    = 25_000 // lines of the whole product in every language, without tests
	maxPackages   = 28     // packages, without benches and test helpers
	maxMethods    = 4      // methods of any interface
)

// productLanguages are the kinds of files that count as product code.
var productLanguages = []string{".go", ".ts", ".js", ".mjs", ".css", ".html", ".tmpl", ".sql"}

type sized struct {
	name  string
	lines int
}

// largest sorts by size and says the ten largest, which is what one wants to
// know when a cap is hit.
func largest(t *testing.T, of string, all []sized) {
	t.Helper()
	slices.SortFunc(all, func(a, b sized) int { return cmp.Compare(b.lines, a.lines) })
	for _, s := range all[:min(10, len(all))] {
		t.Logf("largest %s: %5d %s", of, s.lines, s.name)
	}
}

func TestSizeOfFilesAndPackages(t *testing.T) {
	var files []sized
	packages := map[string]bool{}
	for _, f := range ruleFiles(t) {
		if f.test || f.generated {
			continue
		}
		if f.lines > maxFile {
			t.Errorf("%s has %d lines, more than %d", f.name, f.lines, maxFile)
		}
		if !isHelper(f.pkg) {
			files = append(files, sized{f.name, f.lines})
			packages[f.pkg] = true
		}
	}
	if len(files) == 0 {
		t.Fatal("no Go files found")
	}
	largest(t, "file", files)
	if m := files[len(files)/2].lines; m > maxMedianFile {
		t.Errorf("the median file has %d lines, more than %d", m, maxMedianFile)
	}
	if len(packages) > maxPackages {
		t.Errorf("%d packages, more than %d", len(packages), maxPackages)
	}
	t.Logf("%d files, %d packages", len(files), len(packages))
}

func TestSizeOfFunctionsAndInterfaces(t *testing.T) {
	var funcs []sized
	for _, f := range ruleFiles(t) {
		if f.test || f.generated {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				lines := f.fset.Position(n.End()).Line - f.fset.Position(n.Pos()).Line + 1
				funcs = append(funcs, sized{f.at(n) + " " + n.Name.Name, lines})
				if lines > maxFunc {
					t.Errorf("%s: %s has %d lines, more than %d", f.at(n), n.Name.Name, lines, maxFunc)
				}
			case *ast.InterfaceType:
				if m := n.Methods.NumFields(); m > maxMethods {
					t.Errorf("%s: an interface of %d methods, more than %d", f.at(n), m, maxMethods)
				}
			}
			return true
		})
	}
	largest(t, "function", funcs)
}

func TestSizeOfProduct(t *testing.T) {
	generated := map[string]bool{}
	for _, f := range ruleFiles(t) {
		generated[f.name] = f.generated
	}
	total := 0
	per := map[string]int{}
	walkRepo(t, skippedDirs, func(name string) {
		ext := path.Ext(name)
		if !slices.Contains(productLanguages, ext) || generated[name] || isTestFile(name) || isHelper(path.Dir(name)) || strings.HasPrefix(name, "docs/") {
			return
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Error(err)
		}
		n := bytes.Count(data, []byte("\n"))
		total += n
		per[path.Dir(name)] += n
	})
	var all []sized
	for dir, n := range per {
		all = append(all, sized{dir, n})
	}
	largest(t, "folder", all)
	t.Logf("the product has %d lines without tests", total)
	if total > maxProduct {
		t.Errorf("the product has %d lines, more than %d", total, maxProduct)
	}
}

// isTestFile knows the test files of Go and of TypeScript.
func isTestFile(name string) bool {
	base := path.Base(name)
	return strings.HasSuffix(base, "_test.go") || strings.Contains(base, ".test.") || strings.Contains(name, "/test/") || strings.Contains(name, "/tests/")
}
