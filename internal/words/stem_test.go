package words

import (
	"strings"
	"testing"
)

// The examples Porter's paper gives for its rules, carried through all steps.
const stemExamples = `
caresses caress ponies poni ties ti caress caress cats cat feed feed agreed agre plastered plaster bled bled
motoring motor sing sing conflated conflat troubled troubl sized size hopping hop tanned tan falling fall
hissing hiss fizzed fizz failing fail filing file happy happi sky sky relational relat conditional condit
rational ration valenci valenc hesitanci hesit digitizer digit conformabli conform radicalli radic
differentli differ vileli vile analogousli analog vietnamization vietnam predication predic operator oper
feudalism feudal decisiveness decis hopefulness hope callousness callous formaliti formal sensitiviti sensit
sensibiliti sensibl triplicate triplic formative form formalize formal electriciti electr electrical electr
hopeful hope goodness good revival reviv allowance allow inference infer airliner airlin gyroscopic gyroscop
adjustable adjust defensible defens irritant irrit replacement replac adjustment adjust dependent depend
adoption adopt homologou homolog communism commun activate activ angulariti angular homologous homolog
effective effect bowdlerize bowdler probate probat rate rate cease ceas controll control roll roll
generalizations gener oscillators oscil`

func TestStem(t *testing.T) {
	list := strings.Fields(stemExamples)
	for i := 0; i < len(list); i += 2 {
		if got := Stem(list[i]); got != list[i+1] {
			t.Errorf("Stem(%q) = %q, want %q", list[i], got, list[i+1])
		}
	}
	for _, w := range []string{"", "a", "is", "Running", "café", "x86", "会议", "retries2"} {
		if got := Stem(w); got != w {
			t.Errorf("Stem(%q) = %q", w, got)
		}
	}
}

func TestStemCache(t *testing.T) {
	c := stemCache{}
	list := strings.Fields(stemExamples + " 会议 internationalizations retries2 counterrevolutionariesness")
	for range 2 {
		for _, w := range list {
			want := string(StemMark) + Stem(w)
			if want[1:] == w {
				want = ""
			}
			if got := string(c.marked([]byte(w))); got != want {
				t.Errorf("marked(%q) = %q, want %q", w, got, want)
			}
		}
	}
}

func FuzzStem(f *testing.F) {
	for _, w := range []string{"aing", "eed", "ies", "sses", "ion", "aed", "yyy", "oscillators"} {
		f.Add(w)
	}
	f.Fuzz(func(t *testing.T, w string) {
		if s := Stem(w); s == "" && w != "" || len(s) > len(w) {
			t.Errorf("Stem(%q) = %q", w, s)
		}
	})
}
