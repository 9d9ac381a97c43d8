package lookback

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// SessionID names a session: the agent that wrote it and that agent's own id.
type SessionID struct {
	Agent  string // lower-case name of the format: "pi", "claude", …
	Native string // the agent's id; never a path
}

// IsZero reports whether the id names nothing.
func (id SessionID) IsZero() bool { return id == SessionID{} }

// Session is what a log says about itself.
type Session struct {
	ID      SessionID
	Name    string    // the name given by a person or agent, else the first words typed; see FallbackName
	Named   bool      // Name was given, not derived
	Cwd     string    // working directory as logged; a local fact that is never archived
	Version int       // version of the log format
	Started time.Time // as the header says; zero when it does not
	Parent  string    // the session this one continues or forks, as logged: a path or an id; "" for none
}

// Log is one session as read from its native file.
type Log struct {
	Session  Session
	Entries  []Entry // in log order; Entries[i].Seq == i+1
	Warnings []Warning
}

// maxNameChars bounds a name derived from the first words, in characters.
const maxNameChars = 80

// FallbackName derives a session's name from the first user entry with text:
// white space flattened, at most 80 characters. It returns "" when there is none.
func FallbackName(entries []Entry) string {
	for i := range entries {
		e := &entries[i]
		if e.Role != RoleUser || !e.Spoken() {
			continue
		}
		for _, p := range e.Parts {
			if p.Kind == PartText && strings.TrimSpace(p.Text) != "" {
				return Flatten(p.Text, maxNameChars)
			}
		}
	}
	return ""
}

// Flatten turns every run of white space into one blank, trims the ends and cuts
// the result to at most max characters. It looks at no more of s than it needs;
// bytes that are no UTF-8 become U+FFFD.
func Flatten(s string, max int) string {
	var b strings.Builder
	n, gap := 0, false
	for _, r := range s {
		if unicode.IsSpace(r) {
			gap = n > 0
			continue
		}
		if gap {
			if n+1 >= max {
				break
			}
			b.WriteByte(' ')
			n++
			gap = false
		}
		if n >= max {
			break
		}
		b.WriteRune(r)
		n++
	}
	return b.String()
}

// Clip cuts s to at most max bytes, max ≥ 0, at a character boundary.
func Clip(s string, max int) string {
	if len(s) <= max {
		return s
	}
	for max > 0 && !utf8.RuneStart(s[max]) {
		max--
	}
	return s[:max]
}
