package lookback_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// The rules_*_test.go files check the repository itself: who may import whom,
// how large things may grow, what is documented. They parse files instead of
// asking the go command, so they cost milliseconds and see every system's files.

// modulePath is the prefix of our own import paths.
const modulePath = "lookback"

// ruleFile is one Go file of the module, parsed.
type ruleFile struct {
	name      string // slash-separated, relative to the module root
	pkg       string // its folder, "." for the root
	test      bool
	generated bool
	lines     int
	fset      *token.FileSet
	ast       *ast.File
}

// imports returns the import paths of the file.
func (f ruleFile) imports() []string {
	var out []string
	for _, spec := range f.ast.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err == nil {
			out = append(out, p)
		}
	}
	return out
}

// at gives "file:line" of a node.
func (f ruleFile) at(n ast.Node) string {
	return f.name + ":" + strconv.Itoa(f.fset.Position(n.Pos()).Line)
}

// skippedDirs are never ours to judge: outputs, inputs and other people's code.
var skippedDirs = map[string]bool{".git": true, "testdata": true, "node_modules": true, "vendor": true, "dist": true}

// walkRepo calls fn with every file of the repository outside skipped folders
// and the bench's output.
func walkRepo(t *testing.T, skip map[string]bool, fn func(name string)) {
	t.Helper()
	err := filepath.WalkDir(".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := filepath.ToSlash(p)
		if d.IsDir() && (skip[d.Name()] || name == "bench/out") {
			return fs.SkipDir
		}
		if d.Type().IsRegular() {
			fn(name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

var parseOnce = sync.OnceValues(func() ([]ruleFile, []error) {
	var files []ruleFile
	var errs []error
	fset := token.NewFileSet()
	walk := func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && skippedDirs[d.Name()]:
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(p, ".go"):
			return nil
		}
		src, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(p)
		tree, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			errs = append(errs, err)
			return nil
		}
		files = append(files, ruleFile{
			name: name, pkg: path.Dir(name), test: strings.HasSuffix(name, "_test.go"),
			generated: ast.IsGenerated(tree), lines: bytes.Count(src, []byte("\n")), fset: fset, ast: tree,
		})
		return nil
	}
	if err := filepath.WalkDir(".", walk); err != nil {
		errs = append(errs, err)
	}
	return files, errs
})

// ruleFiles returns every Go file of the repository, parsed once for all rules.
func ruleFiles(t *testing.T) []ruleFile {
	t.Helper()
	files, errs := parseOnce()
	for _, err := range errs {
		t.Error(err)
	}
	return files
}

// inBench reports whether a package belongs to the benches, which may look at
// anything and are not part of the product.
func inBench(pkg string) bool { return pkg == "bench" || strings.HasPrefix(pkg, "bench/") }

// isHelper reports whether a package is not part of the product: benches, test
// helpers and the module of build tools.
func isHelper(pkg string) bool {
	return inBench(pkg) || pkg == "internal/testkit" || pkg == "tools" || strings.HasPrefix(pkg, "tools/")
}

// ours turns an import path into a folder of this module: ".", "internal/pi".
func ours(imp string) (pkg string, ok bool) {
	if imp == modulePath {
		return ".", true
	}
	return strings.CutPrefix(imp, modulePath+"/")
}

// standard reports whether an import path belongs to the standard library: only
// its first element has no dot.
func standard(imp string) bool {
	first, _, _ := strings.Cut(imp, "/")
	return first != modulePath && !strings.Contains(first, ".")
}
