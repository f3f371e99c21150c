#!/usr/bin/env bash
# pg-connection-string 2.14.1 parses the connection string that pg is given.
#
# Guess: it takes the two forms that libpq documents, so a string of keywords that works with psql either connects to the
# same server or is refused.
# Seen: `host=ledger.example dbname=gw` is read as a relative address. The server is a machine called "base", and the whole
# string is the name of the database.
# Output seen: {"host":"base","database":"host=ledger.example dbname=gw"}
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm init -y >/dev/null
npm install --silent --no-audit --no-fund pg-connection-string@2.14.1
seen=$(node -e '
  const { host, database } = require("pg-connection-string").parse("host=ledger.example dbname=gw");
  console.log(JSON.stringify({ host, database }));
')
echo "$seen"
[[ $seen == '{"host":"base","database":"host=ledger.example dbname=gw"}' ]] || { echo "it has changed"; exit 1; }
