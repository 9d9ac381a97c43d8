package index

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/fnv"
)

// cursor says where a page begins.
type cursor struct {
	Changes int64  // state of the index that the first page saw
	Offset  uint32 // hits before this page
	Later   bool   // this is not the first page
	scale          // what the first page was ranked by
}

// scale are the statistics that change as the index grows, and would change the
// order with them. What wants weigh is counted over the documents of the first
// page's state.
type scale struct {
	Docs, Sessions uint32
	Average        [fields]float32
}

// write makes the cursor of the page that begins at offset: its fields and a hash
// of them and of the request.
func (c cursor) write(req *Request, offset int) string {
	c.Offset, c.Later = uint32(offset), true
	b, _ := binary.Append(nil, binary.BigEndian, c) // fixed size
	return base64.RawURLEncoding.EncodeToString(binary.BigEndian.AppendUint64(b, fingerprint(req, b)))
}

// readCursor reads the request's cursor. Without one, the page begins at the
// request's offset.
func readCursor(req *Request) (c cursor, err error) {
	if req.Cursor == "" {
		return cursor{Offset: uint32(min(req.Offset, 1<<31))}, nil
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(req.Cursor)
	n, _ := binary.Decode(b, binary.BigEndian, &c)
	if err != nil || n == 0 || !bytes.Equal(b[n:], binary.BigEndian.AppendUint64(nil, fingerprint(req, b[:n]))) {
		return c, fmt.Errorf("%w: it is malformed or belongs to another search: pass on the one that the page before gave, or none", ErrCursor)
	}
	return c, nil
}

// fingerprint is a hash of what is given and of all that decides what a search
// finds, and in which order; the size of the page does not.
func fingerprint(req *Request, b []byte) uint64 {
	h := fnv.New64a()
	h.Write(b)
	id, leaf, before, _ := req.Scope.Conversation()
	fmt.Fprintf(h, "%q %q %d %d|%q %t %t|%+v|", req.Scope.String(), id, leaf, before, req.Query.Text, req.Query.Literal, req.Query.Question, req.Query.Terms)
	f := req.Query.Filters
	fmt.Fprintf(h, "%q %d %v %q %q %q %d %d|%t %t %t", f.Agent, f.Role, f.Kinds, f.Session, f.Name, f.In,
		f.When.From.UnixNano(), f.When.To.UnixNano(), req.Terse, req.Newest, req.Typing)
	return h.Sum64()
}
