#!/usr/bin/env bash
# pg-connection-string 2.14.1, with a database whose name has a slash, and one whose name has a blank.
#
# Guess: an escape in the path of postgres://… is decoded, as libpq decodes it, so `a%2Fb` is the database `a/b`.
# Seen: `%20` is decoded, and `%2F` is not: pg asks for a database with the name `a%2Fb`.
# Output seen: ["a%2Fb","a b"]
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm init -y >/dev/null
npm install --silent --no-audit --no-fund pg-connection-string@2.14.1
seen=$(node -e '
  const { parse } = require("pg-connection-string");
  console.log(JSON.stringify(["postgres://db.example/a%2Fb", "postgres://db.example/a%20b"].map((one) => parse(one).database)));
')
echo "$seen"
[[ $seen == '["a%2Fb","a b"]' ]] || { echo "it has changed"; exit 1; }
