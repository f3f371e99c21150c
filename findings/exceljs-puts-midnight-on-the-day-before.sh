#!/usr/bin/env bash
# exceljs 4.4.0, hucre 1.0.0 and @e965/xlsx 0.20.3 (SheetJS) write the first of March as JavaScript has it, new
# Date(2026, 2, 1), on a machine in Sydney.
#
# Guess: a cell has the day that the program had: 46082 is 1 March 2026 in Excel. Seen: exceljs and hucre write the
# instant in UTC, 46081.54 or 28 February, so the first of a month is in the month before; in New York it would be five
# in the morning. SheetJS writes local time. None of them says so, and a test in UTC sees no difference.
# Output seen: exceljs 46081.54, hucre 46081.54, SheetJS 46082.00
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm init -y >/dev/null
npm install --silent --no-audit --no-fund exceljs@4.4.0 hucre@1.0.0 @e965/xlsx@0.20.3 fflate@0.8.2
cat >write.mjs <<'END'
import ExcelJS from 'exceljs';
import { strFromU8, unzipSync } from 'fflate';
import { writeXlsx } from 'hucre';
import { utils, write } from '@e965/xlsx';
const first = new Date(2026, 2, 1);
const book = new ExcelJS.Workbook();
book.addWorksheet('a').addRow([first]);
const sheetJs = utils.book_new(utils.aoa_to_sheet([[first]]), 'a');
const files = {
  exceljs: await book.xlsx.writeBuffer(),
  hucre: await writeXlsx({ sheets: [{ name: 'a', rows: [[first]] }] }),
  SheetJS: write(sheetJs, { type: 'buffer', bookType: 'xlsx' }),
};
const number = (file) => /<v>([\d.]+)<\/v>/.exec(strFromU8(unzipSync(new Uint8Array(file))['xl/worksheets/sheet1.xml']))[1];
console.log(Object.entries(files).map(([name, file]) => `${name} ${Number(number(file)).toFixed(2)}`).join(', '));
END
seen=$(TZ=Australia/Sydney node write.mjs)
echo "$seen"
[[ $seen == 'exceljs 46081.54, hucre 46081.54, SheetJS 46082.00' ]] || { echo "it has changed"; exit 1; }
