// Bench measures the rows of the "Speed and size" table against the real program
// and the real packages, side by side with a raw scan of the same bytes:
//
//	go run ./bench                  every row
//	go run ./bench -rows cold-c1k,binary
//	go run ./bench -quick           small inputs, no bars: does it all run?
//
// It makes the corpora with the shared corpus tool, keeps them and the large
// index in a cache folder, and writes bench/out/speed.json. docs/bench.md says
// what each row means.
package main
