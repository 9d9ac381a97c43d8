package words

import "unicode/utf8"

const (
	maxChain = 64  // bytes of a compound joined by _ or -
	maxRun   = 256 // bytes of unbroken letters and digits; more is data, not a word
	maxSeams = 6   // joints of letters and digits in one run; more is a random id
)

// run is an unbroken run of letters and digits: the scanner's parts from first
// on, its buffer from fold on, up to where the next run begins.
type run struct {
	start, end  int // bytes of the text
	fold, first int
}

// part is one part of a run, up to where the next part begins.
type part struct {
	start, fold int
}

// compound handles the run at i with everything joined to it and gives the
// offset after it.
func (s *scanner) compound(i int) int {
	s.buf, s.runs, s.parts = s.buf[:0], s.runs[:0], s.parts[:0]
	end := s.run(i)
	if s.tail {
		s.tail = s.joined(end)
	} else {
		for s.joined(end) && !s.tail {
			end = s.run(end + 1)
			s.tail = end-i > maxChain
		}
		if s.tail {
			s.emitRuns(false)
			s.tail = s.joined(end)
			return end
		}
	}
	s.emitRuns(len(s.runs) > 1)
	return end
}

// run folds the run at i into the buffer and notes its parts.
func (s *scanner) run(i int) int {
	text := s.text
	r := run{start: i, fold: len(s.buf), first: len(s.parts)}
	seams, caps := 0, 0 // caps: capitals in a row
	prev := blank
	var last part // the previous character
	j := i
	for j < len(text) && j-i <= maxRun {
		c, w, k := peek(text, j)
		if k == joiner {
			if _, _, next := peek(text, j+w); next&(wordy|mark) == 0 {
				break
			}
			j += w
			continue
		}
		if k == mark {
			if !isAccent(c) {
				s.buf = utf8.AppendRune(s.buf, c)
			}
			j += w
			continue
		}
		if k&wordy == 0 {
			break
		}
		here := part{start: j, fold: len(s.buf)}
		switch {
		case prev == blank:
			s.parts = append(s.parts, here)
		case (k == digit) != (prev == digit):
			seams++
			s.parts = append(s.parts, here)
		case k == upper && prev == lower:
			s.parts = append(s.parts, here)
		case k == lower && caps > 1 && !s.plural(j): // HTTPServer: the S begins the word
			s.parts = append(s.parts, last)
		}
		if caps++; k != upper {
			caps = 0
		}
		if c < utf8.RuneSelf {
			s.buf = append(s.buf, asciiLower[c])
		} else {
			s.buf = appendFold(s.buf, c)
		}
		prev, last = k, here
		j += w
	}
	if j-i > maxRun {
		j = runEnd(text, j)
	}
	r.end = j
	switch n := len(s.parts) - r.first; {
	case n == 1:
	case seams > maxSeams || j-i > maxRun || seams > 0 && isHash(text[i:j]):
		s.parts = s.parts[:r.first+1]
	case isHexLiteral(text[i:j]): // 0x and the number
		s.parts = append(s.parts[:r.first+1], part{start: i + 2, fold: r.fold + 2})
	}
	s.runs = append(s.runs, r)
	return j
}

// plural reports whether the lower-case letter at i is the s of URLs: the one
// case where capitals before a small letter are a word of their own.
func (s *scanner) plural(i int) bool {
	if s.text[i] != 's' {
		return false
	}
	_, _, k := peek(s.text, i+1)
	return k != lower && k != mark
}

// runEnd gives the end of the run that i lies in.
func runEnd(text string, i int) int {
	for i < len(text) {
		_, w, k := peek(text, i)
		if k&(wordy|mark) == 0 {
			break
		}
		i += w
	}
	return i
}

// emitRuns emits what compound has gathered: each part at its own position, at
// a run's first part the run, and at the very first the compound if there is one.
func (s *scanner) emitRuns(compound bool) {
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
