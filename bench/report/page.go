package report

import (
	"fmt"
	"os"
	"strings"
)

// WritePage replaces the part of a page between the comments
// "<!-- NAME -->" and "<!-- /NAME -->" by text.
func WritePage(path, name, text string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	from, to := "<!-- "+name+" -->\n", "<!-- /"+name+" -->"
	head, rest, ok := strings.Cut(string(data), from)
	_, tail, closed := strings.Cut(rest, to)
	if !ok || !closed {
		return fmt.Errorf("%s has no part between %q and %q", path, strings.TrimSpace(from), to)
	}
	return os.WriteFile(path, []byte(head+from+"\n"+strings.TrimSpace(text)+"\n\n"+to+tail), 0o644)
}
