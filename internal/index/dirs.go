package index

import (
	"os"
	"strings"

	"github.com/ncruces/go-sqlite3"
)

// dirsWithin gives the dir.id of root and of every directory below it, over all
// agents, ascending.
func (c *conn) dirsWithin(root string) ([]int64, error) {
	var ids []int64
	err := c.query("SELECT id, path FROM dir ORDER BY id", func(s *sqlite3.Stmt) error {
		if within(root, s.ColumnText(1)) {
			ids = append(ids, s.ColumnInt64(0))
		}
		return nil
	})
	return ids, err
}

// within reports whether path is root or lies below it, by whole segments. Both
// are clean. Paths of logs from another system are told apart by slashes.
func within(root, path string) bool {
	if root == "" || !strings.HasPrefix(path, root) {
		return false
	}
	if len(path) == len(root) || isSeparator(root[len(root)-1]) {
		return true
	}
	return isSeparator(path[len(root)])
}

func isSeparator(c byte) bool { return c == '/' || os.IsPathSeparator(c) }
