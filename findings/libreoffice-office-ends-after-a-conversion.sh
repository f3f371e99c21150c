#!/usr/bin/env bash
# LibreOffice 7.4 (soffice, Debian's libreoffice-calc) converts files while another soffice of the same profile runs, which
# was started to listen.
#
# Guess: the running office takes each conversion over, so that a test or a server that converts many files pays for one
# start. Seen: it takes the first one over and then ends, although it was told to listen (--accept) and nobody told it to
# end. The second conversion starts an office of its own.
# Output seen: the office listens; after one conversion it has ended; the second conversion works
set -euo pipefail
cd "$(mktemp -d)"
office=
trap 'kill $office 2>/dev/null || true; rm -rf "$PWD"' EXIT
soffice --version | grep -F 'LibreOffice 7.4.' >/dev/null || { echo "this is no LibreOffice 7.4"; exit 1; }
profile="-env:UserInstallation=file://$PWD/profile"
convert() {
  soffice "$profile" --headless --convert-to xlsx --outdir "$1" payments.csv >/dev/null 2>&1
  [[ -s $1/payments.xlsx ]]
}
printf 'reference,amount\nINV-1,25.00\n' >payments.csv
soffice "$profile" --headless --invisible --nologo --norestore '--accept=pipe,name=payments;urp' >/dev/null 2>&1 &
office=$!
# Its lock says that the profile is in use.
for _ in $(seq 100); do [[ -e profile/.lock ]] && break || sleep 0.2; done
sleep 10
kill -0 "$office" && said="the office listens"
convert first
ended=no
for _ in $(seq 50); do kill -0 "$office" 2>/dev/null || { ended=yes; break; }; sleep 0.2; done
[[ $ended == yes ]] && said+="; after one conversion it has ended"
convert second && said+="; the second conversion works"
echo "$said"
[[ $said == 'the office listens; after one conversion it has ended; the second conversion works' ]] ||
  { echo "it has changed"; exit 1; }
