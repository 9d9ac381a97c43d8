// Package words turns text into the tokens that are indexed and asked for, and
// finds and shows them again in text. It is the only place that knows what a
// word is: index, query, highlighting and snippets all use the one scanner
// here, so they can never disagree.
//
// A position holds one word, one part of a compound word, one character of a
// script written without blanks, or one symbol. Further forms of it share the
// position: the compound it begins, the pair of characters it begins, its stem.
//
//	getUserName    get+getusername · user · name
//	max_retries    max+maxretries · retries
//	http-v2        http+httpv2 · v+v2 · 2
//	评审会         评+评审 · 审+审会 · 会
//
// A compound stands at its first part only, so a phrase may end in a compound
// but not run on after it; Phrases therefore always offers the parts as well.
//
// Tokens are folded: NFKC, lower case, accents gone. Offsets always point into
// the text as it was given. The package holds no state but pools and caches and
// is safe for concurrent use. It never normalises a whole text, allocates
// nothing per token, and takes any bytes: invalid UTF-8 and NUL separate words.
package words
