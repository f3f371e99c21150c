#!/usr/bin/env bash
# pgpass 1.0.5, which pg 8.23 installs, reads ~/.pgpass for a connection without a password.
#
# Guess: like psql and libpq, it takes the first line that fits ("the first matching line is used", PostgreSQL manual,
# "The Password File"), so a specific line goes above a general one.
# Seen: it takes the last line that fits. A file that works with psql sends another role's password.
# Output seen: second
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm init -y >/dev/null
npm install --silent --no-audit --no-fund pgpass@1.0.5
printf 'db.example:5432:shop:ada:first\ndb.example:5432:*:ada:second\n' >passwords
chmod 600 passwords
seen=$(PGPASSFILE=$PWD/passwords node -e '
  require("pgpass")({ host: "db.example", port: 5432, database: "shop", user: "ada" }, (found) => console.log(found));
')
echo "$seen"
[[ $seen == second ]] || { echo "pgpass 1.0.5 now takes another line"; exit 1; }
