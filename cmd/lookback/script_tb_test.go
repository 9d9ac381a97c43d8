package main

import (
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// rememberedMu guards remembered: scripts run side by side.
var rememberedMu sync.Mutex

// scriptTB lets helpers that take a testing.TB fail a script.
type scriptTB struct {
	testing.TB
	ts *testscript.TestScript
}

func (s scriptTB) Helper()                      {}
func (s scriptTB) Fatal(args ...any)            { s.ts.Fatalf("%v", args) }
func (s scriptTB) Fatalf(f string, args ...any) { s.ts.Fatalf(f, args...) }
func (s scriptTB) Error(args ...any)            { s.ts.Fatalf("%v", args) }
func (s scriptTB) Errorf(f string, args ...any) { s.ts.Fatalf(f, args...) }
