package lookback_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestEveryPackageHasADoc(t *testing.T) {
	documented := map[string]bool{}
	for _, f := range ruleFiles(t) {
		if !f.test {
			documented[f.pkg] = documented[f.pkg] || f.ast.Doc != nil
		}
	}
	for pkg, ok := range documented {
		if !ok {
			t.Errorf("package %s has no package comment: what it holds, what it stores, what it never does", pkg)
		}
	}
}

func TestExportedNamesHaveDocs(t *testing.T) {
	for _, f := range ruleFiles(t) {
		if f.test || f.generated {
			continue
		}
		for _, d := range f.ast.Decls {
			for _, name := range undocumented(d) {
				t.Errorf("%s: exported %s has no comment", f.at(d), name)
			}
		}
	}
}

// fixedMethods mean what the standard library says they mean.
var fixedMethods = map[string]bool{"Error": true, "Unwrap": true, "Len": true, "Less": true, "Swap": true}

// undocumented lists the exported names of a declaration without a comment.
// Methods of unexported types are seen by nobody and need none.
func undocumented(d ast.Decl) []string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		open := d.Recv == nil || ast.IsExported(receiver(d.Recv.List[0].Type)) && !fixedMethods[d.Name.Name]
		if open && d.Name.IsExported() && d.Doc == nil {
			return []string{d.Name.Name}
		}
	case *ast.GenDecl:
		if d.Tok == token.IMPORT {
			return nil
		}
		var out []string
		for _, s := range d.Specs {
			out = append(out, undocumentedSpec(s, d.Doc != nil)...)
		}
		return out
	}
	return nil
}

// undocumentedSpec treats a group's comment as the comment of each constant and
// variable in it; a type needs its own unless it stands alone.
func undocumentedSpec(s ast.Spec, group bool) []string {
	var out []string
	switch s := s.(type) {
	case *ast.TypeSpec:
		if s.Name.IsExported() && !group && s.Doc == nil && s.Comment == nil {
			out = append(out, s.Name.Name)
		}
		if it, ok := s.Type.(*ast.InterfaceType); ok && s.Name.IsExported() {
			for _, m := range it.Methods.List {
				if len(m.Names) == 1 && m.Doc == nil && m.Comment == nil {
					out = append(out, s.Name.Name+"."+m.Names[0].Name)
				}
			}
		}
	case *ast.ValueSpec:
		for _, n := range s.Names {
			if n.IsExported() && !group && s.Doc == nil && s.Comment == nil {
				out = append(out, n.Name)
			}
		}
	}
	return out
}

// receiver names the type of a method: T of T, *T and T[P].
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	}
	return ""
}

func TestArchitectureNamesPackagesAndDependencies(t *testing.T) {
	page, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(page, []byte("\n")); n > 200 {
		t.Errorf("ARCHITECTURE.md has %d lines, more than 200", n)
	}
	text := string(page)
	for _, f := range ruleFiles(t) {
		// The last element is enough: the page lists packages under their folder.
		if name := strings.TrimPrefix(f.pkg, "internal/"); !f.test && !isHelper(f.pkg) && f.pkg != "." && !strings.Contains(text, "`"+name+"`") {
			t.Errorf("ARCHITECTURE.md does not name package `%s`", name)
		}
	}
	for _, dep := range directRequirements(t) {
		i := strings.Index(text, "`"+dep+"`")
		if i < 0 {
			t.Errorf("ARCHITECTURE.md does not name the direct dependency `%s` and its reason", dep)
			continue
		}
		line, _, _ := strings.Cut(text[i:], "\n")
		if len(line) < len(dep)+20 {
			t.Errorf("ARCHITECTURE.md names `%s` without a reason", dep)
		}
	}
}

// directRequirements reads go.mod for the modules we require ourselves.
func directRequirements(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	block := false
	for line := range strings.Lines(string(data)) {
		code, note, _ := strings.Cut(strings.TrimSpace(line), "//")
		words := strings.Fields(code)
		switch {
		case len(words) == 2 && words[0] == "require" && words[1] == "(":
			block = true
		case len(words) == 1 && words[0] == ")":
			block = false
		case strings.TrimSpace(note) == "indirect":
		case block && len(words) == 2:
			out = append(out, words[0])
		case len(words) == 3 && words[0] == "require":
			out = append(out, words[1])
		}
	}
	return out
}

// TestNoMachinePaths looks for paths of the machine that the checkout lies on:
// such a path in a file works for nobody else.
func TestNoMachinePaths(t *testing.T) {
	root, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	var needles [][]byte
	add := func(dir string) {
		// The root of the file system and the folder for temporary files are
		// everybody's; text may speak of them.
		dir = filepath.Clean(dir)
		if dir != filepath.Dir(dir) && dir != filepath.Clean(os.TempDir()) {
			needles = append(needles, []byte(dir+string(filepath.Separator)))
		}
	}
	add(filepath.Dir(root))
	if home, err := os.UserHomeDir(); err == nil && home != "" {
		add(home)
	}
	// Inputs of tests are judged too: they are files that we ship.
	outputs := map[string]bool{".git": true, "node_modules": true, "dist": true}
	walkRepo(t, outputs, func(name string) {
		if hit := machinePath(t, name, needles); hit != "" {
			t.Error(hit)
		}
	})
}

func machinePath(t *testing.T, name string, needles [][]byte) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.IndexByte(data[:min(len(data), 8000)], 0) >= 0 {
		return "" // not a text
	}
	for _, needle := range needles {
		for from := 0; ; {
			i := bytes.Index(data[from:], needle)
			if i < 0 {
				break
			}
			from += i
			if !partOfLongerPath(data, from) {
				return fmt.Sprintf("%s:%d holds a path of this machine: %s", name, 1+bytes.Count(data[:from], []byte("\n")), needle)
			}
			from++
		}
	}
	return ""
}

// partOfLongerPath reports whether the match at i continues another path: the
// folder "/x/" is not meant in "docs/x/y".
func partOfLongerPath(data []byte, i int) bool {
	if i == 0 {
		return false
	}
	c := data[i-1]
	return strings.IndexByte("._-~}$", c) >= 0 || c >= 0x80 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
