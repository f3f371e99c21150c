#!/usr/bin/env bash
# gnumeric 1.12.55 (ssconvert, Debian's 1.12.55-1) and LibreOffice 7.4 (soffice, Debian's libreoffice-calc) read references
# that an exporter keeps texts.
#
# Guess: a tab after 0077, which is recommended for Excel, keeps it a text in other spreadsheets too; so do quotes.
# Seen: LibreOffice has a text with the tab in it, and gnumeric the number 77. Of 0077 with a no-break space both make 77.
# Only ="0077" is exactly 0077 in both.
# Output seen: gnumeric: 77,77,77,0077 LibreOffice: 77,0077^I,77,0077
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
ssconvert --version 2>&1 | grep -F '1.12.55' >/dev/null || { echo "this is no gnumeric 1.12.55"; exit 1; }
soffice --version | grep -F 'LibreOffice 7.4.' >/dev/null || { echo "this is no LibreOffice 7.4"; exit 1; }
export LC_ALL=C.UTF-8
printf '"0077","0077\t",0077\xc2\xa0,"=""0077"""\n' >references.csv
ssconvert references.csv gnumeric.csv 2>/dev/null
soffice "-env:UserInstallation=file://$PWD/profile" --headless --infilter='CSV:44,34,76,1,,1033,false,true' \
  --convert-to csv:'Text - txt - csv (StarCalc):44,34,76,1' --outdir libreoffice references.csv >/dev/null 2>&1
seen="gnumeric: $(tr -d '"\n' <gnumeric.csv) LibreOffice: $(tr -d '"\n' <libreoffice/references.csv | sed 's/\t/^I/g')"
echo "$seen"
[[ $seen == 'gnumeric: 77,77,77,0077 LibreOffice: 77,0077^I,77,0077' ]] || { echo "it has changed"; exit 1; }
