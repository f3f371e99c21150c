#!/usr/bin/env bash
# mt940js 1.3.5, mt940-js 1.0.0 and @centrapay/swift-parser 1.0.1 read a statement in MT940 over New Year.
#
# Guess: field 61 has the value date with its year (260102) and the entry date without one (1231), so the entry is the one
# nearest to it: 31 December 2025. Seen: each takes the year of the value date, 31 December 2026, and 2 January 2025 for an
# entry of 31 December 2025 that was booked on 2 January. A reversed credit (RC) is money out; mt940-js reads it as the
# credit, without a sign. A dinar of Kuwait has three decimals, of which mt940js and @centrapay/swift-parser drop the last.
# Output seen, entries and the last two amounts:
#   mt940js 2026-12-31 2025-01-02 -79 -1.23
#   mt940-js 2026-12-31 2025-01-02 credit 79 debit 1.234
#   swift-parser 2026-12-31 2025-01-02 -79 -1.23
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts mt940js@1.3.5 mt940-js@1.0.0 tslib@2.9.1 @centrapay/swift-parser@1.0.1
cat >bank.mt940 <<'END'
:20:STATEMENT1
:25:KW0012345678
:28C:00001/001
:60F:C251230KWD100,000
:61:2601021231C79,000NTRFINV-1
:61:2512310102C45,000NTRFINV-2
:61:2601050105RC79,000NTRFINV-1
:61:2601060106D1,234NTRFINV-3
:62F:C260106KWD143,766
-
END
cat >read.cjs <<'END'
const { readFileSync } = require('node:fs');
const { Parser } = require('mt940js');
const { parse } = require('@centrapay/swift-parser');
const text = readFileSync('bank.mt940', 'utf8');
const day = (date) => (typeof date === 'string' ? date : date.toISOString().slice(0, 10));
const line = (name, rows, amount) => {
  const days = rows.slice(0, 2).map(({ entryDate }) => day(entryDate));
  console.log([name, ...days, ...rows.slice(2).map(amount)].join(' '));
};
require('mt940-js').read(readFileSync('bank.mt940')).then(([{ transactions }]) => {
  line('mt940js', new Parser().parse(text)[0].transactions, ({ amount }) => amount);
  line('mt940-js', transactions, ({ isCredit, amount }) => `${isCredit ? 'credit' : 'debit'} ${amount}`);
  const [swift] = parse({ type: 'mt940', data: text });
  line('swift-parser', swift.transactions, ({ amount }) => amount);
});
END
seen=$(TZ=UTC node read.cjs)
echo "$seen"
[[ $seen == 'mt940js 2026-12-31 2025-01-02 -79 -1.23
mt940-js 2026-12-31 2025-01-02 credit 79 debit 1.234
swift-parser 2026-12-31 2025-01-02 -79 -1.23' ]] || { echo "it has changed"; exit 1; }
