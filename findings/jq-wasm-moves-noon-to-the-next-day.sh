#!/usr/bin/env bash
# jq-wasm 3.0.0-jq-1.8.2, the jq program compiled to WebAssembly, reads times as a bank writes them.
#
# Guess: strptime is that of C, so "12:30 PM" with %I:%M %p is half past twelve of the same day.
# Seen: the strptime of Emscripten's musl counts twelve hours more for PM at noon: hour 0 of the day after. One o'clock is right.
# Output seen: [2026,2,11,0,30] [2026,2,10,13,30]
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm init -y >/dev/null
npm install --silent --no-audit --no-fund jq-wasm@3.0.0-jq-1.8.2
seen=$(node -e '
  const jq = require("jq-wasm");
  const read = async (time) =>
    (await jq.raw(JSON.stringify(time), "strptime(\"%Y-%m-%d %I:%M %p\")[:5]", ["-c"])).stdout;
  (async () => console.log(await read("2026-03-10 12:30 PM"), await read("2026-03-10 01:30 PM")))();
')
echo "$seen"
[[ $seen == '[2026,2,11,0,30] [2026,2,10,13,30]' ]] || { echo "it has changed"; exit 1; }
