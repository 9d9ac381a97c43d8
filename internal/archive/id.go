package archive

import (
	"crypto/sha1"
	"encoding/hex"
	"strings"

	"lookback"
)

// maxID bounds archive ids: with ".json" they must fit every file system.
const maxID = 128

// space is the name space of our archive ids: a random UUID made for this purpose.
var space = [16]byte{0x5d, 0x0c, 0x8e, 0x2a, 0x71, 0x3f, 0x4b, 0x96, 0xa4, 0xe8, 0x1b, 0x60, 0xd7, 0xc5, 0x39, 0xf2}

// NewID returns the archive id of a session that has none yet: a UUID of version
// 5 (SHA-1 of a name in a name space of our own) over agent and native id. Every
// process and machine derives the same one.
func NewID(id lookback.SessionID) string {
	h := sha1.New() // as RFC 9562 lays down for version 5; nothing rests on its strength
	h.Write(space[:])
	h.Write([]byte(id.Agent + "\x00" + id.Native))
	u := h.Sum(nil)[:16]
	u[6] = u[6]&0x0f | 0x50
	u[8] = u[8]&0x3f | 0x80
	s := hex.EncodeToString(u)
	return s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
}

// SafeID reports whether id can name a record on every system: 1 to 128 ASCII
// letters, digits, "-", "_" and ".", with no dot at either end, and no name that
// Windows keeps for devices.
func SafeID(id string) bool {
	if id == "" || len(id) > maxID || id[0] == '.' || id[len(id)-1] == '.' {
		return false
	}
	for i := 0; i < len(id); i++ {
		c := id[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.') {
			return false
		}
	}
	stem, _, _ := strings.Cut(strings.ToUpper(id), ".")
	switch stem {
	case "CON", "PRN", "AUX", "NUL":
		return false
	}
	device := len(stem) == 4 && (strings.HasPrefix(stem, "COM") || strings.HasPrefix(stem, "LPT"))
	return !device || stem[3] < '0' || stem[3] > '9'
}

// isAbsolute reports whether s looks like an absolute path on any system.
func isAbsolute(s string) bool {
	if strings.HasPrefix(s, "/") || strings.HasPrefix(s, `\`) {
		return true
	}
	return len(s) > 2 && s[1] == ':' && (s[2] == '/' || s[2] == '\\')
}
