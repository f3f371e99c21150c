#!/usr/bin/env bash
# @photostructure/sqlite 1.2.1 (SQLite) looks for the newest payment of a shop, in a table with an index on the time alone.
#
# Guess: `WHERE shop = :s ORDER BY paid_at DESC LIMIT 1` walks that index from its end, and stops at the first row.
# Seen: of a table that was never analysed, all rows are read and sorted, since SQLite takes the condition for one that
# few rows meet. It walks the index if the condition is written `+shop = :s`, and after ANALYZE.
# Output seen: sorted | walked | walked
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @photostructure/sqlite@1.2.1
seen=$(node -e '
  const { DatabaseSync } = require("@photostructure/sqlite");
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE TABLE paid (shop TEXT, paid_at TEXT); CREATE INDEX by_time ON paid (paid_at)");
  const how = (where) => {
    const plan = database.prepare(`EXPLAIN QUERY PLAN SELECT * FROM paid WHERE ${where} ORDER BY paid_at DESC LIMIT 1`).all();
    return plan.some(({ detail }) => detail.includes("TEMP B-TREE")) ? "sorted" : "walked";
  };
  const before = [how("shop = :s"), how("+shop = :s")];
  database.exec("INSERT INTO paid VALUES (\x27north\x27, \x272026-01-01\x27), (\x27south\x27, \x272026-01-02\x27); ANALYZE");
  console.log([...before, how("shop = :s")].join(" | "));
')
echo "$seen"
[[ $seen == 'sorted | walked | walked' ]] || { echo "it has changed"; exit 1; }
