#!/bin/sh
# Three months at the support desk of a newspaper, in about half a minute: the embedded gateway starts
# over with the customers of three-months.json and lives until 1 April 2026, a Wednesday. Meanwhile its
# webhooks are received, and a few things are sold and refunded, besides subscriptions. The
# cookbook goes on from there. It starts the embedded gateway over; a home of its own leaves yours alone:
#
#     export HOME=$(mktemp -d)
#     sh docs/three-months.sh
#
# It needs no installed gw, only that of its own folder (`npm ci`).
set -eu
export GW_PROFILE=local
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
# Without an installed gw, that of this folder is taken.
if ! command -v gw >/dev/null; then
  ln -s "$here/../bin/gw.cjs" "$work/gw"
  export PATH="$work:$PATH"
fi
listener=
: >"$work/listener"
trap 'test -z "$listener" || kill "$listener"; rm -r "$work"' EXIT

# sell CUSTOMER AMOUNT REFERENCE: charges the customer's card. Some are declined, which is part of life.
sell() {
  token=$(gw customer get "$1" --jq .card_token)
  printf '{"card_token": "%s", "amount": %s, "currency": "AUD", "reference": "%s"}\n' "$token" "$2" "$3" >>"$work/sales"
}

# sold: sends what was sold today, one after the other, so that ids are the same every time.
sold() {
  gw purchase batch "$work/sales" --concurrency 1 >/dev/null || test $? -eq 9
  rm "$work/sales"
}

# refund PURCHASE AMOUNT REFERENCE
refund() {
  gw refund create --transaction-id "$(gw purchase get "$1" -o id)" --amount "$2" --reference "$3"
}

is_listening() {
  case $(cat "$work/listener") in *'Press Ctrl-C to stop'*) ;; *) return 1 ;; esac
}

gw emulator reset --seed "$here/three-months.json"
gw listen --port 0 --events charge:successful --events charge:retry --events charge:failed \
  --events 'card:*' >/dev/null 2>"$work/listener" &
listener=$!
until is_listening; do sleep 0.1; done
for kind in customers subscriptions; do
  node -e 'const [file, kind] = process.argv.slice(1);
    for (const { reference } of JSON.parse(require("fs").readFileSync(file)).merchants[0][kind])
      console.log(reference);' "$here/three-months.json" $kind >"$work/$kind-to-get"
done
gw customer get - <"$work/customers-to-get" >/dev/null

gw emulator advance --to 2026-01-13
sell C-1030 4500 WEB-3001
sell C-1014 1800 WEB-3002
sell C-1003 1251 WEB-3003
sell C-1001 2500 WEB-3004
sell C-1009 990 WEB-3005
sold

gw emulator advance --to 2026-01-27
sell C-1013 1800 WEB-3011
sell C-1004 6400 WEB-3012
sell C-1023 1200 WEB-3013
sell C-1008 3350 WEB-3014
sold
refund WEB-3001 4500 RET-501

gw emulator advance --to 2026-02-10
sell C-1012 12000 WEB-3021
sell C-1007 2054 WEB-3022
sell C-1005 4500 WEB-3023
sell C-1011 2200 WEB-3024
sold
gw subscription stop SUB-2009

gw emulator advance --to 2026-02-24
sell C-1010 2500 WEB-3031
sell C-1014 1800 WEB-3032
sell C-1016 5500 WEB-3033
sold
refund WEB-3021 3000 RET-502
refund WEB-3014 350 RET-503

gw emulator advance --to 2026-03-17
sell C-1002 7900 WEB-3041
sell C-1003 1200 WEB-3042
sell C-1007 2051 WEB-3043
sold
refund WEB-3021 2000 RET-504

# A poster, charged twice.
gw emulator advance --to 2026-03-31
sell C-1030 4500 WEB-3051
sell C-1030 4500 WEB-3052
sell C-1011 2200 WEB-3053
sell C-1001 1800 WEB-3054
sold
gw emulator advance --to 2026-04-01
kill "$listener"
wait "$listener" || :
listener=

# What a job of every night would look up.
gw plan list
gw customer get - <"$work/customers-to-get"
gw subscription get - <"$work/subscriptions-to-get"
