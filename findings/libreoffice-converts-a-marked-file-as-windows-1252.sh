#!/usr/bin/env bash
# LibreOffice 7.4 (soffice --headless, Debian's libreoffice-calc) converts a CSV that begins with the mark of UTF-8, in a
# locale of UTF-8.
#
# Guess: the mark, or else the locale, says that it is UTF-8, as in the dialog of the same program. Seen: without a
# window it reads Windows-1252, and the mark becomes a part of the first name. UTF-8 has to be asked for: charset 76 in
# --infilter. Then the mark is gone.
# Output seen: guessed: c3afc2bbc2bf6e616d65, asked: 6e616d65
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
soffice --version | grep -F 'LibreOffice 7.4.' >/dev/null || { echo "this is no LibreOffice 7.4"; exit 1; }
export LC_ALL=C.UTF-8
printf '\xef\xbb\xbfname\nZo\xc3\xab\n' >names.csv
# The first name as bytes of UTF-8.
first() {
  soffice "-env:UserInstallation=file://$PWD/profile" --headless "$@" \
    --convert-to csv:'Text - txt - csv (StarCalc):44,34,76,1' --outdir out names.csv >/dev/null 2>&1
  head -n 1 out/names.csv | tr -d '"\n' | od -An -tx1 | tr -d ' '
}
seen="guessed: $(first), asked: $(first --infilter='CSV:44,34,76,1')"
echo "$seen"
[[ $seen == 'guessed: c3afc2bbc2bf6e616d65, asked: 6e616d65' ]] || { echo "it has changed"; exit 1; }
