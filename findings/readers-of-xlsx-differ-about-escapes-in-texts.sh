#!/usr/bin/env bash
# LibreOffice 7.4 (soffice, Debian's libreoffice-calc) and gnumeric 1.12.55 (ssconvert, Debian's 1.12.55-1) read a workbook of
# write-excel-file 4.1.1, whose texts look like escapes.
#
# Guess: in XML, only <, > and & of a text need an escape. Seen: Office Open XML takes _xHHHH_ in a text for the character
# with that number, and an underscore before such a text has to be written _x005F_. The writer leaves that to its user.
# LibreOffice takes the escapes of control characters and of the underscore, but no others, and gnumeric none. So a text
# that is escaped as it should be is right in LibreOffice, and another one in gnumeric.
# Output seen: LibreOffice: 7_x0041_9 7^M9 7_x0041_9 gnumeric: 7_x0041_9 7_x000D_9 7_x005F_x0041_9
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
soffice --version | grep -F 'LibreOffice 7.4.' >/dev/null || { echo "this is no LibreOffice 7.4"; exit 1; }
ssconvert --version 2>&1 | grep -F '1.12.55' >/dev/null || { echo "this is no gnumeric 1.12.55"; exit 1; }
npm init -y >/dev/null
npm install --silent --no-audit --no-fund write-excel-file@4.1.1
cat >write.mjs <<'END'
import write from 'write-excel-file/node';
const texts = ['7_x0041_9', '7_x000D_9', '7_x005F_x0041_9'];
await write([texts.map((value) => ({ value, type: String }))]).toFile('texts.xlsx');
END
node write.mjs
soffice "-env:UserInstallation=file://$PWD/profile" --headless --convert-to csv --outdir libreoffice texts.xlsx >/dev/null 2>&1
ssconvert texts.xlsx gnumeric.csv 2>/dev/null
shown() { tr -d '"\n' <"$1" | tr , ' ' | sed 's/\r/^M/g'; }
seen="LibreOffice: $(shown libreoffice/texts.csv) gnumeric: $(shown gnumeric.csv)"
echo "$seen"
[[ $seen == 'LibreOffice: 7_x0041_9 7^M9 7_x0041_9 gnumeric: 7_x0041_9 7_x000D_9 7_x005F_x0041_9' ]] ||
  { echo "it has changed"; exit 1; }
