#!/usr/bin/env bash
# jq-wasm 3.0.0-jq-1.8.2, the jq program compiled to WebAssembly.
#
# Guess: `env.NAME` and `$ENV.NAME` are the variables of the process that calls it, as in jq, or empty.
# Seen: they are those of Emscripten: seven names with made-up values. A filter such as select(.reference == env.REF) finds
# nothing, without an error, and env.HOME is another folder.
# Output seen: [null,"/home/web_user",["HOME","LANG","LOGNAME","PATH","PWD","USER","_"]]
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm init -y >/dev/null
npm install --silent --no-audit --no-fund jq-wasm@3.0.0-jq-1.8.2
seen=$(REF=INV-1 node -e '
  require("jq-wasm")
    .raw("null", "[env.REF, $ENV.HOME, (env | keys)]", ["-c"])
    .then(({ stdout }) => console.log(stdout));
')
echo "$seen"
[[ $seen == '[null,"/home/web_user",["HOME","LANG","LOGNAME","PATH","PWD","USER","_"]]' ]] ||
  { echo "it has changed"; exit 1; }
