#!/usr/bin/env bash
# Every test of the repository, for a fresh clone:
#
#   ./test.sh          all steps
#   ./test.sh quick    formatting, vet and tests, without the race detector
#
# It says what it does, stops at the first step that fails and never reads standard
# input. FUZZTIME (default 3s) is how long each fuzz target runs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

mode=${1:-full}
case $mode in full | quick) ;; *)
	echo "usage: ./test.sh [quick]" >&2
	exit 2
	;;
esac

# The product is built without cgo. Only the race detector needs it, in its step.
export CGO_ENABLED=0
fuzztime=${FUZZTIME:-3s}
maxbinary=45000000 # bytes of the stripped program
tmp=$(mktemp -d)
count=0
running=

finish() {
	local code=$?
	rm -rf "$tmp"
	if [ -n "$running" ]; then
		printf '== FAILED in step %d, %s, after %ds\n' "$count" "$running" "$((SECONDS - from))" >&2
	fi
	exit "$code"
}
trap finish EXIT

# cpu sets used to the processor seconds of everything run so far. On a busy machine
# they say more than the clock.
cpu() {
	times >"$tmp/times"
	used=$(awk -F'[ms ]+' 'NR == 2 { printf "%d", 60 * $1 + $2 + 60 * $3 + $4 }' "$tmp/times")
}

# step NAME COMMAND… runs one numbered step and tells how long it took.
step() {
	local before
	cpu
	before=$used
	running=$1 from=$SECONDS
	count=$((count + 1))
	printf '\n== %d. %s\n' "$count" "$running"
	shift
	"$@"
	cpu
	printf -- '-- %s: %ds, processor %ds\n' "$running" "$((SECONDS - from))" "$((used - before))"
	running=
}

die() {
	printf '%s\n' "$@" >&2
	return 1
}

# install PACKAGE WHY brings a Debian package where that is possible.
install() {
	if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
		echo "installing $1: $2"
		apt-get update -qq
		DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$1" >/dev/null
		return
	fi
	die "$1 is missing: $2." "Install it and run ./test.sh again, or run ./test.sh quick, which does without."
}

requirements() {
	command -v go >/dev/null || die "Go is missing: install Go $(sed -n 's/^go //p' go.mod) or newer."
	go version
	if [ "$mode" = full ]; then
		command -v "${CC:-gcc}" >/dev/null || install gcc "the race detector needs a C compiler"
		# A compiler without the C library's headers cannot build cgo.
		echo '#include <stdlib.h>' | "${CC:-gcc}" -E - >/dev/null 2>&1 ||
			install libc6-dev "the race detector needs the C library's headers"
	fi
	shared
	go mod download
	[ "$mode" != full ] || pi
}

# pi brings the real Pi, whose tests drive it with a script of the shared material.
pi() {
	if [ -z "${LOOKBACK_SHARED:-}" ]; then
		echo "the tests with the real Pi need the shared material and are skipped"
		return
	fi
	command -v npm >/dev/null || install npm "the tests with the real Pi need it"
	e2e/pi/setup.sh >/dev/null
}

# shared finds the fixtures, cases and evaluation sets, which are no part of the
# repository.
shared() {
	if [ -z "${LOOKBACK_SHARED:-}" ] && [ -d ../shared ]; then
		LOOKBACK_SHARED=$(cd ../shared && pwd)
	fi
	if [ -n "${LOOKBACK_SHARED:-}" ]; then
		export LOOKBACK_SHARED
		echo "shared material: $LOOKBACK_SHARED"
	elif [ -n "${CI:-}" ]; then
		die "no shared material beside the checkout: CI must run the tests that need it"
	else
		echo "no shared material (../shared or LOOKBACK_SHARED): the tests over it are skipped"
	fi
}

# gofiles lists our own Go files; not by git, since a source archive has no history.
gofiles() {
	find . \( -name .git -o -name testdata -o -name node_modules \) -prune -o -name "$1" -type f -print
}

