#!/usr/bin/env bash
# xlsx 0.18.5 (SheetJS) reads a CSV of a shop's own references.
#
# Guess: without an option that asks for numbers or dates, the cells of a CSV are text, as in other CSV readers.
# Seen: references become numbers, and some become days: 00777 is 777, 2E5 is 200000, the last digits of a number with
# twenty are lost, 2026-03 is the first of March, and 3-4 and 1/2 are days of 2001, as numbers of days since 1900.
# With { raw: true } they stay text.
# Output seen: [777,200000,12345678901234567000,46082,36954,36893] ["00777","2E5","12345678901234567890","2026-03","3-4","1/2"]
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm init -y >/dev/null
npm install --silent --no-audit --no-fund xlsx@0.18.5
seen=$(TZ=UTC node -e '
  const xlsx = require("xlsx");
  const csv = "reference\n00777\n2E5\n12345678901234567890\n2026-03\n3-4\n1/2\n";
  const read = (options) => {
    const { Sheets, SheetNames } = xlsx.read(csv, { type: "string", ...options });
    return JSON.stringify(xlsx.utils.sheet_to_json(Sheets[SheetNames[0]]).map(({ reference }) => reference));
  };
  console.log(read({}), read({ raw: true }));
')
echo "$seen"
[[ $seen == '[777,200000,12345678901234567000,46082,36954,36893] ["00777","2E5","12345678901234567890","2026-03","3-4","1/2"]' ]] ||
  { echo "it has changed"; exit 1; }
