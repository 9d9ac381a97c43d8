//go:build !unix

package testkit

import "testing"

// WithUmask skips the test: this system has no umask.
func WithUmask(t testing.TB, _ int, _ func()) {
	t.Helper()
	t.Skip("no umask on this system")
}

// Unprivileged skips the test: file modes do not bind anyone on this system.
func Unprivileged(t testing.TB, _ string, _ func()) {
	t.Helper()
	t.Skip("file modes do not bind anyone on this system")
}
