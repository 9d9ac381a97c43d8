package cli

import (
	"fmt"
	"strings"
	"time"

	"lookback/internal/render"
	"lookback/internal/service"
)

// Times of the progress bar: what is done sooner shows none, and it is drawn no
// more often than eyes follow.
const (
	barAfter = 500 * time.Millisecond
	barEvery = 100 * time.Millisecond
)

// bar shows on standard error how far a sync has come. On anything but a terminal
// it shows nothing.
type bar struct {
	a      *app
	began  time.Time
	drawn  time.Time
	active bool
}

func (a *app) newBar() *bar {
	return &bar{a: a, began: time.Now(), active: a.c.Terminal.Err && !a.g.json && a.c.Getenv("TERM") != "dumb"}
}

func (b *bar) step(p service.Progress) {
	now := time.Now()
	if !b.active || now.Sub(b.began) < barAfter || now.Sub(b.drawn) < barEvery {
		return
	}
	b.drawn = now
	secs := now.Sub(b.began).Seconds()
	part := 0.0
	if p.Total > 0 {
		part = min(float64(p.Bytes)/float64(p.Total), 1)
	}
	text := fmt.Sprintf("%3.0f%%  %s/%s files  %s/%s  %s entries  %s/s", part*100, thousands(p.Done), thousands(p.Files),
		size(p.Bytes), size(p.Total), thousands(p.Entries), size(int64(float64(p.Bytes)/secs)))
	cols := b.a.c.Terminal.Cols - 1
	if room := cols - render.Width(text) - 3; room >= 10 {
		full := int(part * float64(min(room, 30)))
		text = "[" + strings.Repeat("#", full) + strings.Repeat(" ", min(room, 30)-full) + "] " + text
	}
	b.a.talk("\r%s\x1b[K", render.Fit(text, cols))
}

// clear takes the bar away.
func (b *bar) clear() {
	if !b.drawn.IsZero() {
		b.a.talk("\r\x1b[K")
		b.drawn = time.Time{}
	}
}

// size gives bytes in decimal units.
func size(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1_000_000:
		return fmt.Sprintf("%.0f kB", float64(n)/1e3)
	case n < 1_000_000_000:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.2f GB", float64(n)/1e9)
}
