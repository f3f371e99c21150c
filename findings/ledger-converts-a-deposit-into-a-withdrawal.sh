#!/usr/bin/env bash
# ledger 3.3.0 (Debian's 3.3.0-3) converts a bank's CSV for the account that --account names.
#
# Guess: an amount is what that account got, as in the file of a bank: a sale of 30.00 raises it, a refund lowers it.
# Seen: the amount is booked on the other account, and the negative on this one, so a month of sales leaves the bank
# with less than nothing. --invert turns it round.
# Output seen: Assets:Bank -10, with --invert: Assets:Bank 10
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
ledger --version | grep -F 'Ledger 3.3.0' >/dev/null || { echo "this is no ledger 3.3.0"; exit 1; }
printf 'account Income:Sales\n  payee ^(Sale|Refund)\n' >accounts.dat
printf 'date,payee,amount\n2026/03/01,Sale,30.00\n2026/03/02,Refund,-20.00\n' >bank.csv
balance() {
  ledger -f accounts.dat convert bank.csv --account Assets:Bank "$@" >journal
  ledger -f journal balance Assets:Bank --flat --no-total --balance-format '%(account) %(display_total)'
}
seen="$(balance), with --invert: $(balance --invert)"
echo "$seen"
[[ $seen == 'Assets:Bank -10, with --invert: Assets:Bank 10' ]] || { echo "it has changed"; exit 1; }
