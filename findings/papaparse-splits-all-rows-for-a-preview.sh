#!/usr/bin/env bash
# Papa Parse 5.7.1 reads the first row of a table of 100,000 rows, with `preview: 1`.
#
# Guess: it reads a row and stops, so that the header of a large file is read at once.
# Seen: if the text has no quote, it splits all of the text into rows first, and drops all but one of them. Any quote, or
# `fastMode: false`, makes it read one row alone. So whoever looks at the header, and then reads the rows a part at a time
# from a growing place, splits the rest of the file for each part: the time grows with the square of the rows.
# Output seen: without a quote: 1 row of 100001 that were split; with fastMode false: 1 row of 0 that were split
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm init -y >/dev/null
npm install --silent papaparse@5.7.1 >/dev/null
cat >first-row.cjs <<'END'
const Papa = require('papaparse');
const text = `reference,amount\n${'INV-1,2500\n'.repeat(99_999)}INV-1,2500`;
const split = String.prototype.split;
let most = 0;
String.prototype.split = function (...args) {
  const parts = split.apply(this, args);
  if (args[0] === '\n') most = Math.max(most, parts.length);
  return parts;
};
const seen = (settings) => {
  most = 0;
  const { data } = Papa.parse(text, { preview: 1, delimiter: ',', newline: '\n', ...settings });
  return `${data.length} row of ${most} that were split`;
};
console.log(`without a quote: ${seen({})}; with fastMode false: ${seen({ fastMode: false })}`);
END
seen=$(node first-row.cjs)
echo "$seen"
[[ $seen == 'without a quote: 1 row of 100001 that were split; with fastMode false: 1 row of 0 that were split' ]] || { echo "it has changed"; exit 1; }
