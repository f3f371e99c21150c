#!/usr/bin/env bash
# pgpass 1.0.6, which reads ~/.pgpass for pg, and a line with a wildcard in each field and a password of two letters.
#
# Guess: `*:*:*:*:pw` gives the password `pw` for every connection, as it does for psql and libpq.
# Seen: pgpass takes no line of fewer than eleven characters. It finds the password if that is one letter longer.
# Output seen: undefined pwd
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm init -y >/dev/null
npm install --silent --no-audit --no-fund pgpass@1.0.6
password_of() {
  echo "$1" >passwords
  chmod 600 passwords
  PGPASSFILE=$PWD/passwords node -e '
    require("pgpass")({ host: "db.example", port: 5432, database: "shop", user: "ada" }, (found) => console.log(found));
  '
}
seen="$(password_of '*:*:*:*:pw') $(password_of '*:*:*:*:pwd')"
echo "$seen"
[[ $seen == 'undefined pwd' ]] || { echo "it has changed"; exit 1; }
