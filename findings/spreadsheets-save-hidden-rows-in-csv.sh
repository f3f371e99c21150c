#!/usr/bin/env bash
# LibreOffice 7.4 (soffice, Debian's libreoffice-calc) and gnumeric 1.12 (ssconvert) save a workbook as CSV that ExcelJS
# 4.4.0 wrote: three payments, of which a filter of the sheet hides one.
#
# Guess: the file has the rows that the screen shows, since the cells are saved as they are shown.
# Seen: it has all rows, those that a filter hides too, in both programs. Whoever filters a sheet of payments and sends
# the CSV sends what was filtered out.
# Output seen: LibreOffice: A,1 B,2 C,3 gnumeric: A,1 B,2 C,3
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
soffice --version | grep -F 'LibreOffice 7.4.' >/dev/null || { echo "this is no LibreOffice 7.4"; exit 1; }
ssconvert --version 2>&1 | grep -F "version '1.12." >/dev/null || { echo "this is no gnumeric 1.12"; exit 1; }
npm init -y >/dev/null
npm install --silent exceljs@4.4.0 >/dev/null
cat >write.cjs <<'EOF'
const ExcelJS = require('exceljs');
const workbook = new ExcelJS.Workbook();
const sheet = workbook.addWorksheet('Payments');
sheet.addRows([['reference', 'amount'], ['A', 1], ['B', 2], ['C', 3]]);
sheet.autoFilter = 'A1:B4';
sheet.getRow(3).hidden = true;
workbook.xlsx.writeFile('payments.xlsx');
EOF
node write.cjs
soffice "-env:UserInstallation=file://$PWD/profile" --headless --convert-to csv --outdir libreoffice payments.xlsx >/dev/null 2>&1
ssconvert payments.xlsx gnumeric.csv 2>/dev/null
rows() { tail -n +2 "$1" | tr '\n' ' ' | sed 's/ *$//'; }
seen="LibreOffice: $(rows libreoffice/payments.csv) gnumeric: $(rows gnumeric.csv)"
echo "$seen"
[[ $seen == 'LibreOffice: A,1 B,2 C,3 gnumeric: A,1 B,2 C,3' ]] || { echo "it has changed"; exit 1; }
