package words

import "unicode/utf8"

const (
	maxChain = 64  // bytes of a compound joined by _ or -; what goes on is another one
	maxRun   = 256 // bytes of unbroken letters and digits; more is data, not a word
	maxSeams = 6   // joints of letters and digits in one run; more is a random id
	minHash  = 7   // hex digits from which a run is an abbreviated hash, as Git prints it
	uuidLen  = 36
)

// run is an unbroken run of letters and digits: the scanner's parts from first
// on, its buffer from fold on, up to where the next run begins.
type run struct {
	start, end  int // bytes of the text
	fold, first int
}

// part is one part of a run, up to where the next part begins.
type part struct{ start, fold int }

// compound handles the run at i with everything joined to it and gives the
// offset after it.
func (s *scanner) compound(i int) int {
	s.buf, s.runs, s.parts = s.buf[:0], s.runs[:0], s.parts[:0]
	end := s.run(i)
	for end-i <= maxChain && s.joined(end) {
		end = s.run(end + 1)
	}
	s.emitRuns()
	return end
}

// joined reports whether the byte at i is a single _ or - with a word after it
// that a word before it would be joined to.
func (s *scanner) joined(i int) bool {
	if i >= len(s.text) || s.text[i] != '_' && s.text[i] != '-' {
		return false
	}
	_, _, k := peek(s.text, i+1)
	return k&wordy != 0 && !isUUID(s.text, i+1)
}

// run folds the run at i into the buffer and notes its parts.
func (s *scanner) run(i int) int {
	text := s.text
	r := run{start: i, fold: len(s.buf), first: len(s.parts)}
	seams, caps := 0, 0 // caps: capitals in a row
	prev := blank
	var last part // the previous character
	j := i
	for {
		c, w, k := peek(text, j)
		if k&(wordy|mark) == 0 {
			break
		}
		here := part{start: j, fold: len(s.buf)}
		j += w
		switch {
		case j-i > maxRun:
			continue
		case k == mark:
			if !isAccent(c) {
				s.buf = utf8.AppendRune(s.buf, c)
			}
			continue
		case prev == blank:
			s.parts = append(s.parts, here)
		case (k == digit) != (prev == digit):
			seams++
			s.parts = append(s.parts, here)
		case k == upper && prev == lower:
			s.parts = append(s.parts, here)
		case k == lower && caps > 1 && !s.plural(here.start): // HTTPServer: the S begins the word
			s.parts = append(s.parts, last)
		}
		if caps++; k != upper {
			caps = 0
		}
		s.buf = appendFold(s.buf, c)
		prev, last = k, here
	}
	r.end = j
	if seams > maxSeams || j-i > maxRun || seams > 0 && j-i >= minHash && allHex(text[i:j]) {
		s.parts = s.parts[:r.first+1] // letters alone, like DeadFace, are words and no hash
	}
	s.runs = append(s.runs, r)
	return j
}

// plural reports whether the lower-case letter at i is the s of URLs: the one
// case where capitals before a small letter are a word of their own.
func (s *scanner) plural(i int) bool {
	_, _, k := peek(s.text, i+1)
	return s.text[i] == 's' && k != lower && k != mark
}

// emitRuns emits what compound has gathered: each part at its own position, at
// a run's first part the run, and at the very first the compound if there is one.
func (s *scanner) emitRuns() {
	compound := len(s.runs) > 1
	for n, r := range s.runs {
		parts, foldEnd := s.parts[r.first:], len(s.buf)
		if n+1 < len(s.runs) {
			parts, foldEnd = s.parts[r.first:s.runs[n+1].first], s.runs[n+1].fold
		}
		form := Part
		if len(parts) == 1 && !compound {
			form = Word
		}
		for m, p := range parts {
			end, fold := r.end, foldEnd
			if m+1 < len(parts) {
				end, fold = parts[m+1].start, parts[m+1].fold
			}
			s.emit(s.buf[p.fold:fold], p.start, end, form)
			s.emitStem(s.buf[p.fold:fold], p.start, end)
			if m == 0 && len(parts) > 1 {
				s.emit(s.buf[r.fold:foldEnd], r.start, r.end, Whole)
				s.emitStem(s.buf[r.fold:foldEnd], r.start, r.end)
			}
			if m == 0 && n == 0 && compound {
				s.emit(s.buf, r.start, s.runs[len(s.runs)-1].end, Whole)
			}
			s.pos++
		}
	}
}

func allHex(s string) bool {
	for i := range len(s) {
		c := s[i]
		if ascii[c] != digit && (c|0x20 < 'a' || c|0x20 > 'f') {
			return false
		}
	}
	return true
}

// isUUID reports whether a UUID stands at i, with no letter or digit after it.
func isUUID(text string, i int) bool {
	if i+uuidLen > len(text) || text[i+8] != '-' || text[i+13] != '-' || text[i+18] != '-' || text[i+23] != '-' {
		return false
	}
	u := text[i : i+uuidLen]
	_, _, k := peek(text, i+uuidLen)
	return k&(wordy|mark) == 0 && allHex(u[:8]) && allHex(u[9:13]) && allHex(u[14:18]) && allHex(u[19:23]) && allHex(u[24:])
}

// uuid emits the 32 digits of the UUID at i as one word, so that its first
// group is a prefix of it.
func (s *scanner) uuid(i int) int {
	buf := s.buf[:0]
	for j := i; j < i+uuidLen; j++ {
		if c := s.text[j]; c != '-' {
			buf = append(buf, asciiLower[c])
		}
	}
	s.emit(buf, i, i+uuidLen, Word)
	s.pos++
	return i + uuidLen
}
