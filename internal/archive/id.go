package archive

import (
	"crypto/sha1"
	"fmt"
	"regexp"
	"strings"

	"lookback"
)

// space is the name space of our archive ids: a random UUID made for this purpose.
var space = [16]byte{0x5d, 0x0c, 0x8e, 0x2a, 0x71, 0x3f, 0x4b, 0x96, 0xa4, 0xe8, 0x1b, 0x60, 0xd7, 0xc5, 0x39, 0xf2}

// NewID returns the archive id of a session that has none yet: a UUID of version
// 5 (SHA-1 of a name in a name space of our own) over agent and native id. Every
// process and machine derives the same one.
func NewID(id lookback.SessionID) string {
	u := sha1.Sum([]byte(string(space[:]) + id.Agent + "\x00" + id.Native)) // as RFC 9562 has it; nothing rests on its strength
	u[6] = u[6]&0x0f | 0x50
	u[8] = u[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:16])
}

// maxID bounds archive ids: with ".json" they must fit every file system.
const maxID = 128

var (
	safe   = regexp.MustCompile(`^[A-Za-z0-9_-]([A-Za-z0-9_.-]*[A-Za-z0-9_-])?$`)
	device = regexp.MustCompile(`(?i)^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)`)
)

// SafeID reports whether id can name a record on every system: 1 to 128 ASCII
// letters, digits, "-", "_" and ".", with no dot at either end, and no name that
// Windows keeps for devices.
func SafeID(id string) bool {
	return len(id) <= maxID && safe.MatchString(id) && !device.MatchString(id)
}

// isAbsolute reports whether s looks like an absolute path on any system.
func isAbsolute(s string) bool {
	return strings.HasPrefix(s, "/") || strings.HasPrefix(s, `\`) ||
		len(s) > 2 && s[1] == ':' && (s[2] == '/' || s[2] == '\\')
}
