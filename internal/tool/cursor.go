package tool

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"

	"lookback/internal/service"
)

// span is what a reading of mode range goes over, and where it stands.
type span struct {
	from, to int // first and last entry, by number
	at       int // entry to go on with
	row, off int // its first row to show, and how many bytes of that row's text were shown
}

// errCursor tells what to do about any cursor that is of no use here.
var errCursor = errors.New(`argument "cursor" is malformed or was made for another conversation: pass on next exactly as the page before gave it, or begin again with from`)

const macSize = 9

// write makes the cursor. It carries a hash over the conversation and the entries
// that it names, so that it serves there and nowhere else.
func (p span) write(c *service.Conversation) string {
	text := fmt.Sprintf("%d.%d.%d.%d.%d", p.from, p.to, p.at, p.row, p.off)
	return base64.RawURLEncoding.EncodeToString(append(p.mac(c, text), text...))
}

func (p span) mac(c *service.Conversation, text string) []byte {
	h := sha256.New()
	fmt.Fprintf(h, "lookback range 1\n%q %q\n%s\n", c.Session.ID.Agent, c.Session.ID.Native, text)
	for _, seq := range []int{p.from, p.to, p.at} {
		e := c.Entry(seq)
		fmt.Fprintf(h, "%q %d %d\n", e.ID, e.Parent, e.Offset)
	}
	return h.Sum(nil)[:macSize]
}

// readCursor reads a cursor that this conversation gave out.
func readCursor(c *service.Conversation, s string) (p span, err error) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(s)
	if err != nil || len(b) <= macSize {
		return p, errCursor
	}
	_, err = fmt.Sscanf(string(b[macSize:]), "%d.%d.%d.%d.%d", &p.from, &p.to, &p.at, &p.row, &p.off)
	if err != nil || p.row < 0 || p.off < 0 || c.At(p.from) < 0 || c.At(p.to) < 0 || c.At(p.at) < 0 || p.write(c) != s {
		return p, errCursor
	}
	return p, nil
}
