package pi

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lookback"
)

// corpus returns a folder of session files: that of LOOKBACK_CORPUS, else a made
// one.
func corpus(b *testing.B) (dir string, bytes int64) {
	b.Helper()
	dir = os.Getenv("LOOKBACK_CORPUS")
	if dir == "" {
		dir = b.TempDir()
		made(b, filepath.Join(dir, ".pi", "agent", "sessions", "--srv-demo--"))
	}
	for _, path := range sessions(b, filepath.Join(dir, ".pi")) {
		info, err := os.Stat(path)
		if err != nil {
			b.Fatal(err)
		}
		bytes += info.Size()
	}
	return dir, bytes
}

// made writes sessions in which, as in real ones, most bytes are tool results.
func made(b *testing.B, dir string) {
	b.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		b.Fatal(err)
	}
	output := strings.Repeat("\\tif err != nil {\\n\\t\\treturn fmt.Errorf(\\\"read: %w\\\", err)\\n\\t}\\n", 100)
	for i := range 50 {
		var s strings.Builder
		s.WriteString(head + "\n")
		for range 20 {
			s.WriteString(user("u", "", strings.Repeat("Why does it fail? ", 20)) + "\n")
			s.WriteString(`{"type":"message","id":"t","parentId":"u","timestamp":"2026-03-10T09:01:00.000Z","message":{"role":"toolResult","toolCallId":"c","toolName":"bash","content":[{"type":"text","text":"` + output + `"}],"isError":false}}` + "\n")
			s.WriteString(answer("a", "t", strings.Repeat("Because of the lamp. ", 30)) + "\n")
		}
		text := strings.NewReplacer(`"id":"u"`, `"id":"u`+string(rune('a'+i%26))+`"`).Replace(s.String())
		if err := os.WriteFile(filepath.Join(dir, string(rune('a'+i%26))+string(rune('a'+i/26))+".jsonl"), []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
}

// perCPU reports CPU time per round and, of that many bytes per round, MB per CPU
// second, from now to the call of what it returns.
func perCPU(b *testing.B, bytes int64) func() {
	from := cpuTime()
	return func() {
		sec := (cpuTime() - from).Seconds() / float64(b.N)
		b.ReportMetric(sec*1e3, "cpu-ms/op")
		if bytes > 0 {
			b.ReportMetric(float64(bytes)/1e6/sec, "MB/cpu-s")
		}
	}
}

// BenchmarkProject reads every session of the corpus and projects it.
func BenchmarkProject(b *testing.B) {
	dir, size := corpus(b)
	s := New(EnvDirs(func(string) string { return "" }, dir))
	places, _ := s.Places(context.Background())
	b.ReportAllocs()
	defer perCPU(b, size)()
	for b.Loop() {
		for _, p := range places {
			res, err := s.Read(context.Background(), p, nil, nil)
			if err != nil {
				b.Fatal(err)
			}
			f := lookback.Exchanges(res.Log.Entries)
			lookback.BuildTree("A", res.Log.Session.Name, res.Log.Entries, &f)
		}
	}
}

// BenchmarkRead is BenchmarkProject without exchanges and tree.
func BenchmarkRead(b *testing.B) {
	dir, size := corpus(b)
	s := New(EnvDirs(func(string) string { return "" }, dir))
	places, _ := s.Places(context.Background())
	b.ReportAllocs()
	defer perCPU(b, size)()
	for b.Loop() {
		for _, p := range places {
			if _, err := s.Read(context.Background(), p, nil, nil); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkPlaces lists the corpus.
func BenchmarkPlaces(b *testing.B) {
	dir, _ := corpus(b)
	s := New(EnvDirs(func(string) string { return "" }, dir))
	b.ReportAllocs()
	defer perCPU(b, 0)()
	n := 0
	for b.Loop() {
		places, _ := s.Places(context.Background())
		n = len(places)
	}
	b.ReportMetric(float64(n), "files")
}
