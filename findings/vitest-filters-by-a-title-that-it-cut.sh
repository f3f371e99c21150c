#!/usr/bin/env bash
# vitest 4.1.12 runs some of the rows of a table by a part of their titles.
#
# Guess: `-t TEXT` runs every test whose title, as the table writes it, has the text.
# Seen: a long string that `$name` puts into a title is cut to about 40 characters, and `-t` looks at the cut title. Rows
# with the text beyond that place are skipped, and the run passes. With `%s` in place of `$name` all rows run.
# Output seen: 1 passed | 3 skipped, then 2 passed | 2 skipped
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm init -y >/dev/null
npm install --silent --no-audit --no-fund vitest@4.1.12
cat >rows.test.mjs <<'TEST'
import { expect, test } from 'vitest';
const rows = ['a refund beyond the limit', 'a refund whose description is rather longer, beyond the limit'];
test.each(rows.map((what) => ({ what })))('by name: $what', () => expect(1).toBe(1));
test.each(rows)('by place: %s', () => expect(1).toBe(1));
TEST
ran() { npx vitest run -t "$1" 2>&1 | sed 's/\x1b\[[0-9;]*m//g' | sed -n 's/^ *Tests *\(.*\) (4)$/\1/p'; }
seen="$(ran '^by name: .*beyond the limit'), then $(ran '^by place: .*beyond the limit')"
echo "$seen"
[[ $seen == '1 passed | 3 skipped, then 2 passed | 2 skipped' ]] || { echo "it has changed"; exit 1; }