formatting() {
	local bad
	bad=$(gofiles '*.go' | xargs gofmt -l)
	[ -z "$bad" ] || die "not formatted, run gofmt -w on:" "$bad"
}

vet() { go vet ./...; }
lint() { go tool -modfile=tools/go.mod staticcheck ./...; }

docs() {
	if [ ! -d internal/docgen ]; then
		echo "nothing is generated yet"
		return
	fi
	go run ./internal/docgen -check
}

# Vet has had its own step.
tests() { go test -vet=off ./...; }
# The race detector slows the engine tenfold, so its run takes the short sizes.
race() { CGO_ENABLED=1 go test -vet=off -race -short ./...; }

# fuzz builds each package with fuzz targets once, instrumented, and runs one
# target after the other. Instrumenting the SQLite engine costs more than a minute
# and would explore its code, not ours: packages that import it only run their
# seeds, which the test step has done.
fuzz() {
	local dir pkg target bin=$tmp/fuzz.test log=$tmp/fuzz.log
	while read -r dir; do
		pkg=$(go list "$dir")
		go list -deps -test "$dir" >"$tmp/deps"
		if grep -q '^github.com/ncruces/go-sqlite3$' "$tmp/deps"; then
			echo "$pkg: seeds only"
			continue
		fi
		go test -vet=off -c -fuzz=. -o "$bin" "$dir"
		for target in $(grep -hoE '^func Fuzz[A-Za-z0-9_]*' "$dir"/*_test.go | sed 's/^func //' | sort); do
			(cd "$dir" && "$bin" -test.run='^$' -test.fuzz="^$target\$" -test.fuzztime="$fuzztime" -test.fuzzminimizetime=10x \
				-test.fuzzcachedir="$(go env GOCACHE)/fuzz/$pkg") >"$log" 2>&1 || die "$(cat "$log")"
			grep -q 'execs: ' "$log" || die "$pkg $target ran nothing" "$(cat "$log")"
			echo "$pkg $target: $(grep -o 'execs: [0-9]*' "$log" | tail -1)"
		done
	done < <(gofiles '*_test.go' | xargs grep -lE '^func Fuzz' | xargs -n1 dirname | sort -u)
}

# cross builds the programs for every system, and checks that everything, tests
# too, compiles on each. Without -trimpath, which would compile everything once more.
cross() {
	local os arch out
	for os in linux darwin windows; do
		for arch in amd64 arm64; do
			out=$tmp/$os-$arch
			mkdir "$out"
			if [ -d cmd ]; then
				GOOS=$os GOARCH=$arch go build -ldflags='-s -w' -o "$out/" ./cmd/...
			else
				GOOS=$os GOARCH=$arch go build ./...
			fi
			for program in "$out"/*; do
				[ -f "$program" ] || continue
				echo "$os/$arch ${program##*/}: $(wc -c <"$program") bytes"
				[ "$(wc -c <"$program")" -le "$maxbinary" ] || die "larger than $maxbinary bytes"
			done
			rm -r "$out"
		done
		GOOS=$os GOARCH=amd64 go vet ./...
	done
}

# The benches are measured by hand; here they must run, on little data and without
# bars: the machine is not quiet.
benches() {
	if [ ! -d bench ]; then
		echo "no benches yet"
		return
	fi
	mkdir "$tmp/bench"
	go build -o "$tmp/bench/" ./bench/...
	[ -z "${LOOKBACK_SHARED:-}" ] || "$tmp/bench/bench" -quick
}

step "what the tests need" requirements
step "formatting" formatting
step "go vet" vet
if [ "$mode" = quick ]; then
	step "tests" tests
else
	step "staticcheck" lint
	step "generated docs are current" docs
	step "tests" tests
	step "tests with the race detector" race
	step "fuzzing, $fuzztime a target" fuzz
	step "builds for six systems" cross
	step "benches build" benches
fi
printf '\n== all %d steps passed in %ds, processor %ds\n' "$count" "$SECONDS" "$used"
