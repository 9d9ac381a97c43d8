package tool

import (
	"crypto/sha256"
	"encoding/base64"
)

const sealSize = 9

// seal makes a cursor of a text. It carries a hash, so that it serves for the
// purpose that it was made for and for no other.
func seal(purpose, text string) string {
	sum := sha256.Sum256([]byte(purpose + "\n" + text))
	return base64.RawURLEncoding.EncodeToString(append(sum[:sealSize], text...))
}

// unseal gives the text of a cursor that was made for this purpose.
func unseal(purpose, cursor string) (text string, ok bool) {
	b, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(b) < sealSize {
		return "", false
	}
	text = string(b[sealSize:])
	return text, seal(purpose, text) == cursor
}
