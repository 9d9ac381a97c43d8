package index

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/fnv"
)

// cursor says where a page begins.
type cursor struct {
	changes int64 // state of the index that the first page saw
	offset  int   // hits before this page
	later   bool  // this is not the first page
	scale         // what the first page was ranked by
}

// scale are the statistics that change as the index grows, and would change the
// order with them. What wants weigh is counted over the documents of the first
// page's state.
type scale struct {
	Docs, Sessions uint32
	Average        [fields]float32
}

const (
	cursorSize = 8 + 4 + 8 + 8 + 4*fields + 4
	cursorSalt = "lookback cursor 1"
)

// write makes the cursor of the page that begins at offset.
func (c cursor) write(req *Request, offset int) string {
	b := make([]byte, 0, cursorSize)
	b = binary.BigEndian.AppendUint64(b, uint64(c.changes))
	b = binary.BigEndian.AppendUint32(b, uint32(offset))
	b = binary.BigEndian.AppendUint64(b, fingerprint(req))
	b, _ = binary.Append(b, binary.BigEndian, c.scale) // fixed size
	h := fnv.New32a()
	h.Write([]byte(cursorSalt))
	h.Write(b)
	return base64.RawURLEncoding.EncodeToString(h.Sum(b))
}

// readCursor reads the request's cursor. Without one, the page begins at the
// request's offset.
func readCursor(req *Request) (c cursor, err error) {
	if req.Cursor == "" {
		return cursor{offset: req.Offset}, nil
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(req.Cursor)
	if err != nil || len(b) != cursorSize {
		return c, fmt.Errorf("%w: it is malformed: pass on the one that the page before gave, or none", ErrCursor)
	}
	c = cursor{changes: int64(binary.BigEndian.Uint64(b)), offset: int(binary.BigEndian.Uint32(b[8:])), later: true}
	if _, err := binary.Decode(b[20:], binary.BigEndian, &c.scale); err != nil {
		return c, err
	}
	switch {
	case binary.BigEndian.Uint64(b[12:]) != fingerprint(req):
		return c, fmt.Errorf("%w: it belongs to another search", ErrCursor)
	case c.write(req, c.offset) != req.Cursor || c.changes <= 0:
		return c, fmt.Errorf("%w: it is malformed: pass on the one that the page before gave, or none", ErrCursor)
	}
	return c, nil
}

// fingerprint is a hash of all that decides what a search finds, and in which
// order; the size of the page does not.
func fingerprint(req *Request) uint64 {
	h := fnv.New64a()
	id, leaf, before, _ := req.Scope.Conversation()
	fmt.Fprintf(h, "%q %q %d %d|%q %t %t|%+v|", req.Scope.String(), id, leaf, before, req.Query.Text, req.Query.Literal, req.Query.Question, req.Query.Terms)
	f := req.Query.Filters
	fmt.Fprintf(h, "%q %d %v %q %q %q %d %d|%v %t %t %t", f.Agent, f.Role, f.Kinds, f.Session, f.Name, f.In,
		f.When.From.UnixNano(), f.When.To.UnixNano(), req.Kinds, req.Terse, req.Newest, req.Typing)
	return h.Sum64()
}
