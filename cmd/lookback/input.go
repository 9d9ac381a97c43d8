package main

import (
	"context"
	"io"
)

// input reads until the context ends. A read that waits for a terminal cannot be
// interrupted: it is left behind.
type input struct {
	ctx context.Context
	io.Reader
}

func (in input) Read(p []byte) (int, error) {
	var n int
	var err error
	b, done := make([]byte, len(p)), make(chan struct{})
	go func() {
		n, err = in.Reader.Read(b)
		close(done)
	}()
	select {
	case <-done:
		return copy(p, b[:n]), err
	case <-in.ctx.Done():
		return 0, in.ctx.Err()
	}
}
