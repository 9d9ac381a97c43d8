package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"lookback"
	"lookback/bench/measure"
	"lookback/internal/pi"
)

// childFlag makes this program read and project the files of a home and nothing
// else, so that its memory can be measured from outside.
const childFlag = "-child"

// projected is what the child tells.
type projected struct {
	CPU       float64 // seconds, without the start of the process
	Bytes     int64
	Entries   int
	Exchanges int
	Nodes     int
	Words     int64 // bytes of what people and models said
}

// child reads the sessions of a home and tells what that took.
func child(home string) error {
	out, err := projectAll(context.Background(), home)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(out)
}

func projectAll(ctx context.Context, home string) (out projected, err error) {
	src := pi.New(pi.EnvDirs(func(string) string { return "" }, home))
	from := measure.CPU()
	places, warnings := src.Places(ctx)
	if len(warnings) > 0 {
		return out, fmt.Errorf("%v", warnings[0])
	}
	for _, p := range places {
		b, err := src.Read(ctx, p, nil, nil)
		if err != nil {
			return out, err
		}
		f := lookback.Exchanges(b.Log.Entries)
		nodes := lookback.BuildTree("A", b.Log.Session.Name, b.Log.Entries, &f)
		out.Bytes += p.Size
		out.Entries += len(b.Log.Entries)
		out.Exchanges += len(f.Exchanges)
		out.Nodes += len(nodes)
		for i := range b.Log.Entries {
			if e := &b.Log.Entries[i]; e.Spoken() {
				for _, part := range e.Parts {
					if part.Kind == lookback.PartText {
						out.Words += int64(len(part.Text))
					}
				}
			}
		}
	}
	out.CPU = (measure.CPU() - from).Seconds()
	return out, nil
}
