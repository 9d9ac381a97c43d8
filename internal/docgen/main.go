// Command docgen writes the pages of docs/ that are made from the tables the
// product itself uses, so that they cannot say anything else:
//
//	go run ./internal/docgen          writes them
//	go run ./internal/docgen -check   fails when one of them is stale
//
// It is run in the module's root and is no part of the product.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"lookback/internal/cli"
)

// pages are the generated files and what makes them.
var pages = []struct {
	name string
	make func(io.Writer) error
}{
	{"docs/cli.md", cli.ManualMarkdown},
}

func main() {
	check := flag.Bool("check", false, "change nothing, fail when a page is stale")
	flag.Parse()
	if err := run(*check); err != nil {
		fmt.Fprintln(os.Stderr, "docgen:", err)
		os.Exit(1)
	}
}

func run(check bool) error {
	for _, p := range pages {
		var want bytes.Buffer
		if err := p.make(&want); err != nil {
			return fmt.Errorf("make %s: %w", p.name, err)
		}
		path := filepath.FromSlash(p.name)
		have, err := os.ReadFile(path)
		if err == nil && bytes.Equal(bytes.ReplaceAll(have, []byte("\r\n"), []byte("\n")), want.Bytes()) {
			continue
		}
		if check {
			return fmt.Errorf("%s is stale: run go run ./internal/docgen", p.name)
		}
		if err := os.WriteFile(path, want.Bytes(), 0o644); err != nil {
			return err
		}
		fmt.Println("wrote", p.name)
	}
	return nil
}
