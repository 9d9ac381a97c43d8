package words

import (
	"strings"
	"testing"
)

// sample is prose about code with identifiers, and one tenth Chinese.
const sample = `I looked at why the importer drops entries when two writers append at once. The reader keeps
its cursor in memory and only stores it after the whole batch was committed, so a crash between both steps reads the
same lines again; that is harmless because parseSessionEntries ignores what it has seen. What is not harmless: the
writer may still be in the middle of a line. We should stop at the last newline, remember the offset, and continue
there on the next pass. The change is small and lives in internal/ingest/cursor.go, next to resume_after_crash. I also
renamed maxRetries to max_attempts, since the first attempt is no retry, and the HTTPServer waits 250ms before it
tries again. Tests pass (412 of 412), the slow one took 3.8 seconds. Commit 9f8e7d6c5b holds everything; please have
a look at the comment in src/core/session_store.go:128 before you merge, it explains the order of the two locks.
Afterwards the people who asked for it can be told that nothing was lost, only hidden, and that searching finds it.
服务端重启之后会从上次保存的位置继续读取日志，不会重复写入，也不会丢失任何一条记录，请放心。
`

func benchText() string { return strings.Repeat(sample, 200) }

func benchEach(b *testing.B, text string, stems bool) {
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		for t := range Each(text, stems) {
			n += len(t.Text)
		}
	}
}

func BenchmarkEach(b *testing.B)      { benchEach(b, benchText(), false) }
func BenchmarkEachStems(b *testing.B) { benchEach(b, benchText(), true) }
func BenchmarkEachChinese(b *testing.B) {
	benchEach(b, strings.Repeat("服务端重启之后会从上次保存的位置继续读取日志，", 999), false)
}
func BenchmarkEachRussian(b *testing.B) {
	benchEach(b, strings.Repeat("После перезапуска сервер читает журнал дальше, ничего не теряя. ", 999), false)
}
func BenchmarkEachBlob(b *testing.B) {
	benchEach(b, strings.Repeat("aGVsbG8gd29ybGQ0NzExc29tZXRoaW5n", 1<<15), false)
}

// BenchmarkPorter stems without a cache.
func BenchmarkPorter(b *testing.B) {
	var list []string
	for t := range Each(sample, false) {
		list = append(list, string(t.Text))
	}
	for b.Loop() {
		for _, w := range list {
			Stem(w)
		}
	}
}

func BenchmarkFindFold(b *testing.B) {
	text := strings.Repeat(strings.ReplaceAll(sample, "服务端重启之后会从上次保存的位置继续读取日志，不会重复写入，也不会丢失任何一条记录，请放心。", ""), 200)
	for _, needle := range []string{"e", "xyzzy", "the reader", "MAXRETRIES", "sk", "日志"} {
		b.Run(strings.ReplaceAll(needle, " ", "_"), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				FindFold(text, needle, 0)
			}
		})
	}
}

func BenchmarkMatcher(b *testing.B) {
	text := benchText()
	m := NewMatcher(append(Phrases("maxRetries", false), Phrases("comm", true)...))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		for range m.Find(text) {
		}
	}
}

func BenchmarkSnippet(b *testing.B) {
	text := strings.Repeat(sample, 4000) // 5 MB
	spans := FindFold(text, "commit 9f8e", 0)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		Snippet(text, spans, 300)
	}
}
