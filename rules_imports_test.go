package lookback_test

import (
	"go/ast"
	"slices"
	"strings"
	"testing"
)

// arrows names every package of the product and which of our packages it may
// import, short names under internal/. A new package or a new arrow is a line
// here, so that a change of direction is always seen in review. "*" is anything.
var arrows = map[string]string{
	".":            "",
	"cmd/lookback": "*",

	// Formats: native log → entries.
	"internal/pi":       ".",
	"internal/claude":   ".",
	"internal/codex":    ".",
	"internal/gemini":   ".",
	"internal/opencode": ".",

	// The middle: what is kept, and how it is found.
	"internal/words":   "",
	"internal/ingest":  ". index archive",
	"internal/index":   ". words",
	"internal/archive": ".",
	"internal/summary": ". words",
	"internal/model":   ".",
	"internal/service": ". words ingest index archive summary",
	"internal/render":  ". words",
	"internal/tool":    ". render service",
	"internal/host":    ". words render service summary tool model",

	// Surfaces.
	"internal/cli": ". render service tool",
	"internal/tui": ". render service tool",
	"internal/web": ". render service tool host",
	"internal/mcp": ". render service tool",

	// Writes the generated pages of docs/ from the tables that the product uses.
	"internal/docgen": "*",
}

var (
	formats  = []string{"internal/pi", "internal/claude", "internal/codex", "internal/gemini", "internal/opencode"}
	surfaces = []string{"internal/cli", "internal/tui", "internal/web", "internal/mcp"}
)

// thirdParty lists code from outside that only some packages may import.
var thirdParty = []struct {
	prefix string
	only   []string
	reason string
}{
	{"database/sql", []string{"internal/index", "internal/host"}, "only the index and the host's store hold SQL"},
	{"github.com/ncruces/go-sqlite3", []string{"internal/index", "internal/host"}, "only the index and the host's store hold SQL"},
	{"github.com/jackc/pgx", []string{"internal/host"}, "only the host's store knows Postgres"},
	{"charm.land/fantasy", []string{"internal/model"}, "only the model package talks to providers"},
}

// writers lists the packages that may change files, and which files. No other
// package may, so native logs are safe and only the archive writes under a
// workspace.
var writers = map[string]string{
	"cmd/lookback":     "the temporary home of the demo",
	"internal/archive": "archives: the only writes under a workspace",
	"internal/index":   "its database and the writer lock in the user's cache directory",
	"internal/host":    "its database in the user's data directory",
	"internal/docgen":  "the generated pages of docs/",
	"internal/testkit": "temporary folders of tests",
}

// changing lists the functions of package os that change a file system. OpenFile
// is judged by its flags.
var changing = strings.Fields(`Chmod Chown Chtimes CopyFS Create CreateTemp Lchown Link Mkdir MkdirAll MkdirTemp
	OpenRoot Remove RemoveAll Rename Symlink Truncate WriteFile`)

func TestImportDirection(t *testing.T) {
	for _, f := range ruleFiles(t) {
		if f.test || inBench(f.pkg) {
			continue
		}
		allowed, known := arrows[f.pkg]
		if f.pkg != "internal/testkit" && !known {
			t.Errorf("%s: package %s is not in the table of rules_imports_test.go: add it with what it may import, and to ARCHITECTURE.md", f.name, f.pkg)
			continue
		}
		for _, imp := range f.imports() {
			if pkg, ok := ours(imp); ok && !mayImport(allowed, pkg) {
				t.Errorf("%s imports %s; %s may import of our own: %q", f.name, imp, f.pkg, allowed)
			}
			for _, r := range thirdParty {
				if (imp == r.prefix || strings.HasPrefix(imp, r.prefix+"/")) && !slices.Contains(r.only, f.pkg) {
					t.Errorf("%s imports %s: %s", f.name, imp, r.reason)
				}
			}
			if imp == "io/ioutil" || imp == "unsafe" {
				t.Errorf("%s imports %s, which no package needs", f.name, imp)
			}
		}
	}
}

func mayImport(allowed, pkg string) bool {
	return pkg != "internal/testkit" &&
		(allowed == "*" || slices.Contains(strings.Fields(allowed), strings.TrimPrefix(pkg, "internal/")))
}

// impure lists what pure functions cannot need even of the standard library.
var impure = []string{"os", "os/exec", "io/ioutil", "net", "net/http", "database/sql", "log", "log/slog", "syscall", "testing"}

func TestRootImportsStandardLibraryOnly(t *testing.T) {
	for _, f := range ruleFiles(t) {
		if f.pkg != "." || f.test {
			continue
		}
		for _, imp := range f.imports() {
			if !standard(imp) || slices.Contains(impure, imp) {
				t.Errorf("%s imports %s: the root holds the vocabulary and pure functions only", f.name, imp)
			}
		}
	}
}

// TestArrowsKeepTheLaws holds the table itself to the laws of the design, so that
// no convenient new arrow can undo them.
func TestArrowsKeepTheLaws(t *testing.T) {
	for _, p := range formats {
		if arrows[p] != "." {
			t.Errorf("%s: a format imports the root only, never another format", p)
		}
	}
	for _, p := range surfaces {
		for _, q := range append([]string{"internal/index"}, formats...) {
			if mayImport(arrows[p], q) {
				t.Errorf("%s: a surface never imports the index or a format, here %s", p, q)
			}
		}
	}
	for p, allowed := range arrows {
		if p != "cmd/lookback" && p != "internal/host" && p != "internal/docgen" && mayImport(allowed, "internal/model") {
			t.Errorf("%s: only the command and the host may import the model package", p)
		}
	}
	// Searching, syncing and reading go through the service: nothing below it may
	// reach a model, however many steps away.
	for _, p := range []string{"internal/service", "internal/tool", "internal/cli", "internal/tui", "internal/mcp"} {
		if reaches(p, "internal/model", map[string]bool{}) {
			t.Errorf("%s reaches the model package: searching must never call a model", p)
		}
	}
}

// reaches follows the table's arrows.
func reaches(from, to string, seen map[string]bool) bool {
	if from == to {
		return true
	}
	if seen[from] {
		return false
	}
	seen[from] = true
	for next := range arrows {
		if mayImport(arrows[from], next) && reaches(next, to, seen) {
			return true
		}
	}
	return false
}

func TestOnlyWritersChangeFiles(t *testing.T) {
	for _, f := range ruleFiles(t) {
		if f.test || isHelper(f.pkg) || writers[f.pkg] != "" {
			continue
		}
		name := osName(f)
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && isOS(call.Fun, name, "OpenFile") && len(call.Args) == 3 && isOS(call.Args[1], name, "O_RDONLY") {
				return false
			}
			sel, ok := n.(*ast.SelectorExpr)
			if !ok || !isOS(sel, name, sel.Sel.Name) {
				return true
			}
			if sel.Sel.Name == "OpenFile" || slices.Contains(changing, sel.Sel.Name) {
				t.Errorf("%s: os.%s in a package that must not change files; see writers in rules_imports_test.go", f.at(sel), sel.Sel.Name)
			}
			return true
		})
	}
}

// osName is the name under which the file knows package os, "" when it does not.
func osName(f ruleFile) string {
	for _, spec := range f.ast.Imports {
		if spec.Path.Value != `"os"` {
			continue
		}
		if spec.Name != nil {
			return spec.Name.Name
		}
		return "os"
	}
	return ""
}

func isOS(e ast.Expr, pkg, name string) bool {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok || pkg == "" {
		return false
	}
	x, ok := sel.X.(*ast.Ident)
	return ok && x.Name == pkg && sel.Sel.Name == name
}
