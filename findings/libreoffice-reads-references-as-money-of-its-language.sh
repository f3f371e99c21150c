#!/usr/bin/env bash
# LibreOffice 7.4 (soffice, Debian's libreoffice-calc) reads a CSV of references in four languages, with the option that
# recognises special numbers.
#
# Guess: it takes numbers, dates and $ for values, and whatever begins with letters stays a text.
# Seen: the currency of the language counts, without a space too and with a minus between: R501 is 501 rands and R-501 a
# refund of 501 in South African English, kr7 is money in Norwegian, CHF-5 in Swiss German. In American English each of
# them is a text. So one file has other cells for a colleague abroad.
# Output seen: 1033: R501,R-501,kr7,CHF-5 7177: 501,-501,kr7,CHF-5 1044: R501,R-501,7,CHF-5 2055: R501,R-501,kr7,-5
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
soffice --version | grep -F 'LibreOffice 7.4.' >/dev/null || { echo "this is no LibreOffice 7.4"; exit 1; }
printf 'R501,R-501,kr7,CHF-5\n' >references.csv
seen=
for language in 1033 7177 1044 2055; do
  # The last option but one saves values as they are, and not as they are shown.
  soffice "-env:UserInstallation=file://$PWD/profile" --headless --infilter="CSV:44,34,76,1,,$language,false,true" \
    --convert-to csv:'Text - txt - csv (StarCalc):44,34,76,1,,1033,false,false,false' --outdir "$language" references.csv \
    >/dev/null 2>&1
  seen+="${seen:+ }$language: $(tr -d '"\n' <"$language/references.csv")"
done
echo "$seen"
[[ $seen == '1033: R501,R-501,kr7,CHF-5 7177: 501,-501,kr7,CHF-5 1044: R501,R-501,7,CHF-5 2055: R501,R-501,kr7,-5' ]] ||
  { echo "it has changed"; exit 1; }
