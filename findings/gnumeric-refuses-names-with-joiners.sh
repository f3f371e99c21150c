#!/usr/bin/env bash
# gnumeric 1.12.55 (ssconvert, Debian's 1.12.55-1) opens a CSV in UTF-8 in which a name has a character that joins letters.
#
# Guess: any text in UTF-8 is the text of a cell. Seen: one zero-width non-joiner, which Persian is written with, one
# right-to-left mark or one emoji of a family, anywhere in the file, and the whole file is of an "unsupported file
# format". The same file is read if its importer is named: -I Gnumeric_stf:stf_csvtab.
# Output seen: plain: read. Persian: E Unsupported file format for file "persian.csv", named: read. family: E Unsupported file format for file "family.csv", named: read.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
ssconvert --version 2>&1 | grep -F '1.12.55' >/dev/null || { echo "this is no gnumeric 1.12.55"; exit 1; }
export LC_ALL=C.UTF-8
printf 'name,amount\nZo\xc3\xab,1.00\n' >plain.csv
printf 'name,amount\n\xd9\x85\xdb\x8c\xe2\x80\x8c\xd8\xae\xd9\x88\xd8\xa7\xd9\x87,1.00\n' >persian.csv
printf 'name,amount\n\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa6,1.00\n' >family.csv
open() { if ssconvert "$@" out.txt 2>error; then echo read; else cat error; fi; }
named() { open -I Gnumeric_stf:stf_csvtab -T Gnumeric_stf:stf_csv "$1"; }
opened() { open -T Gnumeric_stf:stf_csv "$1"; }
seen="plain: $(opened plain.csv). Persian: $(opened persian.csv), named: $(named persian.csv). family: $(opened family.csv), named: $(named family.csv)."
echo "$seen"
[[ $seen == 'plain: read. Persian: E Unsupported file format for file "persian.csv", named: read. family: E Unsupported file format for file "family.csv", named: read.' ]] ||
  { echo "it has changed"; exit 1; }
