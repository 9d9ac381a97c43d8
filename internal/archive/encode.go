package archive

import (
	"io"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"lookback"
)

// pi is the agent that records do not name.
const pi = "pi"

// flushAt is how many bytes are collected before they are written out.
const flushAt = 64 << 10

// buffers are kept because ten thousand records are written in a row.
var buffers = sync.Pool{New: func() any { b := make([]byte, 0, flushAt+16<<10); return &b }}

// encode writes r as personal-bot does: two blanks of indentation, characters
// beyond ASCII as they are, and per kind of node the same order of fields. It is
// written by hand because encoding/json escapes more than JavaScript does and
// would make every file differ from the other program's.
func encode(w io.Writer, r *Record) error {
	buf := buffers.Get().(*[]byte)
	defer buffers.Put(buf)
	b := append((*buf)[:0], "{\n  \"id\": "...)
	b = appendString(b, r.ID)
	b = append(b, ",\n  \"sessionId\": "...)
	b = appendString(b, r.Session.Native)
	if r.Session.Agent != pi {
		b = append(b, ",\n  \"agent\": "...)
		b = appendString(b, r.Session.Agent)
	}
	b = append(b, ",\n  \"name\": "...)
	b = appendString(b, r.Name)
	b = append(b, ",\n  \"nodes\": ["...)
	for i := range r.Nodes {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, "\n    {"...)
		b = appendNode(b, &r.Nodes[i])
		b = append(b, "\n    }"...)
		if len(b) >= flushAt {
			if _, err := w.Write(b); err != nil {
				return err
			}
			b = b[:0]
		}
	}
	if len(r.Nodes) > 0 {
		b = append(b, "\n  "...)
	}
	_, err := w.Write(append(b, "]\n}\n"...))
	return err
}

// Order of the fields in nodes, as in the files of personal-bot 0.2.3.
var fieldOrder = [...][]string{
	lookback.KindExchange: {"entryIds", "from", "to", "completed", "text", "id", "kind", "level", "children", "parents", "ready"},
	lookback.KindSummary:  {"entryIds", "text", "from", "to", "completed", "id", "kind", "level", "children", "parents", "ready"},
	lookback.KindSession:  {"id", "kind", "level", "entryIds", "text", "ready", "completed", "from", "to", "parents", "children"},
}

func appendNode(b []byte, n *lookback.Node) []byte {
	for i, name := range fieldOrder[n.Kind] {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, "\n      \""...)
		b = append(b, name...)
		b = append(b, "\": "...)
		b = appendField(b, n, name)
	}
	return b
}

func appendField(b []byte, n *lookback.Node, name string) []byte {
	switch name {
	case "id":
		return appendString(b, n.ID)
	case "kind":
		return appendString(b, n.Kind.String())
	case "level":
		return strconv.AppendInt(b, int64(n.Level), 10)
	case "children":
		return appendList(b, n.Children)
	case "parents":
		return appendList(b, n.Parents)
	case "entryIds":
		return appendList(b, n.EntryIDs)
	case "text":
		return appendString(b, n.Text)
	case "from":
		return appendTime(b, n.From)
	case "to":
		return appendTime(b, n.To)
	case "ready":
		return strconv.AppendBool(b, n.Ready)
	default: // completed
		return strconv.AppendBool(b, n.Completed)
	}
}

func appendList(b []byte, list []string) []byte {
	if len(list) == 0 {
		return append(b, "[]"...)
	}
	for i, s := range list {
		if i == 0 {
			b = append(b, "[\n        "...)
		} else {
			b = append(b, ",\n        "...)
		}
		b = appendString(b, s)
	}
	return append(b, "\n      ]"...)
}

const timeForm = "2006-01-02T15:04:05.000Z"

// appendTime writes t. Years that RFC 3339 cannot hold count as no time.
func appendTime(b []byte, t time.Time) []byte {
	t = t.UTC()
	if t.Year() < 1 || t.Year() > 9999 {
		t = time.Time{}
	}
	b = append(b, '"')
	b = t.AppendFormat(b, timeForm)
	return append(b, '"')
}

const hexDigits = "0123456789abcdef"

// special marks the bytes that may not stand in a JSON string as they are.
var special = func() (t [256]bool) {
	for c := range ' ' {
		t[c] = true
	}
	t['"'], t['\\'] = true, true
	return t
}()

// appendString quotes s as JavaScript does. What is not UTF-8 becomes U+FFFD.
func appendString(b []byte, s string) []byte {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); i++ {
		if !special[s[i]] {
			continue
		}
		b = append(b, s[start:i]...)
		start = i + 1
		switch c := s[i]; c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, '\\', 'n')
		case '\t':
			b = append(b, '\\', 't')
		case '\r':
			b = append(b, '\\', 'r')
		case '\b':
			b = append(b, '\\', 'b')
		case '\f':
			b = append(b, '\\', 'f')
		default:
			b = append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	return append(append(b, s[start:]...), '"')
}
