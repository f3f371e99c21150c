#!/usr/bin/env bash
# @photostructure/sqlite 1.2.1 (SQLite) looks up requests by an index of target and reference, where the target may be null.
#
# Guess: `(target = :t OR target IS NULL AND :t IS NULL) AND reference IN (…list…)` uses both columns of the index on
# (target, reference), as `target = :t AND reference IN (…list…)` does.
# Seen: with the OR it uses the first column alone, so all rows of a target are read. `target IS :t` uses both.
# Output seen: (target=?) | (target=? AND reference=?) | (target=? AND reference=?)
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @photostructure/sqlite@1.2.1
seen=$(node -e '
  const { DatabaseSync } = require("@photostructure/sqlite");
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE TABLE sent (target TEXT, reference TEXT, body TEXT); CREATE INDEX by_both ON sent (target, reference)");
  const list = "reference IN (SELECT value FROM json_each(:list))";
  const used = (where) => {
    const plan = database.prepare(`EXPLAIN QUERY PLAN SELECT body FROM sent WHERE ${where} AND ${list}`).all();
    return plan.map(({ detail }) => /by_both (\(.*\))/.exec(detail)?.[1]).find(Boolean) ?? "none";
  };
  console.log([used("(target = :t OR target IS NULL AND :t IS NULL)"), used("target = :t"), used("target IS :t")].join(" | "));
')
echo "$seen"
[[ $seen == '(target=?) | (target=? AND reference=?) | (target=? AND reference=?)' ]] || { echo "it has changed"; exit 1; }
